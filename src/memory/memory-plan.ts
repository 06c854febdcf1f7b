/**
 * Sizes of the service that follow from its memory, in bytes (docs/security.md: Bodies, uploads and
 * memory).
 */
export interface MemorySizes {
  /** JavaScript heap of each push thread. */
  readonly threadMemory: number;
  /** The largest request body. */
  readonly bodyBytes: number;
  /** All bodies that the service holds at once. */
  readonly bodiesBytes: number;
  /** The largest payload. */
  readonly jsonBytes: number;
}

/** Sizes that constants fix. The service derives the others from these and from the memory. */
export type SetSizes = { readonly [S in keyof MemorySizes]: number | undefined };

const MIB = 1024 ** 2;

/**
 * The share of the memory that the plan gives out. The C library and V8 hold the rest without using
 * it.
 */
const USED_SHARE = 0.92;
/** Memory of an idle service, with the small pushes and questions that its main thread answers. */
const SERVICE_BYTES = 320 * MIB;
/** Memory of a thread that does nothing yet. */
const THREAD_BYTES = 40 * MIB;
/**
 * While the service stores a part of an upload, it holds the part four times: body, text, bytes and
 * gzip.
 */
const COPIES_OF_PART = 4;
/** V8 gives short-lived objects three such spaces in addition to the heap. */
const YOUNG_SPACES = 3;
const MOST_YOUNG_SPACE = 64 * MIB;
const YOUNG_SHARE = 16;

/**
 * Heap for each byte of the largest payload, if much of the payload is long texts.
 * `needed-heap.ts` checks each payload by itself.
 */
const HEAP_A_BYTE = 24;
/** The length of an envelope for each byte of its payload: the envelope escapes the quotes. */
const ENVELOPE = 1.25;

const LEAST_HEAP = 64 * MIB;
const LEAST_PAYLOAD = MIB;
/** No payload may be larger, whatever the memory is. */
export const MOST_PAYLOAD = 256 * MIB;
const MOST_BODY = 128 * MIB;
const MOST_ROOM = 1024 * MIB;
const ROOM_SHARE = 8;

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(most, Math.floor(value)));

/**
 * Memory for the short-lived objects of a thread, in addition to its heap. A push makes many of
 * them; with this room, garbage collection needs a third less time. The room is a small share of
 * the heap, because objects that live on move into the heap and must fit there.
 */
export const youngBytes = (heap: number): number =>
  YOUNG_SPACES * Math.min(MOST_YOUNG_SPACE, heap / YOUNG_SHARE);

/** Heap of the upload thread: the text of a body, and the text of the part in it. */
export const partHeapBytes = (bodyBytes: number): number => 2 * bodyBytes + LEAST_HEAP;

const sizesOf = (memory: number, heap: number, set: SetSizes): MemorySizes => {
  const threadMemory = set.threadMemory ?? heap;
  const jsonBytes =
    set.jsonBytes ?? between(LEAST_PAYLOAD, threadMemory / HEAP_A_BYTE, MOST_PAYLOAD);
  const bodyBytes = set.bodyBytes ?? between(LEAST_PAYLOAD, jsonBytes * ENVELOPE, MOST_BODY);
  const room = between(0, memory / ROOM_SHARE, MOST_ROOM);
  return {
    threadMemory,
    jsonBytes,
    bodyBytes,
    bodiesBytes: set.bodiesBytes ?? Math.max(room, 2 * bodyBytes),
  };
};

/** The most memory that the service uses with these sizes. */
export const memoryTaken = (
  { threadMemory, bodyBytes, bodiesBytes, jsonBytes }: MemorySizes,
  threads: number,
): number => {
  const thread = THREAD_BYTES + threadMemory + youngBytes(threadMemory) + bodyBytes + jsonBytes;
  const uploads = THREAD_BYTES + COPIES_OF_PART * bodyBytes;
  return Math.ceil((SERVICE_BYTES + bodiesBytes + uploads + threads * thread) / USED_SHARE);
};

/**
 * Gives the largest heap for pushes that fits into the memory, and the sizes that follow from it.
 */
export const memoryPlan = (memory: number, threads: number, set: SetSizes): MemorySizes => {
  let [fits, exceeds] = [LEAST_HEAP, HEAP_A_BYTE * MOST_PAYLOAD + MIB];
  while (exceeds - fits > MIB) {
    const heap = Math.floor((fits + exceeds) / 2 / MIB) * MIB;
    if (memoryTaken(sizesOf(memory, heap, set), threads) <= memory) fits = heap;
    else exceeds = heap;
  }
  return sizesOf(memory, fits, set);
};

/** The least memory that gives each push thread this heap. All other sizes follow from it. */
export const memoryForHeap = (heap: number, threads: number): number => {
  const unset = {
    threadMemory: heap,
    bodyBytes: undefined,
    bodiesBytes: undefined,
    jsonBytes: undefined,
  };
  const plain = memoryTaken(sizesOf(0, heap, unset), threads);
  // The room for bodies grows with the memory.
  return Math.max(plain, Math.ceil(plain / (1 - 1 / ROOM_SHARE / USED_SHARE)));
};

/** The heap that the service needs for a payload of this many bytes. */
export const heapForPayload = (bytes: number): number => bytes * HEAP_A_BYTE;

/** Bytes in the units of the settings, rounded up: `48m`, `3g`. */
export const inUnits = (bytes: number): string => {
  const mebibytes = Math.ceil(bytes / MIB);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}g` : `${mebibytes}m`;
};
