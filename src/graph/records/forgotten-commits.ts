import { FORGET_COMMITS } from '../statements/data-source-statements';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { removeSome } from './remove-some';

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
