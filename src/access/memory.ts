/*
 * Columns of numbers, outside of the JavaScript heap.
 */

/** Memory that a graph may use. `reserve` throws `NoMemory` if there is not enough of it. */
export interface Memory {
  readonly reserve: (bytes: number) => void;
  /** Makes an array of bytes. */
  readonly make: (bytes: number) => ArrayBufferLike;
  /** How many bytes are in use. */
  readonly used: () => number;
}

/** A graph needs more memory than it may use. */
export class NoMemory extends Error {
  constructor() {
    super('The access graph needs more memory than it may use.');
  }
}

/**
 * Memory of this many bytes. Several threads can read what is `shared` without a copy. But V8 does not
 * count it: what nobody uses any more stays until V8 collects garbage for another reason. So a copy
 * that soon ends is in memory that one thread has for its `own`.
 */
export const bounded = (most: number, kind: 'shared' | 'own' = 'shared'): Memory => {
  let left = most;
  return {
    make: (bytes) => (kind === 'own' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes)),
    reserve: (bytes) => {
      if (bytes > left) throw new NoMemory();
      left -= bytes;
    },
    used: () => most - left,
  };
};

type Numbers = Int32Array | Uint32Array | Uint8Array | BigInt64Array;

/** The class of a typed array. */
interface NumbersOf<A extends Numbers> {
  new (buffer: ArrayBufferLike): A;
  readonly BYTES_PER_ELEMENT: number;
}

/** A column of zeros. */
export const newColumn = <A extends Numbers>(
  memory: Memory,
  of: NumbersOf<A>,
  length: number,
): A => {
  const bytes = length * of.BYTES_PER_ELEMENT;
  memory.reserve(bytes);
  return new of(memory.make(bytes));
};

/** A copy in steps, between which somebody else may have the thread. */
export type Copying<A> = Generator<undefined, A>;

/** Gives back the memory of a column that nobody reads any more. */
export const release = (memory: Memory, column: Numbers): void =>
  memory.reserve(-column.byteLength);

/** How many numbers one step copies, in some milliseconds. */
const COPIED_AT_ONCE = 2_000_000;

/** Copies the first numbers of a column into another one, in steps. */
export function* copyOf<A extends Numbers>(from: A, to: A, length: number): Copying<void> {
  for (let begin = 0; begin < length; begin += COPIED_AT_ONCE) {
    const end = Math.min(begin + COPIED_AT_ONCE, length);
    (to as Uint8Array).set((from as Uint8Array).subarray(begin, end), begin);
    yield;
  }
}

const FIRST_LENGTH = 256;
const GROWTH = 1.5;
/** A copy has room for some more values, for each that there is. */
const ROOM_OF_COPY = 1.02;

/** A column as plain data, which another thread can open too. */
export interface Column<A extends Numbers> {
  readonly values: A;
  readonly length: number;
}

/** A column that grows as values are appended. */
export class Growing<A extends Numbers> {
  values: A;
  length: number;

  /** It takes over an opened column. */
  constructor(
    private readonly memory: Memory,
    private readonly of: NumbersOf<A>,
    opened?: Column<A>,
  ) {
    this.values = opened?.values ?? newColumn(memory, of, FIRST_LENGTH);
    this.length = opened?.length ?? 0;
  }

  /** A copy in other memory. */
  *copy(memory: Memory): Copying<Column<A>> {
    const { length } = this;
    const values = newColumn(memory, this.of, Math.ceil(length * ROOM_OF_COPY) + FIRST_LENGTH);
    yield* copyOf(this.values, values, length);
    return { values, length };
  }

  /** Makes room for `more` values, and returns the place of the first. */
  extend(more: number): number {
    const first = this.length;
    const needed = first + more;
    const before = this.values;
    if (needed > before.length) {
      const grown = Math.max(needed, Math.ceil(before.length * GROWTH));
      this.values = newColumn(this.memory, this.of, grown);
      (this.values as Uint8Array).set(before as Uint8Array);
      release(this.memory, before);
    }
    this.length = needed;
    return first;
  }

  /** Appends a value. */
  push(value: A[number]): void {
    const place = this.extend(1);
    this.values[place] = value;
  }
}

/** A table as plain data. */
export type Columns<N extends string> = Readonly<Record<N, Column<Int32Array>>>;

/** Rows of 32-bit integers: a column for each name. */
export class Table<N extends string> {
  private readonly columns: Readonly<Record<N, Growing<Int32Array>>>;
  private readonly names: readonly N[];

  constructor(memory: Memory, names: readonly N[], opened?: Columns<N>) {
    this.names = names;
    this.columns = Object.fromEntries(
      names.map((name) => [name, new Growing(memory, Int32Array, opened?.[name])]),
    ) as unknown as Record<N, Growing<Int32Array>>;
  }

  /** A copy in other memory, column by column. */
  *copy(memory: Memory): Copying<Columns<N>> {
    const copied: [N, Column<Int32Array>][] = [];
    for (const name of this.names) copied.push([name, yield* this.columns[name].copy(memory)]);
    return Object.fromEntries(copied) as unknown as Columns<N>;
  }

  /** How many rows there are. */
  get length(): number {
    return this.columns[this.names[0] as N].length;
  }

  /** Appends a row, and returns its place. */
  add(row: Readonly<Record<N, number>>): number {
    const place = this.length;
    for (const name of this.names) this.columns[name].push(row[name]);
    return place;
  }

  /** The numbers of a column. It is another array after a row was appended. */
  column(name: N): Int32Array {
    return this.columns[name].values;
  }

  /** Brings a column into another order: `order` has the places of the rows. */
  reorder(memory: Memory, name: N, order: Int32Array): void {
    const column = this.columns[name];
    const before = column.values;
    const after = newColumn(memory, Int32Array, before.length);
    for (let row = 0; row < order.length; row += 1) after[row] = at(before, at(order, row));
    column.values = after;
    release(memory, before);
  }

  /** Removes all rows. */
  clear(): void {
    for (const name of this.names) this.columns[name].length = 0;
  }
}

/**
 * The number at a place of a column that has this place. It is for one class only: V8 reads arrays of
 * several classes in one function twenty times as slowly.
 */
export const at = (column: Int32Array, place: number): number => column[place] as number;
