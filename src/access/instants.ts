import { at, type Column, type Copying, Growing, type Memory } from './memory';

/**
 * A moment about which a question is: the rank of the last instant by then. Facts know the same
 * instants, so that two numbers show whether a fact holds.
 */
export type Moment = number;

/** Now: everything has begun, and nothing that has an end holds. */
export const NOW: Moment = 0x7fffffff;

/** In place of a moment, for a walk: everything that ever held counts. */
export const EVER: Moment = -2;

/** The number of no instant: a fact that always was, or that has not ended. */
export const NEVER = -1;

/** The rank of an instant that is not ordered yet: it is later than all others. */
const UNRANKED = NOW - 1;

/** How many new instants are inserted one by one. More are ordered with all others. */
const FEW = 16;

/** Instants as plain data. All of them are ordered. */
export interface OpenedInstants {
  readonly nanos: Column<BigInt64Array>;
  readonly ranks: Column<Int32Array>;
  readonly ordered: Column<Int32Array>;
}

/** All instants at which facts began or ended, in nanoseconds. Few pushes bring many facts. */
export class Instants {
  private readonly nanos: Growing<BigInt64Array>;
  private readonly ranks: Growing<Int32Array>;
  /** The numbers of the ordered instants, by their ranks. */
  private readonly ordered: Growing<Int32Array>;
  /** The numbers of those that are not ordered, and of others that somebody looked for. */
  private readonly known = new Map<bigint, number>();

  constructor(memory: Memory, opened?: OpenedInstants) {
    this.nanos = new Growing(memory, BigInt64Array, opened?.nanos);
    this.ranks = new Growing(memory, Int32Array, opened?.ranks);
    this.ordered = new Growing(memory, Int32Array, opened?.ordered);
  }

  /** A copy in other memory. */
  *copy(memory: Memory): Copying<OpenedInstants> {
    this.rank();
    const nanos = yield* this.nanos.copy(memory);
    const ranks = yield* this.ranks.copy(memory);
    const ordered = yield* this.ordered.copy(memory);
    return { nanos, ranks, ordered };
  }

  /** The number of an instant; of `null`, `NEVER`. */
  add(nanos: bigint | null): number {
    if (nanos === null) return NEVER;
    const known = this.find(nanos);
    if (known !== NEVER) return known;
    const number = this.nanos.length;
    this.nanos.push(nanos);
    this.ranks.push(UNRANKED);
    this.known.set(nanos, number);
    return number;
  }

  /** The instant of a number. */
  nanosOf(number: number): bigint | null {
    return number === NEVER ? null : (this.nanos.values[number] as bigint);
  }

  /** The moment of an instant; `null` means now. */
  moment(nanos: bigint | null): Moment {
    if (nanos === null) return NOW;
    this.rank();
    return this.countUntil(nanos) - 1;
  }

  /** Whether something holds at a moment that began and ended at these instants. */
  isWithin(since: number, until: number, moment: Moment): boolean {
    if (moment === NOW) return until === NEVER;
    const ranks = this.ranks.values;
    return (
      (since === NEVER || at(ranks, since) <= moment) &&
      (until === NEVER || at(ranks, until) > moment)
    );
  }

  /** How many of the ordered instants are not later than this one. */
  private countUntil(nanos: bigint): number {
    let [low, high] = [0, this.ordered.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.nanosOfRank(middle) <= nanos) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether something began or ended at an instant. */
  knows(nanos: bigint): boolean {
    return this.find(nanos) !== NEVER;
  }

  /**
   * Marks the instants after one moment and not after another one: 1 at the number of each and one
   * more. The place of `NEVER` is 0.
   */
  between(from: Moment, to: Moment): Uint8Array {
    const marks = new Uint8Array(this.nanos.length + 1);
    for (let number = 0; number < this.nanos.length; number += 1) {
      const rank = at(this.ranks.values, number);
      if (rank > from && rank <= to) marks[number + 1] = 1;
    }
    return marks;
  }

  /** Orders all instants. What they were before changes no answer, but makes moments invalid. */
  private rank(): void {
    const { nanos, ranks, ordered } = this;
    const { length } = nanos;
    if (length - ordered.length > FEW) {
      const sorted = nanos.values.slice(0, length).sort();
      const numbers = Int32Array.from({ length }, (_, rank) => this.find(sorted[rank] as bigint));
      ordered.extend(length - ordered.length);
      ordered.values.set(numbers);
      for (const [rank, number] of numbers.entries()) ranks.values[number] = rank;
    }
    for (let number = ordered.length; number < length; number += 1) this.insert(number);
  }

  /** The number of an instant; `NEVER` if it has none. */
  private find(nanos: bigint): number {
    const known = this.known.get(nanos);
    if (known !== undefined) return known;
    const rank = this.countUntil(nanos) - 1;
    if (rank < 0 || this.nanosOfRank(rank) !== nanos) return NEVER;
    const number = at(this.ordered.values, rank);
    this.known.set(nanos, number);
    return number;
  }

  private nanosOfRank(rank: number): bigint {
    return this.nanos.values[at(this.ordered.values, rank)] as bigint;
  }

  /** Most instants are later than all others, and then no rank changes. */
  private insert(number: number): void {
    const nanos = this.nanos.values[number] as bigint;
    const ranks = this.ranks.values;
    const rank = this.countUntil(nanos);
    const { ordered } = this;
    const last = ordered.extend(1);
    if (rank < last) {
      for (let other = 0; other < number; other += 1) {
        if (at(ranks, other) >= rank) ranks[other] = at(ranks, other) + 1;
      }
    }
    ordered.values.copyWithin(rank + 1, rank, last);
    ordered.values[rank] = number;
    ranks[number] = rank;
  }
}
