import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../problem';
import type { Graph } from './driver';
import { inTransaction, type Runner } from './transaction';
import { fromGraph } from './values';
import { Instant } from '../model/instant';

/** The newest push that an answer reflects; `null` before the first (api.md 7). */
export interface AsOf {
  readonly push: string;
  readonly at: string;
}

/** An answer, and as of when it is true. */
export interface Settled<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
}

const VERSIONS = `MATCH (source:DataSource)
RETURN source.key AS key, source.last_push AS push, source.last_push_at AS at, source.rows AS rows, source.digest AS digest, source.status AS status
ORDER BY key`;

/** What all data sources hold, told by which push each took last. */
interface Versions {
  readonly text: string;
  readonly asOf: AsOf | null;
}

const readVersions = async (tx: Runner): Promise<Versions> => {
  const { records } = await tx.run(VERSIONS);
  const rows = records.map((record) => fromGraph(record.toObject()));
  const pushes = rows.flatMap(({ push, at }): AsOf[] =>
    typeof push === 'string' && at instanceof Instant ? [{ push, at: at.utc }] : [],
  );
  const moment = ({ at }: AsOf): string => at.replace('Z', '');
  const newest = pushes.reduce<AsOf | null>(
    (last, each) => (last === null || moment(each) > moment(last) ? each : last),
    null,
  );
  return { text: JSON.stringify(rows), asOf: newest };
};

const ATTEMPTS = 10;

const RESTLESS: Failure = {
  _tag: 'Unavailable',
  message: 'The graph changed each time it was read; try again.',
};

/**
 * Asks several statements as of one moment: Neo4j shows each what is committed by then, so that what the data sources hold is compared before
 * and after, and all is asked again when a push came between (graph.md 6).
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
          if (after.text === text) return { answer, asOf: after.asOf };
          before = Promise.resolve(after);
        }
        return null;
      },
    ),
    TE.flatMap((settled) => (settled === null ? TE.left(RESTLESS) : TE.right(settled))),
  );
