import { removeSome } from '../../graph/records/remove-some';
import { REMOVE_READ_COMMITS } from '../../graph/statements/data-source-statements';
import type { Graph } from '../../neo4j/driver';
import { runTransaction } from '../../neo4j/transaction';

const REMOVED_AT_ONCE = 1_000;

/** Removes records of commits that every process has read by now (docs/architecture.md: Access in memory). */
export const removeReadCommits = async (graph: Graph, isStopping: () => boolean): Promise<void> => {
  const some = (): Promise<boolean> =>
    runTransaction(graph, { mode: 'write' }, (tx) =>
      removeSome(tx, [REMOVE_READ_COMMITS], {}, REMOVED_AT_ONCE),
    );
  while (!isStopping() && (await some()));
};
