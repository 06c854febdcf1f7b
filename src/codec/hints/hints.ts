import { editsBetween, editsWithin, LONGEST_COMPARED } from './nearness';
import { quote } from '../quote';

const LISTED = 3;

// Hints are made in the thread that answers requests. These limits hold them to some 20 ms for one
// payload.
const MOST_WORK = 400_000;
const MOST_NAMES = 20;
const COST_OF_COMPARING = 20;

interface Near {
  readonly name: string;
  readonly edits: number;
}

/**
 * The nearest names found so far, the closest first. It collects names that are at most one edit
 * worse than the best.
 */
class Nearest {
  private near: readonly Near[] = [];

  constructor(private readonly most: number) {}

  /** How many edits away the next name may be to be collected. */
  get within(): number {
    const least = this.near[0]?.edits ?? Infinity;
    const last = this.near[this.most - 1]?.edits ?? Infinity;
    return Math.min(least + 1, last - 1);
  }

  enter(name: string, edits: number): void {
    if (edits > this.within || this.near.some((other) => other.name === name)) return;
    const all = [...this.near, { name, edits }].sort((a, b) => a.edits - b.edits);
    const least = all[0]?.edits ?? 0;
    this.near = all.filter((one) => one.edits <= least + 1).slice(0, this.most);
  }

  get names(): readonly string[] {
    return this.near.map(({ name }) => name);
  }
}

/**
 * Suggests known names in place of a name that nothing has (docs/rules.md: Problems). The work for
 * one payload is limited.
 */
export class Hints {
  private left: number;
  private names = 0;

  constructor(work = MOST_WORK) {
    this.left = work;
  }

  /** Whether it suggests no more names, so that a caller need not look for known names. */
  get isSpent(): boolean {
    return this.left <= 0 || this.names >= MOST_NAMES;
  }

  /**
   * Returns `; did you mean "users"?` with the closest names first, or `''` if no name is close.
   */
  didYouMean(name: string, known: Iterable<string>, most = LISTED): string {
    const near = this.nearest(name, known, most);
    return near.length === 0 ? '' : `; did you mean ${near.map(quote).join(' or ')}?`;
  }

  /** Returns the closest names, the closest first; none if no name is close. */
  nearest(name: string, known: Iterable<string>, most = LISTED): readonly string[] {
    if (this.isSpent) return [];
    this.names += 1;
    if (name.length > LONGEST_COMPARED) return [];
    const lower = name.toLowerCase();
    const nearest = new Nearest(most);
    for (const candidate of known) {
      if (this.left <= 0) break;
      this.left -= 1;
      const within = Math.min(editsWithin(name, candidate), nearest.within);
      if (candidate.length > LONGEST_COMPARED) continue;
      if (Math.abs(candidate.length - name.length) > within) continue;
      this.left -= COST_OF_COMPARING;
      const edits = editsBetween(lower, candidate.toLowerCase());
      if (edits <= within) nearest.enter(candidate, edits);
    }
    return nearest.names;
  }
}
