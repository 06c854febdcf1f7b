import type { Context } from '../../../context';
import { itemAnswers, readPeople } from '../answers';
import type { Review } from '../records';
import type { Numbers } from '../rules/decide';
import type { ItemState, Mark } from '../rules/words';
import { accessAt, viewOf } from '../stored/people';
import { listItems, readNumbers, readNumbersByMark, readNumbersOf, textIn } from '../stored/store';
import { read } from '../stored/transactions';
import { type OwnItem, withNames } from './own-items';
import { overseen, type Overseer, overseerKeys } from './progress';

/** What the list of all items is narrowed to; `null`: to nothing. */
interface Narrowed {
  readonly state: ItemState | null;
  /** The alias of the reviewer. */
  readonly reviewer: string | null;
  readonly mark: Mark | null;
}

/** An item as those see it who follow a review. Names of the graph are those of now. */
export type ListedItem = Pick<OwnItem, 'answer' | 'holder' | 'held'>;

/** A page of all items of a review. */
export interface AllItems {
  readonly review: Review;
  /** How many items are in each state, of those that reviewer and mark leave. */
  readonly numbers: Numbers;
  /** The same of those that the reviewer leaves, and of these with each mark. */
  readonly ofAnyMark: Numbers;
  readonly byMark: ReadonlyMap<Mark, Numbers>;
  readonly items: readonly ListedItem[];
  /** The number of the last item of the page if others follow; else `null`. */
  readonly next: number | null;
  /** The name of the reviewer to whom the list is narrowed; `null` if nobody knows it. */
  readonly reviewerName: string | null;
}

const some = <A>(value: A | null): readonly A[] => (value === null ? [] : [value]);

/**
 * The items of a review after a number, for its owner, administrators and auditors; for others the review
 * does not exist. An index finds one item more than a page has, and those that it counts.
 */
export const listAllItems = async (
  context: Context,
  id: string,
  who: Overseer,
  {
    state,
    reviewer,
    mark,
    after,
    size,
  }: Narrowed & { readonly after: number; readonly size: number },
): Promise<AllItems> => {
  const keys = await overseerKeys(context, who);
  const view = viewOf(await accessAt(context, null), null);
  return read(context, async (tx) => {
    const { stored } = await overseen(tx, id, who, keys);
    const filter = { states: some(state), reviewers: some(reviewer), marks: some(mark) };
    const found = await listItems(tx, stored, filter, after, size + 1);
    const items = found.slice(0, size);
    const answers = await itemAnswers(tx, stored, items);
    const { reviewers } = filter;
    const ofAnyMark = await (reviewers.length === 0
      ? readNumbers(tx, stored.run)
      : readNumbersOf(tx, stored.run, reviewers));
    const byMark = await readNumbersByMark(tx, stored.run, reviewers);
    const people = await readPeople(tx, stored.run, some(reviewer));
    return {
      review: stored.review,
      numbers: (mark === null ? null : byMark.get(mark)) ?? ofAnyMark,
      ofAnyMark,
      byMark,
      items: answers.flatMap((answer, at) => {
        const item = items[at];
        return item === undefined ? [] : [{ answer, ...withNames(view, item) }];
      }),
      next: found.length > size ? (items.at(-1)?.number ?? null) : null,
      reviewerName: textIn(people.get(reviewer ?? '') ?? {}, 'name') || null,
    };
  });
};
