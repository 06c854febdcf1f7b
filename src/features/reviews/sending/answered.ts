import type { Context } from '../../../context';
import { type Instant, present } from '../../../model/instant';
import type { Runner } from '../../../neo4j/transaction';
import { ordersOf, SCIM_FAULTS } from '../../../scim/policies/contract';
import { AWAITED_ANSWERS } from '../stored/statements';
import {
  appendEntries,
  lockReview,
  readItems,
  setRemediation,
  type StoredItem,
  textIn,
} from '../stored/store';
import { readToAct, write } from '../stored/transactions';

/** Something that was sent to an application, and whose answer is not stored yet. */
interface Unanswered {
  readonly review: string;
  readonly item: number;
  readonly action: string;
}

/** An action as `ordersOf` reads it. */
interface Order {
  readonly status: string;
  readonly outcome: string | null;
  readonly problem: { readonly code: string } | null;
}

/** What a code of a failure means. What the application itself said may name people. */
const meaningOf = (code: string): string => {
  const meaning = Object.entries(SCIM_FAULTS).find(([each]) => each === code)?.[1];
  return meaning === undefined ? code : `${code}: ${meaning}`;
};

/** What became of an action, in words of the service only; null while nobody knows. */
const answerIn = (order: Order | undefined): string | null => {
  if (order === undefined) return 'Nobody knows: the record of the action is gone.';
  const { status, outcome, problem } = order;
  switch (status) {
    case 'DONE':
      return outcome === 'unchanged' ? 'The account was no member by then.' : (outcome ?? '');
    case 'DEAD':
      return `Given up: ${meaningOf(problem?.code ?? '')}`;
    case 'DROPPED':
      return 'Not tried again: the revoke was confirmed, left or excepted first.';
    default:
      return null;
  }
};

/** Stores the answers of some items of one review. */
const storeSome = async (
  context: Context,
  tx: Runner,
  review: string,
  some: readonly Unanswered[],
): Promise<void> => {
  const stored = await lockReview(tx, review);
  const items = await readItems(
    tx,
    stored,
    some.map(({ item }) => item),
  );
  const orders = await ordersOf(context).read(
    tx,
    some.map(({ action }) => action),
  );
  const rows = items.flatMap(({ number, digest, done }) => {
    const action = textIn(done ?? {}, 'awaited');
    const answer = action === '' ? null : answerIn(orders.get(action));
    return answer === null ? [] : [{ number, digest, action, answer }];
  });
  if (rows.length === 0) return;
  const at = present();
  await appendEntries(
    tx,
    stored,
    rows.map(({ number, digest, action, answer }) => ({
      act: 'answered' as const,
      item: number,
      by: '',
      batch: 1,
      shown: digest,
      detail: action,
      reason: answer,
    })),
    at,
    null,
  );
  await setRemediation(
    tx,
    review,
    rows.map(({ number, answer }) => ({
      item: number,
      properties: { answer, answered_at: at, awaited: null },
    })),
  );
};

/** Stores what applications answered to what reviews sent. An answer confirms nothing. */
export const storeAnswers = async (context: Context): Promise<void> => {
  const found = await readToAct(context, async (tx) =>
    (await tx.run<{ review: string; item: unknown; action: string }>(AWAITED_ANSWERS)).records.map(
      (record): Unanswered => ({
        review: record.get('review'),
        item: Number(record.get('item')),
        action: record.get('action'),
      }),
    ),
  );
  for (const review of new Set(found.map((each) => each.review))) {
    const some = found.filter((each) => each.review === review);
    await write(context, (tx) => storeSome(context, tx, review, some));
  }
};

/** Drops what was sent of some items, and is not done: nobody wants it any more. */
export const dropSent = async (
  context: Context,
  tx: Runner,
  items: readonly StoredItem[],
  at: Instant,
): Promise<void> => {
  const sent = items.flatMap(({ done }) => textIn(done ?? {}, 'action') || []);
  if (sent.length > 0) await ordersOf(context).drop(tx, sent, at);
};
