import * as E from 'fp-ts/Either';

import { endOfString } from '../../contract/repeated-keys';
import { FailedStep } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import { inUnits, memoryForHeap } from '../../memory/memory-plan';
import type { PushSizes } from './push-sizes';

type HeapOfPush = Pick<PushSizes, 'heapBytes' | 'threads'>;

/** The heap that a push may use in its thread, and the heap that the thread holds now. */
export interface PushHeap extends HeapOfPush {
  /** Bytes that the thread holds, with garbage. */
  readonly heldBytes: () => number;
  /** Bytes that the thread needs. The call collects the garbage first. */
  readonly usedBytes: () => number;
}

/**
 * Bytes of heap that a push needs for each byte of its text, each string, each object or list, and
 * each comma. No measured payload needed more (docs/security.md: Bodies, uploads and memory).
 */
const A_BYTE = 6;
const A_STRING = 360;
const A_COLLECTION = 48;
const A_COMMA = 16;
/**
 * Bytes for the hash of each current row, and for each current row that the push reads completely,
 * if the texts of the row are short.
 */
const A_HASH = 280;
const A_ROW = 640;
/** The service does not check fewer rows than this: the check would last longer than to read them. */
const FEW_ROWS = 10_000;
/** Bytes for each row and relationship of a chunked push, in addition to what the thread holds. */
export const AN_ELEMENT = 200;
/** Bytes for each row and relationship that is on its way to Neo4j. */
const AN_ELEMENT_UNDER_WAY = 2048;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;
const CELL_ENDS = new Set([...',\n'].map((character) => character.charCodeAt(0)));

/** The refusal of what needs more heap than a push may use. It begins with what needs how much. */
const tooLarge = (
  begin: string,
  needed: number,
  { heapBytes, threads }: HeapOfPush,
  end: string,
): Failure => ({
  _tag: 'TooLarge',
  message:
    `${begin}; a push may take ${inUnits(heapBytes)}. ` +
    `Give the service ${inUnits(memoryForHeap(needed, threads))} (its container's limit, or MEMORY); ${end}`,
});

const fitting = (text: string, needed: number, sizes: HeapOfPush): E.Either<Failure, string> => {
  if (needed <= sizes.heapBytes) return E.right(text);
  const begin = `The payload needs up to ${inUnits(needed)} of memory`;
  return E.left(tooLarge(begin, needed, sizes, 'or push less at once.'));
};

/**
 * The most heap that a push of this payload needs. It is counted from the text, before the service
 * parses it.
 */
export const heapNeeded = (json: string): number => {
  let [strings, collections, commas] = [0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) {
      strings += 1;
      at = endOfString(json, at);
    } else if (character === COMMA) commas += 1;
    else if (character === LIST || character === OBJECT) collections += 1;
  }
  return A_BYTE * json.length + A_STRING * strings + A_COLLECTION * collections + A_COMMA * commas;
};

/** Refuses a payload that needs more heap than a push may use, before the service parses it. */
export const withinHeap = (json: string, sizes: HeapOfPush): E.Either<Failure, string> =>
  fitting(json, heapNeeded(json), sizes);

/**
 * Refuses a CSV file whose cells need more heap than a push may use, before the service parses it.
 */
export const csvWithinHeap = (csv: string, sizes: HeapOfPush): E.Either<Failure, string> => {
  let cells = 1;
  for (let at = 0; at < csv.length; at += 1) if (CELL_ENDS.has(csv.charCodeAt(at))) cells += 1;
  return fitting(csv, A_BYTE * csv.length + A_STRING * cells, sizes);
};

const tooManyRows = (heap: PushHeap, rows: number, needed: number): FailedStep => {
  const begin = `The push is compared with ${rows} rows of its data source, which needs up to ${inUnits(needed)} of memory`;
  const end = 'or push what changes in increments. Nothing was written.';
  return new FailedStep(tooLarge(begin, needed, heap, end));
};

/** Refuses a full push if the hashes of all current rows do not fit into the heap. */
export const hashesFit = (heap: PushHeap, rows: number): void => {
  const more = A_HASH * rows;
  if (rows < FEW_ROWS || heap.heldBytes() + more <= heap.heapBytes) return;
  const needed = heap.usedBytes() + more;
  if (needed > heap.heapBytes) throw tooManyRows(heap, rows, needed);
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
  if (rows < FEW_ROWS) return () => undefined;
  const { heapBytes } = heap;
  const written = AN_ELEMENT * (rows + created);
  let known: { readonly read: number; readonly used: number } | null = null;
  let next = 0;
  const judge = (read: number): void => {
    if (read < next) return;
    next = read + FEW_ROWS;
    const left = rows - read;
    // This counts garbage too. Most pushes fit nevertheless, and need no garbage collection.
    if (heap.heldBytes() + A_ROW * left + written <= heapBytes) return;
    const used = heap.usedBytes();
    const each = known === null ? 0 : (used - known.used) / (read - known.read);
    known = { read, used };
    const needed = used + Math.max(A_ROW, each) * left + written;
    if (needed > heapBytes) throw tooManyRows(heap, rows, needed);
  };
  judge(0);
  return judge;
};

/**
 * Refuses a chunked push that would run out of memory; returns `null` for a push that fits. The
 * service checks this before it writes anything.
 */
export const tooLargeForChunks = (
  heap: PushHeap,
  elements: number,
  underWay: number,
): Failure | null => {
  const more = AN_ELEMENT * elements + AN_ELEMENT_UNDER_WAY * Math.min(elements, underWay);
  const needed = heap.usedBytes() + more;
  if (needed <= heap.heapBytes) return null;
  const begin = `The push changes ${elements} nodes and relationships, which needs up to ${inUnits(needed)} of memory with what exists`;
  return tooLarge(begin, needed, heap, 'or push less at once. Nothing was written.');
};
