import { OWN_TYPES } from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import { runTransaction } from '../connection/transaction';

/**
 * Version 3: each data source keeps the types of its own pushes. Until its next full push a data
 * source has all types of its provider. The service reads that push even if its payload is
 * unchanged, because only then it learns which types belong to the data source.
 */
export const ownTypes = (graph: Graph): Promise<void> =>
  runTransaction(graph, { mode: 'write' }, async (tx) => {
    await tx.run(OWN_TYPES);
  });
