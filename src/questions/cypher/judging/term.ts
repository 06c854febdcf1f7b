import { spend } from './effort';
import { TooMuch } from './refusal';
import { linksOf, type Size } from './size';

/** The sizes of the variables. */
export type Scope = ReadonlyMap<string, Size>;

/** The most characters of a text that a query may make. */
const MOST_TEXT = 2_000_000;
/** The most lists that a query may link into one. */
const MOST_LINKS = 1_000_000;
/** A size that is larger than any other: it shows how a reduction grows. */
export const VAST = 2 ** 40;

/** Counts the steps that a row may need, and the steps of checking. */
export class Meter {
  steps = 0;

  constructor(readonly given: (parameter: string) => Size) {}

  /** A meter for something that is repeated. */
  inner(): Meter {
    return new Meter(this.given);
  }

  /** Looks at a value that an expression makes on its way. */
  made(size: Size): Size {
    const isText = size.kind === 'other' || size.kind === 'any';
    if (isText && size.weight > MOST_TEXT && size.weight < VAST) {
      throw new TooMuch(
        `may make a text of more than ${MOST_TEXT} characters; join a part of a list (list[..100]), or give the parts as rows`,
      );
    }
    if (linksOf(size) > MOST_LINKS && size.kind !== 'other') {
      throw new TooMuch(
        `may add up a list of more than ${MOST_LINKS} others; collect rows: COLLECT { UNWIND … RETURN … }`,
      );
    }
    return size;
  }

  /** Counts the steps of Neo4j when another value holds these: it walks linked lists. */
  holds(sizes: readonly Size[]): void {
    for (const size of sizes) this.add(linksOf(size) === 1 ? 0 : linksOf(size) / 25);
  }

  add(steps: number): void {
    this.steps += steps;
    spend(1);
  }
}

/** An expression of a query. It can be checked when the sizes of its variables are known. */
export interface Term {
  /** How deep it nests. */
  readonly depth: number;
  readonly size: (scope: Scope, meter: Meter) => Size;
}
