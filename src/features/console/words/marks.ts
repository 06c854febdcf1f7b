import { CHIPS_OF_TYPES, type Mark, MARKS_OF_REACHED } from '../../../model/access-narrowing';

/** What a chip narrows a list to: a canonical type, or a mark. */
export interface Narrower {
  readonly words: string;
  readonly type?: string;
  readonly mark?: Mark;
  /** What the interface calls the count of its rows. */
  readonly counted: string;
}

/** What a mark is called: of all rows of a list that have it, and of one of them. */
interface MarkWords {
  readonly all: string;
  readonly one: string;
  /** What a reader must know if no row has it. */
  readonly hint?: string;
}

const alike = (words: string): MarkWords => ({ all: words, one: words });

/** What each mark is called, in the order of the chips. */
const MARK_WORDS: Readonly<Record<Mark, MarkWords>> = {
  without_user: alike('nobody’s'),
  inactive: alike('inactive'),
  guest: { all: 'guests', one: 'guest' },
  not_employees: {
    all: 'not employees',
    one: 'not an employee',
    hint: 'Only an HR system says who is an employee. Without one, nobody is listed here.',
  },
  new: alike('new this week'),
  direct: alike('not through a group'),
  not_people: { all: 'not people', one: 'not a person' },
};

const byMark: ReadonlyMap<string, MarkWords> = new Map(Object.entries(MARK_WORDS));

const wordsOf = (mark: string): MarkWords => byMark.get(mark) ?? alike(mark);

/** What lists of people are narrowed to with one click (docs/rules.md: Marks). */
export const OF_PEOPLE: readonly Narrower[] = [
  ...Object.entries(CHIPS_OF_TYPES).map(([words, type]) => ({ words, type, counted: words })),
  ...(Object.keys(MARK_WORDS) as readonly Mark[]).map((mark) => ({
    words: MARK_WORDS[mark].all,
    mark,
    counted: mark,
  })),
];

/** By what lists of what somebody reaches can be narrowed. */
export const OF_RESOURCES: readonly Narrower[] = OF_PEOPLE.filter(
  ({ mark }) => mark === undefined || MARKS_OF_REACHED.includes(mark),
);

/** What the rows with a mark are called, within a sentence. */
export const markInWords = (mark: string): string => wordsOf(mark).all;

/** What a reader must know if no row has a mark; `undefined`: nothing. */
export const hintOfMark = (mark: string): string | undefined => wordsOf(mark).hint;

/** What a mark says of its row. */
export const markOfRow = (mark: string): string => wordsOf(mark).one;
