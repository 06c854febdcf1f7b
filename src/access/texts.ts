import {
  at,
  type Column,
  copyOf,
  type Copying,
  Growing,
  type Memory,
  release,
  newColumn,
} from './memory';

// Tests run where each look at a global costs as much as a hundred steps.
const { imul } = Math;

/** The number of no text. */
export const NO_TEXT = -1;

const NOTHING = Buffer.alloc(0);

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const LONGEST_OF_CHARACTER = 3;
const FIRST_SLOTS = 1024;

/** Texts as plain data. */
export interface OpenedTexts {
  readonly bytes: Column<Uint8Array>;
  readonly starts: Column<Uint32Array>;
  readonly hashes: Column<Int32Array>;
  readonly slots: Int32Array;
}

/** Texts in shared memory, each once and by a number. */
export class Texts {
  private readonly bytes: Growing<Uint8Array>;
  /** Where each text begins; the next one begins where it ends. */
  private readonly starts: Growing<Uint32Array>;
  /** The hash of each text, so that a wider table needs no look at the bytes. */
  private readonly hashes: Growing<Int32Array>;
  /** A hash table: the number of a text and one more, or 0. */
  private slots: Int32Array;
  /** The text that somebody looks for. */
  private scratch = new Uint8Array(1024);
  private scratchText = Buffer.from(this.scratch.buffer);
  private view: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  constructor(
    private readonly memory: Memory,
    opened?: OpenedTexts,
  ) {
    this.bytes = new Growing(memory, Uint8Array, opened?.bytes);
    this.starts = new Growing(memory, Uint32Array, opened?.starts);
    if (opened === undefined) this.starts.push(0);
    this.hashes = new Growing(memory, Int32Array, opened?.hashes);
    this.slots = opened?.slots ?? newColumn(memory, Int32Array, FIRST_SLOTS);
  }

  /** A copy in other memory. */
  *copy(memory: Memory): Copying<OpenedTexts> {
    const bytes = yield* this.bytes.copy(memory);
    const starts = yield* this.starts.copy(memory);
    const hashes = yield* this.hashes.copy(memory);
    const slots = newColumn(memory, Int32Array, this.slots.length);
    yield* copyOf(this.slots, slots, slots.length);
    return { bytes, starts, hashes, slots };
  }

  /** How many texts there are. */
  get count(): number {
    return this.starts.length - 1;
  }

  /** The number of a text, which it has from now on. */
  add(text: string): number {
    const size = this.write(text);
    const hash = hashOf(this.scratch, size);
    const slot = this.slotOf(size, hash);
    const known = at(this.slots, slot);
    if (known > 0) return known - 1;
    const begin = this.bytes.extend(size);
    this.bytes.values.set(this.scratch.subarray(0, size), begin);
    this.starts.push(begin + size);
    this.hashes.push(hash);
    const number = this.count - 1;
    this.slots[slot] = number + 1;
    if (this.count * 2 > this.slots.length) this.widen();
    return number;
  }

  /** The number of a text; `NO_TEXT` if it has none. */
  find(text: string): number {
    const size = this.write(text);
    return at(this.slots, this.slotOf(size, hashOf(this.scratch, size))) - 1;
  }

  /** The text of a number. */
  text(number: number): string {
    const { values: starts } = this.starts;
    return this.buffer().toString('utf8', startAt(starts, number), startAt(starts, number + 1));
  }

  /** The text of a number, or another one if there is none. */
  textOr(number: number, other: string): string {
    return number === NO_TEXT ? other : this.text(number);
  }

  /** Compares two texts by their bytes, as Neo4j does. `NO_TEXT` is an empty text. */
  compare(a: number, b: number): number {
    if (a === b) return 0;
    const starts = this.starts.values;
    const bytes = this.bytes.values;
    const beginA = a === NO_TEXT ? 0 : startAt(starts, a);
    const beginB = b === NO_TEXT ? 0 : startAt(starts, b);
    const lengthA = a === NO_TEXT ? 0 : startAt(starts, a + 1) - beginA;
    const lengthB = b === NO_TEXT ? 0 : startAt(starts, b + 1) - beginB;
    const least = Math.min(lengthA, lengthB);
    // A loop is quicker than a call for texts that differ soon, as most do.
    for (let place = 0; place < least; place += 1) {
      const difference = byteAt(bytes, beginA + place) - byteAt(bytes, beginB + place);
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }

  /** Compares texts with one that need not have a number. */
  comparedWith(text: string): (number: number) => number {
    const known = this.find(text);
    if (known !== NO_TEXT) return (number) => this.compare(number, known);
    const bytes = Buffer.from(text);
    return (number) => Buffer.compare(number === NO_TEXT ? NOTHING : this.bufferOf(number), bytes);
  }

  /** Compares a text with another one that need not have a number. */
  compareWith(number: number, text: string): number {
    return Buffer.compare(this.bufferOf(number), Buffer.from(text));
  }

  private bufferOf(number: number): Buffer {
    const { values: starts } = this.starts;
    return this.buffer().subarray(startAt(starts, number), startAt(starts, number + 1));
  }

  /** All texts, one behind the other. */
  private buffer(): Buffer {
    const { buffer } = this.bytes.values;
    if (this.view.buffer !== (buffer as unknown)) this.view = Buffer.from(buffer);
    return this.view;
  }

  private write(text: string): number {
    const most = text.length * LONGEST_OF_CHARACTER;
    if (most > this.scratch.length) {
      this.scratch = new Uint8Array(most * 2);
      this.scratchText = Buffer.from(this.scratch.buffer);
    }
    return this.scratchText.write(text, 'utf8');
  }

  /** The slot of the text in `scratch`, or the free one where it belongs. */
  private slotOf(size: number, hash: number): number {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const known = at(this.slots, slot);
      if (known === 0) return slot;
      if (at(this.hashes.values, known - 1) === hash && this.isAt(known - 1, size)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private isAt(number: number, size: number): boolean {
    const begin = startAt(this.starts.values, number);
    if (startAt(this.starts.values, number + 1) - begin !== size) return false;
    const { values } = this.bytes;
    for (let place = 0; place < size; place += 1) {
      if (values[begin + place] !== this.scratch[place]) return false;
    }
    return true;
  }

  private widen(): void {
    const before = this.slots;
    this.slots = newColumn(this.memory, Int32Array, before.length * 2);
    release(this.memory, before);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.count; number += 1) {
      let slot = at(this.hashes.values, number) & mask;
      while (at(this.slots, slot) !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}

const startAt = (starts: Uint32Array, number: number): number => starts[number] as number;
const byteAt = (bytes: Uint8Array, place: number): number => bytes[place] as number;

const hashOf = (bytes: Uint8Array, size: number): number => {
  let hash = FNV_OFFSET;
  for (let place = 0; place < size; place += 1) {
    hash = imul(hash ^ byteAt(bytes, place), FNV_PRIME);
  }
  // The low bits choose the slot, so the high ones must count there.
  return (hash ^ (hash >>> 15)) | 0;
};
