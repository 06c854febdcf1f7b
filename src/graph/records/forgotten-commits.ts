import { FORGET_COMMITS, REMOVE_READ_COMMITS } from '../statements/data-source-statements';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { removeSome } from './remove-some';

const REMOVED_AT_ONCE = 1_000;

/** Removes records of commits that every process has read by now (docs/architecture.md: Access in memory). */
export const removeReadCommits = async (graph: Graph, isStopping: () => boolean): Promise<void> => {
  const some = (): Promise<boolean> =>
    runTransaction(graph, { mode: 'write' }, (tx) =>
      removeSome(tx, [REMOVE_READ_COMMITS], {}, REMOVED_AT_ONCE),
    );
  while (!isStopping() && (await some()));
};

/** How many records of commits one transaction removes. */
const AT_ONCE = 500;

/** Removes some records of commits, and returns whether there may be more. */
export const forgetSomeCommits = (tx: Runner): Promise<boolean> =>
  removeSome(tx, [FORGET_COMMITS], {}, AT_ONCE);

/**
 * Removes all records of commits, in transactions of their own. A process that has not read one of
 * them loads the access graph again (docs/architecture.md: Access in memory).
 */
export const forgetCommits = async (graph: Graph, timeoutSeconds: number): Promise<void> => {
  while (await runTransaction(graph, { mode: 'write', timeoutSeconds }, forgetSomeCommits));
};
