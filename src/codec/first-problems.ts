import type { Problem, ProblemList } from '../problem';

/** As many as an answer lists. A client corrects those, and sends again. */
const MOST_KEPT = 100;

/**
 * Collects the first problems of a text, and counts the rest. It makes a problem only if it
 * collects it, so a text that consists of wrong entries costs little.
 */
export class FirstProblems {
  private readonly listed: Problem[] = [];
  private added = 0;

  add(problem: () => Problem): void {
    this.added += 1;
    if (this.listed.length < MOST_KEPT) this.listed.push(problem());
  }

  /** How many problems there are, collected or only counted. */
  get total(): number {
    return this.added;
  }

  get list(): ProblemList {
    return { problems: this.listed, total: this.added };
  }
}
