import { FailedStep } from '../../neo4j/failure';
import { inUnits, memoryForHeap } from './memory-plan';
import { AN_ELEMENT, type PushHeap } from './chunks-need';

/**
 * Heap for the hash of each current row, and for each current row that the push reads completely,
 * if the texts of the row are short (docs/security.md: Bodies, uploads and memory).
 */
const A_HASH = 280;
const A_ROW = 640;
/**
 * The service does not check fewer rows than this, because the check would last longer than to read
 * them.
 */
const FEW = 10_000;

const tooLarge = ({ heapBytes, threads }: PushHeap, rows: number, needed: number): FailedStep =>
  new FailedStep({
    _tag: 'TooLarge',
    message:
      `The push is compared with ${rows} rows of its data source, which needs up to ${inUnits(needed)} of memory; ` +
      `a push may take ${inUnits(heapBytes)}. ` +
      `Give the service ${inUnits(memoryForHeap(needed, threads))} (its container's limit, or MEMORY); ` +
      'or push what changes in increments. Nothing was written.',
  });

/** Refuses a full push if the hashes of all current rows do not fit into the heap. */
export const hashesFit = (heap: PushHeap, rows: number): void => {
  const more = A_HASH * rows;
  if (rows < FEW || heap.heldBytes() + more <= heap.heapBytes) return;
  const needed = heap.usedBytes() + more;
  if (needed > heap.heapBytes) throw tooLarge(heap, rows, needed);
};

/**
 * Refuses a full push that would run out of memory while it reads the rows that it changes or
 * removes. The service checks this before it reads the first row, and again when it knows how large
 * the rows are. Created rows need memory later, when the push writes them.
 *
 * The caller passes the number of rows that it has read so far to the returned function.
 */
export const readingFits = (
  heap: PushHeap,
  rows: number,
  created: number,
): ((read: number) => void) => {
  if (rows < FEW) return () => undefined;
  const { heapBytes } = heap;
  const written = AN_ELEMENT * (rows + created);
  let known: { readonly read: number; readonly used: number } | null = null;
  let next = 0;
  const judge = (read: number): void => {
    if (read < next) return;
    next = read + FEW;
    const left = rows - read;
    // This counts garbage too. Most pushes fit nevertheless, and need no garbage collection.
    if (heap.heldBytes() + A_ROW * left + written <= heapBytes) return;
    const used = heap.usedBytes();
    const each = known === null ? 0 : (used - known.used) / (read - known.read);
    known = { read, used };
    const needed = used + Math.max(A_ROW, each) * left + written;
    if (needed > heapBytes) throw tooLarge(heap, rows, needed);
  };
  judge(0);
  return judge;
};
