import { setImmediate } from 'node:timers/promises';

/**
 * Resolves when the earlier statements are on their way to Neo4j. The driver sends a statement at
 * the end of the turn of the event loop. Neo4j then works while this thread does something else.
 */
export const meanwhile = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};
