import type { Context } from '../../../context';
import type { Review } from '../records';
import { conflict } from '../refuse';
import type { EarlierItem } from '../rules/population';
import type { ItemState } from '../rules/words';
import { listItems, readReview, type StoredItem } from './store';
import { readToAct } from './transactions';

const READ_AT_ONCE = 5_000;
/**
 * Calls `take` for the items of an open or closed review, in the order of their numbers: for all, or
 * for those in some states.
 */
export const eachItem = async (
  context: Context,
  id: string,
  take: (items: readonly StoredItem[]) => Promise<void> | void,
  states: readonly ItemState[] = [],
): Promise<void> => {
  const filter = { states, reviewers: [], marks: [] };
  let after = 0;
  for (;;) {
    const items = await readToAct(context, async (tx) =>
      listItems(tx, await readReview(tx, id), filter, after, READ_AT_ONCE),
    );
    if (items.length === 0) return;
    await take(items);
    after = items.at(-1)?.number ?? after;
  }
};

/** The items of the review before, by their facts; `null` if there is none. */
export const earlierItems = async (
  context: Context,
  { before, carries }: Review,
): Promise<ReadonlyMap<string, EarlierItem> | null> => {
  if (before === null) return null;
  const { review } = await readToAct(context, (tx) => readReview(tx, before));
  if (review.state !== 'closed') throw conflict('The review before is not closed.');
  const found = new Map<string, EarlierItem>();
  await eachItem(context, before, (items) => {
    for (const { fact, state, properties, marks } of items) {
      // What was gone and came back is new: nobody has decided about it.
      if (fact === null || state === 'gone') continue;
      found.set(JSON.stringify(fact), {
        effect: String(properties.effect),
        wasKept: carries && (state === 'keep' || state === 'carried'),
        marks,
      });
    }
  });
  return found;
};
