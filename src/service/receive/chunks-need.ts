import type { Failure } from '../../problem';
import { inUnits, memoryForHeap } from './memory-plan';
import type { PushSizes } from './push-sizes';

/** What a push may take in the thread that runs it, and what that thread holds now. */
export interface PushHeap extends Pick<PushSizes, 'heapBytes' | 'threads'> {
  /** Garbage included. */
  readonly heldBytes: () => number;
  /** Without garbage, which is collected for it. */
  readonly usedBytes: () => number;
}

/** Heap for each row and relationship of a push while it is applied in chunks, beside what stands by then (docs/security.md: Bodies, uploads and memory). */
export const AN_ELEMENT = 200;
/** Heap for each of those that are on their way to Neo4j. */
const AN_ELEMENT_UNDER_WAY = 2048;

/** The refusal of a push that would run out of memory while it is applied in chunks; `null` for a push that fits. The service asks before it writes anything. */
export const tooLargeForChunks = (
  { usedBytes, heapBytes, threads }: PushHeap,
  elements: number,
  underWay: number,
): Failure | null => {
  const more = AN_ELEMENT * elements + AN_ELEMENT_UNDER_WAY * Math.min(elements, underWay);
  const needed = usedBytes() + more;
  if (needed <= heapBytes) return null;
  return {
    _tag: 'TooLarge',
    message:
      `The push changes ${elements} nodes and relationships, which needs up to ${inUnits(needed)} of memory with what stands; ` +
      `a push may take ${inUnits(heapBytes)}. ` +
      `Give the service ${inUnits(memoryForHeap(needed, threads))} (its container's limit, or MEMORY); ` +
      'or push less at once. Nothing was written.',
  };
};
