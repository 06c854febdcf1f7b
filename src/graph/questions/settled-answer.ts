import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { Graph } from '../connection/driver';
import { inTransaction, type Runner } from '../connection/transaction';

/** The newest push that an answer reflects; `null` before the first (docs/rules.md: Lists). */
export interface AsOf {
  readonly push: string;
  readonly at: string;
}

/** An answer, and as of when it is true. */
export interface Settled<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
  /** What all data sources hold: two answers with one version are of one graph. `null` while one of them is being changed in several steps. */
  readonly version: string | null;
}

// One row, and the time as a text: the driver's own times are dear to make.
const VERSIONS = `MATCH (source:DataSource)
WITH source ORDER BY source.key
RETURN collect([source.key, source.digest, source.status, toString(source.rows), source.last_push, toString(source.last_push_at)]) AS sources`;

type Version = readonly [...unknown[], push: string | null, at: string | null];

/** What all data sources hold, told by which push each took last. */
interface Versions {
  readonly text: string;
  /** Whether no data source is being changed in several transactions. */
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
 * Asks several statements as of one moment: Neo4j shows each what is committed by then, so that what the data sources hold is compared before
 * and after, and all is asked again when a push came between (docs/rules.md: Full pushes).
 */
export const settledAnswer = <A>(
  graph: Graph,
  timeoutSeconds: number,
  read: (tx: Runner) => Promise<A>,
): TE.TaskEither<Failure, Settled<A>> =>
  pipe(
    inTransaction(
      graph,
      { mode: 'read', timeoutSeconds },
      async (tx): Promise<Settled<A> | null> => {
        let before = readVersions(tx);
        for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
          // Sent together: what comes first is answered first.
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

/** An answer of before, if all data sources still hold what they held then; else `null`. */
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
