import type { Context } from '../../context';
import { type KeyAct, writeEvent } from '../../graph/records/event-record';
import { present } from '../../model/instant';
import type { AppointRequest } from './endpoints';
import { badRequestField, conflict } from './refuse';
import { keySeal } from './rules/chain';
import { accessAt, type NamedPerson, responsibleBy, viewOf } from './stored/people';
import {
  aliasIn,
  appendEntries,
  lockReview,
  readPerson,
  reviewProperties,
  setReview,
} from './stored/store';
import { writeInTurn } from './stored/transactions';
import { events, reviewEvent } from './events';

/** Who is named by each act of the chain. */
const NAMED = { owner: 'name_owner', fallback: 'name_fallback' } as const;
type Part = keyof typeof NAMED;

/**
 * Names another owner or fallback of a draft or an open review. So the review of somebody who left, or
 * was erased, can be opened and closed.
 */
export const appoint = async (
  context: Context,
  id: string,
  { owner = null, fallback = null, reason }: AppointRequest,
  act: KeyAct,
): Promise<void> => {
  const view = viewOf(await accessAt(context, null), null);
  const named = Object.entries({ owner, fallback }).flatMap(
    ([part, key]): readonly (readonly [Part, string, NamedPerson])[] =>
      key === null ? [] : [[part as Part, key, responsibleBy(view, key, `/${part}`)]],
  );
  if (named.length === 0) {
    throw badRequestField('/owner', 'MISSING_FIELD', 'names nobody: name an owner or a fallback');
  }
  await writeInTurn(context, act, async (tx) => {
    let stored = await lockReview(tx, id);
    const { review } = stored;
    if (review.state !== 'draft' && review.state !== 'open') {
      throw conflict(`The review is ${review.state}.`);
    }
    const at = present();
    const changed: Part[] = [];
    for (const [part, key, person] of named) {
      if (review.state === 'draft') {
        if (review[part] === key) continue;
        await setReview(tx, id, reviewProperties({ [part]: key }));
      } else {
        const found = await aliasIn(tx, stored, person);
        const { alias, aliases } = found;
        stored = found.stored;
        const before = stored[`${part}Alias`];
        // The same person by another of their keys: the one before may be gone.
        const isSame = aliases.includes(before);
        if (isSame && review[part] === key) continue;
        const detail = isSame ? before : alias;
        const { salt } = await readPerson(tx, stored, detail);
        const seal = `${part} ${keySeal(salt, key)}`;
        const entry = { act: NAMED[part], item: 0, by: '', batch: 1, shown: '', detail };
        stored = await appendEntries(
          tx,
          { ...stored, unsaid: [...stored.unsaid, seal] },
          [{ ...entry, reason }],
          at,
          act,
        );
        // After the due date the next fallback gets what is pending.
        const hidden = part === 'fallback' && !isSame ? { is_overdue: null } : {};
        await setReview(
          tx,
          id,
          reviewProperties({ [part]: key }, { [`${part}_alias`]: detail, ...hidden }),
        );
      }
      changed.push(part);
    }
    if (changed.length === 0) return;
    await writeEvent(
      tx,
      reviewEvent(
        review,
        { ...act, at: at.utc },
        {
          severity: 'WARNING',
          name: 'Review handed over',
          event_type: events.REVIEW_APPOINTED,
          message: `The review ${JSON.stringify(review.name)} has another ${changed.join(' and ')}.`,
          metadata: { reason, changed, head: stored.review.head },
        },
      ),
    );
  });
};
