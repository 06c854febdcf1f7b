import type { Problem, ProblemList } from '../problem';

/** As many as an answer lists. Whoever reads them mends those, and sends again. */
const MOST_KEPT = 100;

/**
 * Keeps the first problems of a text, and counts the rest. It makes a problem only where it keeps
 * it, so a text of wrong entries alone costs little.
 */
export class KeptProblems {
  private readonly kept: Problem[] = [];
  private added = 0;

  add(problem: () => Problem): void {
    this.added += 1;
    if (this.kept.length < MOST_KEPT) this.kept.push(problem());
  }

  /** How many there are, kept or only counted. */
  get total(): number {
    return this.added;
  }

  get list(): ProblemList {
    return { problems: this.kept, total: this.added };
  }
}
