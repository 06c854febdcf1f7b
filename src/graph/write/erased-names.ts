import { hash, randomBytes } from 'node:crypto';

import type { Instant } from '../../model/instant';
import { ERASED_AMONG, KEEP_ERASED_NAMES, KEEP_SALT, READ_SALT } from './erased-name-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';

const SALT_BYTES = 32;

const keyOf = (salt: string, name: string): string => hash('sha256', `${salt}${name}`, 'hex');

/**
 * Keeps that these folded names were erased, without the names (docs/rules.md: Erasing a person).
 */
export const keepErasedNames = async (
  tx: Runner,
  names: readonly string[],
  at: Instant,
): Promise<void> => {
  const { records } = await tx.run<{ salt: string }>(KEEP_SALT, {
    salt: randomBytes(SALT_BYTES).toString('hex'),
  });
  const salt = records[0]?.get('salt') ?? '';
  const pipeline = new Pipeline(tx);
  const keys = names.map((name) => keyOf(salt, name));
  await pipeline.send(KEEP_ERASED_NAMES, 'keys', keys, { at: toDateTime(at) });
  await pipeline.drain();
};

/** Those of these folded names that belonged to an erased person. Calls `names` only if there is one. */
export const erasedAmong = async (
  tx: Runner,
  names: () => Iterable<string>,
): Promise<ReadonlySet<string>> => {
  const { records } = await tx.run<{ salt: string }>(READ_SALT);
  const salt = records[0]?.get('salt');
  if (salt === undefined) return new Set();
  const byKey = new Map<string, string>();
  for (const name of names()) byKey.set(keyOf(salt, name), name);
  const found = await new Pipeline(tx).ask<{ keys: string[] }>(ERASED_AMONG, 'keys', [
    ...byKey.keys(),
  ]);
  return new Set(
    found.flatMap((record) => record.get('keys')).flatMap((key) => byKey.get(key) ?? []),
  );
};
