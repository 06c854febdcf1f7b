/** A random generator with a seed, so every run makes the same payload. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0 and less than 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** `true` with this probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items. */
  pick<A>(items: readonly A[]): A {
    return items[this.below(items.length)] as A;
  }

  /**
   * At most `count` different items. The first items come far more often, like large groups in
   * companies.
   */
  some<A>(items: readonly A[], count: number): A[] {
    const picked = new Set<A>();
    const wanted = Math.min(count, items.length);
    while (picked.size < wanted) {
      picked.add(items[Math.floor(items.length * this.next() ** 2)] as A);
    }
    return [...picked];
  }

  /** The items in random order. */
  shuffled<A>(items: readonly A[]): A[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] as A, shuffled[last] as A];
    }
    return shuffled;
  }
}
