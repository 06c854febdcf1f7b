import { counted } from '../../../codec/quote';
import type { Context } from '../../../context';
import { type KeyAct, writeEvent } from '../../../graph/records/event-record';
import { present } from '../../../model/instant';
import { ordersOf } from '../../../scim/policies/contract';
import { type Acting, actingBy, refuseOwn } from '../acts';
import type { Sending, SendRequest } from '../endpoints';
import { conflict } from '../refuse';
import {
  aliasIn,
  appendEntries,
  lockReview,
  readItems,
  readReview,
  setRemediation,
  type StoredItem,
  textIn,
} from '../stored/store';
import { readToAct, writeInTurn } from '../stored/transactions';
import { dropSent } from './answered';
import { foresee, type ForeseenSending, refuseUnsendable } from './foresee';
import { events, reviewEvent } from '../events';

const CHANGED = 'What would be sent has changed: send without a token to see it, and then again.';

/** What was sent with a token before; null if it was not used. */
const sentBefore = (items: readonly StoredItem[], token: string): Sending | null => {
  const sent = items.filter(({ done }) => textIn(done ?? {}, 'sent_token') === token);
  if (sent.length === 0) return null;
  const values = sent.map(({ number, done }) => ({
    item: number,
    goes_out: true,
    what: textIn(done ?? {}, 'sent_to'),
    why: null,
  }));
  return { sent: true, token, values };
};

const answerOf = ({ items, token }: ForeseenSending, sent: boolean): Sending => ({
  sent,
  token,
  values: items.map(({ item, removal, what, why }) => ({
    item: item.number,
    goes_out: removal !== null,
    what,
    why,
  })),
});

/**
 * Says what of some revokes would be sent to applications. With the token of that answer, it plans
 * exactly that as actions, once. An application that removed a member proves nothing: the items stay as
 * they are until an import or a push shows that the fact is gone.
 */
export const send = async (
  context: Context,
  id: string,
  { items: numbers, token = null, on_behalf_of = null }: SendRequest,
  act: KeyAct,
): Promise<Sending> => {
  if (token !== null) {
    const before = await readToAct(context, async (tx) =>
      sentBefore(await readItems(tx, await readReview(tx, id), numbers), token),
    );
    if (before !== null) return before;
  }
  const acting = on_behalf_of === null ? null : await actingBy(context, on_behalf_of);
  const foreseen = await foresee(context, id, numbers, act);
  if (token === null) return answerOf(foreseen, false);
  if (foreseen.token !== token) throw conflict(CHANGED);
  return place(context, id, { foreseen, token, acting }, act);
};

/** Plans what somebody was shown, unless another request has done so first. */
const place = (
  context: Context,
  id: string,
  {
    foreseen,
    token,
    acting,
  }: { readonly foreseen: ForeseenSending; readonly token: string; readonly acting: Acting | null },
  act: KeyAct,
): Promise<Sending> =>
  writeInTurn(context, act, async (tx) => {
    const locked = await lockReview(tx, id);
    const sent = foreseen.items.filter(({ removal }) => removal !== null);
    const items = await readItems(
      tx,
      locked,
      sent.map(({ item }) => item.number),
    );
    const before = sentBefore(items, token);
    if (before !== null) return before;
    refuseUnsendable(locked, items);
    const seen = new Map(sent.map(({ item }) => [item.number, textIn(item.done ?? {}, 'action')]));
    if (items.some(({ number, done }) => textIn(done ?? {}, 'action') !== seen.get(number))) {
      throw conflict(CHANGED);
    }
    const { alias, aliases, stored } =
      acting === null
        ? { alias: '', aliases: [], stored: locked }
        : await aliasIn(tx, locked, acting.person);
    if (acting !== null) refuseOwn(acting, aliases, items);
    const at = present();
    await dropSent(context, tx, items, at);
    const actions = await ordersOf(context).place(
      tx,
      sent.flatMap(({ item: { number, fact }, removal }) =>
        removal === null ? [] : [{ ...removal, review: id, item: number, holder: fact?.[1] ?? '' }],
      ),
      at,
    );
    const rows = sent.map(({ item: { number, digest }, removal }) => ({
      number,
      digest,
      inWords: removal?.inWords ?? '',
      action: actions.get(number) ?? '',
    }));
    const { review } = await appendEntries(
      tx,
      stored,
      rows.map(({ number, digest, inWords, action }) => ({
        act: 'send' as const,
        item: number,
        by: alias,
        batch: rows.length,
        shown: digest,
        detail: action,
        reason: inWords,
      })),
      at,
      act,
    );
    await setRemediation(
      tx,
      id,
      rows.map(({ number, inWords, action }) => ({
        item: number,
        properties: {
          action,
          awaited: action,
          sent_token: token,
          sent_at: at,
          sent_by: alias,
          sent_to: inWords,
          answer: null,
          answered_at: null,
        },
      })),
    );
    await writeEvent(
      tx,
      reviewEvent(
        review,
        { ...act, at: at.utc },
        {
          severity: 'WARNING',
          name: 'Revokes sent',
          event_type: events.REVIEW_REVOKES_SENT,
          message: `${counted(rows.length, 'revoke')} of the review ${JSON.stringify(review.name)} ${rows.length === 1 ? 'is' : 'are'} sent to applications.`,
          metadata: {
            items: rows.map(({ number }) => number),
            by_alias: alias,
            head: review.head,
          },
        },
      ),
    );
    return answerOf(foreseen, true);
  });
