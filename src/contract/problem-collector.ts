import type { Problem, ProblemCode, ProblemList } from '../problem';
import { pointerOf, type Step } from './pointer';

// Far above what an answer lists, far below what fills the memory when each byte of a payload is wrong.
const KEPT = 10_000;

/**
 * Gathers problems while something walks a payload: keeps the first ones, once per pointer and code, and counts all
 * (graph.md 8). Pointers and messages are made for kept ones only.
 */
export class ProblemCollector {
  private readonly kept = new Map<string, Problem>();
  private dropped = 0;

  constructor(private readonly limit = KEPT) {}

  add(steps: readonly Step[], code: ProblemCode, message: () => string): void {
    if (this.kept.size >= this.limit) {
      this.dropped += 1;
      return;
    }
    const pointer = pointerOf(...steps);
    const key = `${code} ${pointer}`;
    if (!this.kept.has(key)) this.kept.set(key, { pointer, code, message: message() });
  }

  /** How many there are. */
  get count(): number {
    return this.kept.size + this.dropped;
  }

  get isEmpty(): boolean {
    return this.kept.size === 0;
  }

  list(): ProblemList {
    return { problems: [...this.kept.values()], total: this.kept.size + this.dropped };
  }
}
