import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import { NODES_BY_KEY, ROWS_THEN, SHARED_THEN } from '../statements/instant-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { isSharedKey, kindOfKey } from '../../templates/graph/kind-of-key';

/**
 * The failure of a question about something that does not exist, or that did not exist at the instant
 * of the question (docs/rules.md: History).
 */
export const notThere = (what: string, at: Instant | null): Failure => ({
  _tag: 'NotFound',
  message:
    at === null
      ? `There is no ${what} with this id.`
      : `There was no ${what} with this id at ${at.utc}.`,
});

/**
 * Finds those of the nodes that existed at an instant: rows by themselves, and shared nodes while
 * something led to them (docs/rules.md: History).
 */
export const existedAt = async (
  tx: Runner,
  at: Instant,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const pipeline = new Pipeline(tx);
  const known = [...new Set(keys)].filter((key) => kindOfKey(key) !== null);
  const found = await Promise.all(
    [
      [ROWS_THEN, known.filter((key) => !isSharedKey(key))] as const,
      [SHARED_THEN, known.filter(isSharedKey)] as const,
    ].map(([statement, some]) =>
      pipeline.ask<{ key: string }>(statement, 'keys', [...some], { at: toDateTime(at) }),
    ),
  );
  return new Set(found.flat().map((record) => record.get('key')));
};

/** Those of the nodes that exist now. */
export const existingNow = async (
  tx: Runner,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const found = await new Pipeline(tx).ask<{ key: string }>(NODES_BY_KEY, 'keys', [...keys]);
  return new Set(found.map((record) => record.get('key')));
};
