import { type Mark, PRIVILEGED } from '../../../model/access-narrowing';

/** What a chip narrows a list to. */
export interface Narrower {
  readonly words: string;
  readonly permission_type?: string;
  readonly mark?: Mark;
  /** What the interface calls the count of its rows. */
  readonly counted: string;
}

const marking = (words: string, mark: Mark): Narrower => ({ words, mark, counted: mark });

/** What lists of people are narrowed to with one click (docs/rules.md: Marks). */
export const OF_PEOPLE: readonly Narrower[] = [
  { words: 'privileged', counted: 'privileged', permission_type: PRIVILEGED },
  { words: 'write', counted: 'write', permission_type: 'DataWrite' },
  marking('nobody’s', 'without_user'),
  marking('inactive', 'inactive'),
  marking('guests', 'guest'),
  marking('new this week', 'new'),
  marking('not through a group', 'direct'),
  marking('not people', 'not_people'),
];

/** The same of lists of what somebody reaches. */
export const OF_RESOURCES: readonly Narrower[] = OF_PEOPLE.filter(
  ({ mark }) => mark === undefined || mark === 'new',
);

/** What a mark means to people, within a sentence. */
export const markInWords = (mark: string): string =>
  OF_PEOPLE.find((each) => each.mark === mark)?.words ?? mark;
