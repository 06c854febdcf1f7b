import type { Problem, ProblemCode, ProblemList } from '../problem';
import { Hints } from './hints';
import { pointerOf, type Step } from './pointer';

// Far above what an answer lists, far below what fills the memory when each byte of a payload is wrong.
const KEPT = 10_000;

/** Says what is wrong; `hints` guess what was meant. */
export type Message = (hints: Hints) => string;

/**
 * Gathers problems while something walks a payload: keeps the first ones, once per pointer and code, and counts all
 * (docs/rules.md: Problems). Pointers and messages are made for kept ones only.
 */
export class ProblemCollector {
  private readonly kept = new Map<string, Problem>();
  private readonly hints = new Hints();
  private dropped = 0;

  constructor(private readonly limit = KEPT) {}

  add(steps: readonly Step[], code: ProblemCode, message: Message): void {
    if (this.kept.size >= this.limit) {
      this.dropped += 1;
      return;
    }
    const pointer = pointerOf(...steps);
    const key = `${code} ${pointer}`;
    if (!this.kept.has(key)) this.kept.set(key, { pointer, code, message: message(this.hints) });
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
