import { COUNT_ANEW, DROP_LANES, REMOVE_LANES } from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import { runTransaction } from '../connection/transaction';

/**
 * Version 4: a chunk locks its data source, and no longer a lane. Of a chunked push that an earlier release began,
 * nobody knows any more how much is written.
 */
export const noLanes = async (graph: Graph): Promise<void> => {
  for (const statement of [COUNT_ANEW, REMOVE_LANES, DROP_LANES]) {
    await runTransaction(graph, { mode: 'write' }, (tx) => tx.run(statement));
  }
};
