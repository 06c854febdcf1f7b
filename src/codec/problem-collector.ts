import type { Problem, ProblemCode, ProblemList } from '../problem';
import { Hints } from './hints/hints';
import { pointerOf, type Step } from './pointer';

// More than any answer lists, but few enough for the memory when every byte of a payload is wrong.
const MOST_COLLECTED = 10_000;

/** Makes a problem's sentence. It may request names from `hints` that the sender may have meant. */
export type Message = (hints: Hints) => string;

/**
 * Collects the problems of a payload. It stores the first ones, each pointer and code once, and
 * counts the rest (docs/rules.md: Problems). It makes pointers and messages only for those that it
 * stores.
 */
export class ProblemCollector {
  private readonly collected = new Map<string, Problem>();
  private readonly hints = new Hints();
  private dropped = 0;

  constructor(private readonly limit = MOST_COLLECTED) {}

  add(steps: readonly Step[], code: ProblemCode, message: Message): void {
    if (this.collected.size >= this.limit) {
      this.dropped += 1;
      return;
    }
    const pointer = pointerOf(...steps);
    const key = `${code} ${pointer}`;
    if (!this.collected.has(key))
      this.collected.set(key, { pointer, code, message: message(this.hints) });
  }

  /** How many problems there are, stored or only counted. */
  get count(): number {
    return this.collected.size + this.dropped;
  }

  get isEmpty(): boolean {
    return this.collected.size === 0;
  }

  list(): ProblemList {
    return { problems: [...this.collected.values()], total: this.collected.size + this.dropped };
  }
}
