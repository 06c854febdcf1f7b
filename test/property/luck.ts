/** Choices that follow from a seed: the same seed makes the same ones. */
export class Luck {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x9e3779b9) >>> 0;
  }

  /** A number below another one. */
  below(most: number): number {
    // xorshift, which is as random as a test needs.
    this.state ^= (this.state << 13) >>> 0;
    this.state ^= this.state >>> 17;
    this.state ^= (this.state << 5) >>> 0;
    this.state >>>= 0;
    if (this.state === 0) this.state = 0x2545f491;
    return this.state % Math.max(most, 1);
  }

  /** Whether something happens that does so as often as this, from 0 to 1. */
  chance(often: number): boolean {
    return this.below(10_000) < often * 10_000;
  }

  /** One of several. */
  one<A>(among: readonly A[]): A | undefined {
    return among[this.below(among.length)];
  }

  /** Some of several, one at least if there is any. */
  some<A>(among: readonly A[], most: number): readonly A[] {
    const wanted = 1 + this.below(most);
    const left = [...among];
    const found: A[] = [];
    while (found.length < wanted && left.length > 0) {
      found.push(...left.splice(this.below(left.length), 1));
    }
    return found;
  }
}
