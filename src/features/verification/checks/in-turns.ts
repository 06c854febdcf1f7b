import { setImmediate } from 'node:timers/promises';

/** How long one turn holds the thread, about. */
const TURN_MS = 20;

/** Makes something of each of many items, and gives the thread to others in between. */
export const inTurns = async <A, B>(
  items: readonly A[],
  make: (item: A) => B,
): Promise<readonly B[]> => {
  const made: B[] = [];
  let begun = performance.now();
  for (const item of items) {
    made.push(make(item));
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return made;
};
