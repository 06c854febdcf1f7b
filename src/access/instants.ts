import { at, Growing, type Memory, release, sharedColumn } from './memory';

/**
 * A moment about which a question is: the rank of the last instant by then. Facts know the same
 * instants, so that two numbers show whether a fact holds.
 */
export type Moment = number;

/** Now: everything has begun, and nothing that has an end holds. */
export const NOW: Moment = 0x7fffffff;

/** The number of no instant: a fact that always was, or that has not ended. */
export const NEVER = -1;

/** All instants at which facts began or ended, in nanoseconds. Few pushes bring many facts. */
export class Instants {
  private readonly nanos: Growing<BigInt64Array>;
  private readonly known = new Map<bigint, number>();
  private ranks: Int32Array;
  private sorted: readonly bigint[] = [];

  constructor(private readonly memory: Memory) {
    this.nanos = new Growing(memory, BigInt64Array);
    this.ranks = sharedColumn(memory, Int32Array, 0);
  }

  /** The number of an instant; of `null`, `NEVER`. */
  add(nanos: bigint | null): number {
    if (nanos === null) return NEVER;
    const known = this.known.get(nanos);
    if (known !== undefined) return known;
    const number = this.nanos.length;
    this.nanos.push(nanos);
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
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted[middle] as bigint) <= nanos) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Whether something holds at a moment that began and ended at these instants. */
  isWithin(since: number, until: number, moment: Moment): boolean {
    if (moment === NOW) return until === NEVER;
    return (
      (since === NEVER || at(this.ranks, since) <= moment) &&
      (until === NEVER || at(this.ranks, until) > moment)
    );
  }

  /** Orders all instants. What they were before changes no answer, but makes moments invalid. */
  private rank(): void {
    const { length } = this.nanos;
    if (this.sorted.length === length) return;
    const numbers = Array.from({ length }, (_, number) => number);
    const nanosOf = (number: number): bigint => this.nanos.values[number] as bigint;
    numbers.sort((a, b) => (nanosOf(a) < nanosOf(b) ? -1 : 1));
    release(this.memory, this.ranks);
    this.ranks = sharedColumn(this.memory, Int32Array, length);
    for (const [rank, number] of numbers.entries()) this.ranks[number] = rank;
    this.sorted = numbers.map(nanosOf);
  }
}
