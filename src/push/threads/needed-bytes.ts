import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that this thread holds, with garbage. */
export const heldBytes = (): number => getHeapStatistics().used_heap_size;

/**
 * Bytes of JavaScript objects that this thread needs now. Collects the garbage first, which may
 * last some tenths of a second.
 */
export const neededBytes = (): number => {
  collectGarbage();
  return heldBytes();
};
