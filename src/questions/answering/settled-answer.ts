import type * as TE from 'fp-ts/TaskEither';

import type { AsOf } from '../../contract/answers/page';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import { readVersions } from './versions';

/** An answer, and the newest push that it reflects. */
export interface Settled<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
}

/** How often the service reads an answer. */
const ATTEMPTS = 3;

/** The failure of a question that pushes overtook each time. */
export const RESTLESS: Failure = {
  _tag: 'Unavailable',
  message: 'The graph changed each time it was read; try again.',
};

/**
 * Runs several statements so that all see the same graph. In Neo4j each statement sees what is
 * committed when it runs. So the service compares the versions of all data sources before and
 * after. If they differ, it reads again (docs/rules.md: Access answers). If that does not help, the
 * answer is what it read last: some of what was committed meanwhile may be in it.
 */
export const settledAnswer = <A>(
  graph: Graph,
  timeoutSeconds: number,
  read: (tx: Runner) => Promise<A>,
): TE.TaskEither<Failure, Settled<A>> =>
  inTransaction(graph, { mode: 'read', timeoutSeconds }, async (tx) => {
    let before = readVersions(tx);
    for (let attempt = 1; ; attempt += 1) {
      // Both are sent without waiting, and Neo4j runs them in that order.
      const [{ text, asOf }, answer] = await Promise.all([before, read(tx)]);
      const after = await readVersions(tx);
      if (after.text === text || attempt === ATTEMPTS) return { answer, asOf };
      before = Promise.resolve(after);
    }
  });
