import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AsOf } from '../../contract/answers/page';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';

/** A settled answer: no push has changed the graph while it was read. */
export interface Settled<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
  /**
   * Describes the contents of all data sources: two answers with the same version saw the same
   * graph. `null` while a chunked push is under way.
   */
  readonly version: string | null;
}

// One record, with the time as a text: the driver needs much longer to make its own time objects.
const VERSIONS = `MATCH (source:DataSource)
WITH source ORDER BY source.key
RETURN collect([source.key, source.digest, source.status, toString(source.rows), source.last_push, toString(source.last_push_at)]) AS sources`;

type Version = readonly [...unknown[], push: string | null, at: string | null];

/** The contents of all data sources, each described by its newest push. */
interface Versions {
  readonly text: string;
  /** Whether no chunked push is under way. */
  readonly isAtRest: boolean;
  readonly asOf: AsOf | null;
}

const readVersions = async (tx: Runner): Promise<Versions> => {
  const { records } = await tx.run<{ sources: readonly Version[] }>(VERSIONS);
  const sources = records[0]?.get('sources') ?? [];
  const pushes = sources.flatMap((source): AsOf[] => {
    const [push, at] = source.slice(-2) as [string | null, string | null];
    return push === null || at === null ? [] : [{ push, at }];
  });
  const moment = ({ at }: AsOf): string => at.replace('Z', '');
  const newest = pushes.reduce<AsOf | null>(
    (last, each) => (last === null || moment(each) > moment(last) ? each : last),
    null,
  );
  const isAtRest = sources.every(([, , status]) => status !== 'PENDING' && status !== 'DELETING');
  return { text: JSON.stringify(sources), isAtRest, asOf: newest };
};

const ATTEMPTS = 10;

const RESTLESS: Failure = {
  _tag: 'Unavailable',
  message: 'The graph changed each time it was read; try again.',
};

/**
 * Runs several statements so that all see the same graph. In Neo4j each statement sees what is
 * committed when it runs. So the service compares the versions of all data sources before and
 * after, and reads again if they differ (docs/rules.md: Access answers).
 */
export const settledAnswer = <A>(
  graph: Graph,
  timeoutSeconds: number,
  read: (tx: Runner) => Promise<A>,
  unwanted?: AbortSignal,
): TE.TaskEither<Failure, Settled<A>> =>
  pipe(
    inTransaction(
      graph,
      { mode: 'read', timeoutSeconds, unwanted },
      async (tx): Promise<Settled<A> | null> => {
        let before = readVersions(tx);
        for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
          // Both are sent without waiting, and Neo4j runs them in that order.
          const [{ text }, answer] = await Promise.all([before, read(tx)]);
          const after = await readVersions(tx);
          if (after.text === text) {
            return { answer, asOf: after.asOf, version: after.isAtRest ? text : null };
          }
          before = Promise.resolve(after);
        }
        return null;
      },
    ),
    TE.flatMap((settled) => (settled === null ? TE.left(RESTLESS) : TE.right(settled))),
  );

/**
 * A stored answer, if all data sources still have the version with which it was read; or else
 * `null`.
 */
export const standingAnswer = <A>(
  graph: Graph,
  timeoutSeconds: number,
  version: string,
  answer: A,
): TE.TaskEither<Failure, Settled<A> | null> =>
  inTransaction(graph, { mode: 'read', timeoutSeconds }, async (tx) => {
    const { text, asOf } = await readVersions(tx);
    return text === version ? { answer, asOf, version } : null;
  });
