/** A stream of choices that a seed decides. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0, below a limit. */
  below(limit: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  happens(chance: number): boolean {
    return this.below(1_000_000) < chance * 1_000_000;
  }

  pick<A>(items: readonly A[]): A {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)] as A;
  }

  /** One of some things, each as likely as its weight. */
  weighted<A>(items: readonly (readonly [number, A])[]): A {
    let at = this.below(items.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, item] of items) {
      at -= weight;
      if (at < 0) return item;
    }
    throw new Error('no weights');
  }
}
