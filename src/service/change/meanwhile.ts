import { setImmediate } from 'node:timers/promises';

/**
 * Resolves once what was asked of Neo4j before is on its way: it goes out at the end of the turn of the event loop after which it was written, so
 * that Neo4j is at work while the thread is busy with something else.
 */
export const meanwhile = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};
