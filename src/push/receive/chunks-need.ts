import type { Failure } from '../../problem';
import { inUnits, memoryForHeap } from './memory-plan';
import type { PushSizes } from './push-sizes';

/** The heap that a push may use in its thread, and the heap that the thread holds now. */
export interface PushHeap extends Pick<PushSizes, 'heapBytes' | 'threads'> {
  /** Bytes that the thread holds, with garbage. */
  readonly heldBytes: () => number;
  /** Bytes that the thread needs. The call collects the garbage first. */
  readonly usedBytes: () => number;
}

/**
 * Heap for each row and relationship of a chunked push, in addition to what the thread holds by
 * then (docs/security.md: Bodies, uploads and memory).
 */
export const AN_ELEMENT = 200;
/** Heap for each row and relationship that is on its way to Neo4j. */
const AN_ELEMENT_UNDER_WAY = 2048;

/**
 * Refuses a chunked push that would run out of memory; returns `null` for a push that fits. The
 * service checks this before it writes anything.
 */
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
      `The push changes ${elements} nodes and relationships, which needs up to ${inUnits(needed)} of memory with what exists; ` +
      `a push may take ${inUnits(heapBytes)}. ` +
      `Give the service ${inUnits(memoryForHeap(needed, threads))} (its container's limit, or MEMORY); ` +
      'or push less at once. Nothing was written.',
  };
};
