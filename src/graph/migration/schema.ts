import type { NodeKind } from '../../model/table';
import { BINDING_LOCK, MEET_LABELS, schemaItems, STANDING_SCHEMA } from '../statements/schema';
import type { Graph } from '../../neo4j/driver';
import { LATEST, runTransaction } from '../../neo4j/transaction';

/** How many constraints and indexes Neo4j makes at once. */
const AT_ONCE = 4;

/**
 * Makes the constraints, the indexes and the derivation lock that are missing, and waits until all
 * indexes are online. Several processes may run it at once, and again: Neo4j may break a deadlock of
 * theirs, and then the transaction runs again.
 */
export const makeSchema = async (graph: Graph, kinds: readonly NodeKind[]): Promise<void> => {
  // Each statement has a transaction of its own, because Neo4j does not mix schema and data in one.
  // To build an index of a large graph lasts a while.
  const run = (statement: string) =>
    runTransaction(graph, { ...LATEST, timeoutSeconds: 0, atMostSeconds: Infinity }, (tx) =>
      tx.run(statement),
    );
  const { records } = await run(STANDING_SCHEMA);
  const existing = new Set(records.map((record) => `${record.get('what')} ${record.get('name')}`));
  const missing = schemaItems(kinds).filter(({ what, name }) => !existing.has(`${what} ${name}`));
  if (missing.length > 0) await run(MEET_LABELS);
  // Most of the time of each goes by in waiting, so on an empty graph this needs a third of the time.
  const queue = missing.map(({ statement }) => statement);
  const makeRest = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeRest));
  await run('CALL db.awaitIndexes()');
  await run(BINDING_LOCK);
};
