import { ask } from '../../neo4j/ask';
import type { Graph } from '../../neo4j/driver';

const LIMIT = `SHOW SETTINGS YIELD name, value WHERE name = 'db.memory.transaction.max' RETURN value`;

/**
 * Whether Neo4j limits the memory of a transaction; `null` if it does not say. Without a limit, one
 * query can use up the memory of all.
 */
export const limitsMemory = async (graph: Graph): Promise<boolean | null> => {
  try {
    const [setting] = await ask(graph, LIMIT);
    return setting === undefined ? null : !/^0(?:B|\.00B)?$/i.test(String(setting.value));
  } catch {
    // A user without rights of administration may not run this.
    return null;
  }
};
