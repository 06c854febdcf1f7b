import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AsOf } from '../../contract/answers/page';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import type { Reach } from '../instant/at-instant';
import { readsTheSame, readVersions, type Versions } from './versions';

/** A settled answer: no push has changed what it was read from meanwhile. */
export interface Settled<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
  /**
   * Describes the contents of all data sources: two answers with the same version saw the same
   * graph. `null` while a chunked push or a deletion is under way.
   */
  readonly version: Versions | null;
}

/** How often the service reads an answer, if it cannot give that about the newest push instead. */
const ATTEMPTS = 10;
/** How often it reads it otherwise. */
const ATTEMPTS_BEFORE_NEWEST = 3;

/** The failure of a question that pushes overtook each time. */
export const RESTLESS: Failure = {
  _tag: 'Unavailable',
  message: 'The graph changed each time it was read; try again.',
};

/**
 * Runs several statements so that all see the same graph. In Neo4j each statement sees what is
 * committed when it runs. So the service compares the versions of all data sources before and
 * after. If they differ, and what the question reads (`reach`) has changed or is not known, it reads
 * again (docs/rules.md: Access answers). Fails with `RESTLESS` if that does not help.
 */
export const settledAnswer = <A>(
  graph: Graph,
  timeoutSeconds: number,
  reach: Reach | null,
  read: (tx: Runner) => Promise<A>,
): TE.TaskEither<Failure, Settled<A>> =>
  pipe(
    inTransaction(
      graph,
      { mode: 'read', timeoutSeconds },
      async (tx): Promise<Settled<A> | null> => {
        let before = readVersions(tx);
        for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
          // Both are sent without waiting, and Neo4j runs them in that order.
          const [seen, answer] = await Promise.all([before, read(tx)]);
          const after = await readVersions(tx);
          if (await readsTheSame(tx, seen, after, reach)) {
            return { answer, asOf: after.asOf, version: after.isWhole ? after : null };
          }
          if (reach !== null && after.isWhole && attempt >= ATTEMPTS_BEFORE_NEWEST) return null;
          before = Promise.resolve(after);
        }
        return null;
      },
    ),
    TE.flatMap((settled) => (settled === null ? TE.left(RESTLESS) : TE.right(settled))),
  );

/**
 * A stored answer, if its question still reads the same as from the version with which it was read;
 * or else `null`.
 */
export const cachedAnswer = <A>(
  graph: Graph,
  timeoutSeconds: number,
  reach: Reach | null,
  version: Versions,
  answer: A,
): TE.TaskEither<Failure, Settled<A> | null> =>
  inTransaction(graph, { mode: 'read', timeoutSeconds }, async (tx) => {
    const now = await readVersions(tx);
    return (await readsTheSame(tx, version, now, reach))
      ? { answer, asOf: now.asOf, version: now.isWhole ? now : null }
      : null;
  });
