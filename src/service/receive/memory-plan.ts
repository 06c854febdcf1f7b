/** Sizes of the service that follow from the memory at hand, in bytes (docs/security.md: Bodies, uploads and memory). */
export interface MemorySizes {
  /** JavaScript heap of each push thread. */
  readonly threadMemory: number;
  /** The largest request body. */
  readonly bodyBytes: number;
  /** All bodies that are held at once. */
  readonly bodiesBytes: number;
  /** The largest payload. */
  readonly jsonBytes: number;
}

/** The sizes that settings tell; an unset one follows from the others and the memory. */
export type SetSizes = { readonly [S in keyof MemorySizes]: number | undefined };

const MIB = 1024 ** 2;

/** A share is left for what the C library and V8 hold without using it. */
const USED_SHARE = 0.92;
/** An idle service, and small pushes and questions in the thread that answers. */
const SERVICE_BYTES = 320 * MIB;
/** A thread that does nothing yet. */
const THREAD_BYTES = 40 * MIB;
/** A part of an upload is its body, its text, its bytes and their gzip for a moment. */
const COPIES_OF_PART = 4;
/** What lives for a moment takes three such spaces beside the heap. */
const YOUNG_SPACES = 3;
const MOST_YOUNG_SPACE = 64 * MIB;
const YOUNG_SHARE = 16;

/** Heap for each byte of the largest payload, if much of that is long texts; `payload-need.ts` judges each payload by itself. */
const HEAP_A_BYTE = 24;
/** An envelope around a payload, its quotes escaped. */
const ENVELOPE = 1.25;

const LEAST_HEAP = 64 * MIB;
const LEAST_PAYLOAD = MIB;
/** No payload may be larger, however much memory there is. */
export const MOST_PAYLOAD = 256 * MIB;
const MOST_BODY = 128 * MIB;
const MOST_ROOM = 1024 * MIB;
const ROOM_SHARE = 8;

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(most, Math.floor(value)));

/**
 * What a thread's objects that live for a moment may take beside its heap. A push makes many of them, and with this room
 * a third less time goes into collecting them. It is a small share of the heap: what lives on moves there, and must fit.
 */
export const youngBytes = (heap: number): number =>
  YOUNG_SPACES * Math.min(MOST_YOUNG_SPACE, heap / YOUNG_SHARE);

/** Heap of the thread for parts: the text of a body, and of the part in it. */
export const partHeapBytes = (bodyBytes: number): number => 2 * bodyBytes + LEAST_HEAP;

const sizesOf = (memory: number, heap: number, set: SetSizes): MemorySizes => {
  const threadMemory = set.threadMemory ?? heap;
  const jsonBytes =
    set.jsonBytes ?? between(LEAST_PAYLOAD, threadMemory / HEAP_A_BYTE, MOST_PAYLOAD);
  const derivedBody = between(LEAST_PAYLOAD, jsonBytes * ENVELOPE, MOST_BODY);
  const bodyBytes = set.bodyBytes ?? Math.min(derivedBody, set.bodiesBytes ?? derivedBody);
  const room = between(0, memory / ROOM_SHARE, MOST_ROOM);
  return {
    threadMemory,
    jsonBytes,
    bodyBytes,
    bodiesBytes: set.bodiesBytes ?? Math.max(room, 2 * bodyBytes),
  };
};

/** The memory that a service of some sizes takes at most. */
export const memoryTaken = (
  { threadMemory, bodyBytes, bodiesBytes, jsonBytes }: MemorySizes,
  threads: number,
): number => {
  const thread = THREAD_BYTES + threadMemory + youngBytes(threadMemory) + bodyBytes + jsonBytes;
  const uploads = THREAD_BYTES + COPIES_OF_PART * bodyBytes;
  return Math.ceil((SERVICE_BYTES + bodiesBytes + uploads + threads * thread) / USED_SHARE);
};

/** The sizes with the largest heap for pushes that fits into the memory; what is set stays as it is. */
export const memoryPlan = (memory: number, threads: number, set: SetSizes): MemorySizes => {
  let [fits, exceeds] = [LEAST_HEAP, HEAP_A_BYTE * MOST_PAYLOAD + MIB];
  while (exceeds - fits > MIB) {
    const heap = Math.floor((fits + exceeds) / 2 / MIB) * MIB;
    if (memoryTaken(sizesOf(memory, heap, set), threads) <= memory) fits = heap;
    else exceeds = heap;
  }
  return sizesOf(memory, fits, set);
};

/** The least memory with which a push thread has so much heap, and all else follows. */
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

/** The heap with which a payload of so many bytes is taken. */
export const heapForPayload = (bytes: number): number => bytes * HEAP_A_BYTE;

/** Bytes as people set them, rounded up: `48m`, `3g`. */
export const inUnits = (bytes: number): string => {
  const mebibytes = Math.ceil(bytes / MIB);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}g` : `${mebibytes}m`;
};
