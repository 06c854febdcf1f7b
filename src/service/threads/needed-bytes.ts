import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that this thread holds, garbage included. */
export const heldBytes = (): number => getHeapStatistics().used_heap_size;

/**
 * Bytes of JavaScript objects that this thread needs now. Collects its garbage, which takes some
 * tenths of a second where it holds much.
 */
export const neededBytes = (): number => {
  collectGarbage();
  return heldBytes();
};
