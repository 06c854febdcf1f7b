import neo4j from 'neo4j-driver';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Graph } from '../../../neo4j/driver';
import { inTransaction, LATEST, type Runner } from '../../../neo4j/transaction';
import { fromGraph, utcOf } from '../../../neo4j/values';
import type { Failure } from '../../../problem';
import { dateTime } from './date-time';
import { LOCK_COUNT, READ_COUNT, REMOVE_OLD_COUNTS, WRITE_COUNT } from './statements';

/** What the service counts of a key or a person, since each is stored. */
export type Counted = 'sign_ins' | 'codes';

const HOUR_MS = 3_600_000;
const REMOVED_AT_ONCE = 1_000;

const WHAT: Readonly<Record<Counted, string>> = {
  sign_ins: 'signed in',
  codes: 'made one-time codes',
};

const tooOften = (counted: Counted, most: number, left: number): Failure => ({
  _tag: 'Exhausted',
  message: `The same person or key has ${WHAT[counted]} ${most} times within an hour; try again later.`,
  retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)),
});

/**
 * Counts one more sign-in or code of somebody, and fails if that is too often within an hour. The
 * transaction holds the lock of the count from here on, on every process: so nothing else of the same
 * person is stored meanwhile.
 */
export const countOne = async (
  tx: Runner,
  subject: string,
  counted: Counted,
  { most, now }: { readonly most: number; readonly now: number },
): Promise<E.Either<Failure, void>> => {
  const asked = { subject, now: dateTime(now) };
  await tx.run(LOCK_COUNT, asked);
  const { records } = await tx.run<{ count: Readonly<Record<string, unknown>> }>(READ_COUNT, asked);
  const stored = fromGraph(records[0]?.get('count') ?? {});
  const since = Date.parse(utcOf(stored.since) ?? '');
  // A clock that went back begins another hour too.
  const isOver = !(since <= now && now - since < HOUR_MS);
  const counts = {
    sign_ins: isOver ? 0 : Number(stored.sign_ins),
    codes: isOver ? 0 : Number(stored.codes),
  };
  if (counts[counted] >= most) return E.left(tooOften(counted, most, since + HOUR_MS - now));
  counts[counted] += 1;
  const begun = isOver ? dateTime(now) : dateTime(since);
  await tx.run(WRITE_COUNT, { subject, counts: { ...counts, since: begun } });
  return E.right(undefined);
};

/** Removes what was counted before this hour. */
export const signInCounts = (graph: Graph, now: () => number) => ({
  removeOld: (): TaskEither<Failure, boolean> =>
    inTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ removed: unknown }>(REMOVE_OLD_COUNTS, {
        before: dateTime(now() - HOUR_MS),
        most: neo4j.int(REMOVED_AT_ONCE),
      });
      return Number(records[0]?.get('removed') ?? 0) === REMOVED_AT_ONCE;
    }),
});
