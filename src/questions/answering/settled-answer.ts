import type * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import type { Answered } from './answered';
import { readVersions, type Versions } from './versions';

/** An answer, and the version of the graph from which it was read. */
interface Versioned<A> extends Answered<A> {
  /** `null` if that is not certain: something was committed meanwhile, or a chunked push is under way. */
  readonly version: string | null;
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
  read: (tx: Runner, before: Promise<Versions>) => Promise<A>,
): TE.TaskEither<Failure, Versioned<A>> =>
  inTransaction(graph, { mode: 'read', timeoutSeconds }, async (tx) => {
    let before = readVersions(tx);
    for (let attempt = 1; ; attempt += 1) {
      // Both are sent without waiting, and Neo4j runs them in that order.
      const [{ text, isWhole, asOf }, answer] = await Promise.all([before, read(tx, before)]);
      const after = await readVersions(tx);
      const isSame = after.text === text;
      if (isSame || attempt === ATTEMPTS) {
        return { answer, asOf, version: isSame && isWhole ? text : null };
      }
      before = Promise.resolve(after);
    }
  });
