import { OWN_TYPES } from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import { runTransaction } from '../connection/transaction';

/**
 * Version 3: each data source keeps the types of its own pushes. Until its next whole push it has those of its provider, and that push is read
 * even if it is the one before, since definitions and types of older ones go with it.
 */
export const ownTypes = (graph: Graph): Promise<void> =>
  runTransaction(graph, { mode: 'write' }, async (tx) => {
    await tx.run(OWN_TYPES);
  });
