import { setImmediate as nextTurn } from 'node:timers/promises';

import { NONE } from '../../access/access-graph';
import { counted } from '../../codec/quote';
import type { Context } from '../../context';
import { writeEvent } from '../../graph/records/event-record';
import { type Instant, instantOf, nanosOf, parseInstant, present } from '../../model/instant';
import { FailedStep } from '../../neo4j/failure';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { inPieces } from '../../questions/contract';
import { isPast } from './answers';
import { eachItem } from './stored/earlier-items';
import { accessAt, humanBy, viewOf } from './stored/people';
import type { Review } from './records';
import { removeParts } from './retention/remove-old';
import { isTooMuchSilence } from './rules/decide';
import { beginningOf, isFact, lastTimeOf, leftThrough } from './rules/left-access';
import type { View } from './rules/facts';
import { isOwnFact } from './rules/reviewer';
import { sealRemediation } from './seal';
import { dropSent, storeAnswers } from './sending/answered';
import {
  ENDED_EXCEPTIONS,
  FOLLOWED_REVIEWS,
  FORGET_OPENINGS,
  GIVE_UP_OPENINGS,
  LEFT_OPENINGS,
  READ_PUSHES_AT,
} from './stored/statements';
import {
  appendEntries,
  changeItems,
  listItems,
  lockReview,
  type NewEntry,
  readItems,
  readNumbers,
  reviewProperties,
  setRemediation,
  setReview,
  type Stored,
  type StoredItem,
  type StoredReview,
  timeIn,
  toReview,
} from './stored/store';
import { readToAct, write } from './stored/transactions';
import { events, reviewEvent } from './events';

/** How many items one transaction changes. */
const CHANGED_AT_ONCE = 500;
/**
 * Only what is pending can end before somebody decides, and only revokes must be proven. What is gone
 * may come back, and is pending again until the review closes.
 */
const FOLLOWED = { open: ['pending', 'revoke', 'gone'], closed: ['revoke'] } as const;
/** An opening that did not end after so long is given up. */
const OPENING_SECONDS = 1_800;
const LATEST_MS = 600_000;
/** Through what access is left if nobody knows the push after which a fact was gone. */
const NO_PUSH = ['no push shows that the fact ended: its source or its history is gone'];
/** How the name of an opening begins that was given up. */
const GIVEN_UP = 'left:';

/** What became of a fact. */
interface Change {
  readonly number: number;
  readonly act: 'gone' | 'confirm' | 'block' | 'came_back';
  readonly push: string;
  readonly through: readonly string[];
  /** Of a fact that came back: whether it has gone again, so that the next round must look again. */
  readonly isGoneAgain: boolean;
}
/** The same before the pushes are known. */
type FoundChange = Omit<Change, 'push' | 'isGoneAgain'>;

/** What the present graph says about an item; `null` if nothing new. */
function* changeOf(
  then: View,
  now: View,
  item: StoredItem,
): Generator<undefined, FoundChange | null> {
  const { fact, state, remediation, number, done } = item;
  if (fact === null) return null;
  const exists = isFact(now, fact);
  if (state === 'gone') return exists ? { number, act: 'came_back', through: [] } : null;
  if (state === 'pending') {
    return exists ? null : { number, act: 'gone', through: [] };
  }
  if (state !== 'revoke') return null;
  // A fact that is not there may have come back and gone again since.
  if (remediation === 'confirmed') return { number, act: 'came_back', through: [] };
  if (remediation !== 'ordered' && remediation !== 'blocked' && remediation !== 'came_back')
    return null;
  if (exists) return null;
  const through = yield* leftThrough(then, now, fact);
  if (through.length === 0) return { number, act: 'confirm', through };
  const isKnownAlready = remediation === 'blocked' && done?.through === JSON.stringify(through);
  return isKnownAlready ? null : { number, act: 'block', through };
}

/** The pushes that ended or brought facts, by their instants. */
const pushesAt = (
  context: Context,
  instants: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  readToAct(context, async (tx) => {
    const found = new Map<string, string>();
    const records = await new Pipeline(tx).ask<Record<'at' | 'push', string>>(
      READ_PUSHES_AT,
      'keys',
      instants,
    );
    for (const record of records) found.set(record.get('at'), record.get('push'));
    return found;
  });

/** Whether the history reaches back to the instant of a review: else nobody knows what a fact gave then. */
const isInHistory = async (context: Context, at: Instant): Promise<boolean> => {
  // A clock that was put back does not shorten the history.
  if (Date.parse(at.utc) > Date.now()) return true;
  try {
    await accessAt(context, at);
    return true;
  } catch (error) {
    if (error instanceof FailedStep && error.failure._tag === 'Invalid') return false;
    throw error;
  }
};

/** Whether a fact ended again after the push that confirmed a revoke of it. */
const isAfter = (ended: string, push: string, done: Stored): boolean => {
  if (push !== '') return push !== done.push;
  const [end, confirmed] = [parseInstant(ended), parseInstant(timeIn(done, 'changed_at') ?? '')];
  return end !== null && confirmed !== null && nanosOf(end) > nanosOf(confirmed);
};

/** Finds what became of some items, as of the newest push. */
const changesOf = async (
  context: Context,
  { review }: StoredReview,
  items: readonly StoredItem[],
): Promise<readonly Change[]> => {
  const at = parseInstant(review.at ?? '');
  if (at === null) return [];
  for (;;) {
    const access = await accessAt(context, null);
    const [then, now] = [viewOf(access, at), viewOf(access, null)];
    const { changes } = access.graph;
    const found = await inPieces(
      (function* () {
        const all: (FoundChange & Record<'began' | 'ended', string | null>)[] = [];
        for (const item of items) {
          yield;
          const change = yield* changeOf(then, now, item);
          if (change === null || item.fact === null) continue;
          const isThere = isFact(now, item.fact);
          const last = isThere ? null : lastTimeOf(now, item.fact);
          if (change.act === 'came_back' && !isThere && last === null) continue;
          const began = isThere ? beginningOf(now, item.fact) : (last?.since ?? null);
          all.push({
            ...change,
            began: began === null ? null : instantOf(began).utc,
            ended: last === null ? null : instantOf(last.until).utc,
          });
        }
        return all;
      })(),
      () => access.graph.changes === changes,
      performance.now() + LATEST_MS,
    );
    if (found === null) continue;
    const instants = new Set(
      found.flatMap(({ began, ended }) => [began, ended].filter((each) => each !== null)),
    );
    const pushes = await pushesAt(context, [...instants]);
    const newest = access.asOf?.push ?? '';
    const byNumber = new Map(items.map((item) => [item.number, item]));
    const isKnown = !found.some(({ act }) => act === 'confirm') || (await isInHistory(context, at));
    return found.flatMap(({ began, ended, ...change }): readonly Change[] => {
      const done = byNumber.get(change.number)?.done ?? {};
      const push = pushes.get(ended ?? '') ?? '';
      if (change.act === 'came_back') {
        // What ended by the push that confirmed it has not come back.
        if (ended !== null && !isAfter(ended, push, done)) return [];
        const brought = pushes.get(began ?? '') ?? newest;
        return [{ ...change, push: brought, isGoneAgain: ended !== null }];
      }
      const found = { ...change, push, isGoneAgain: false };
      if (change.act !== 'confirm' || (push !== '' && isKnown)) return [found];
      // Somebody deleted the source, or what it was: that proves nothing about the application.
      return done.through === JSON.stringify(NO_PUSH)
        ? []
        : [{ ...found, act: 'block', through: NO_PUSH }];
    });
  }
};

const remediationAfter = ({ act, push, through }: Change, at: Instant) => {
  const state = { confirm: 'confirmed', block: 'blocked', came_back: 'came_back', gone: null }[act];
  return state === null ? null : { state, push, changed_at: at, through: JSON.stringify(through) };
};

/**
 * Writes what became of items, unless somebody changed them meanwhile: then the next round looks again.
 * Returns whether it wrote all.
 */
const writeChanges = (
  context: Context,
  id: string,
  changes: readonly Change[],
  seen: ReadonlyMap<number, StoredItem>,
): Promise<boolean> =>
  write(context, async (tx) => {
    const stored = await lockReview(tx, id);
    const { state: phase } = stored.review;
    if (phase !== 'open' && phase !== 'closed') return true;
    const now = await readItems(
      tx,
      stored,
      changes.map(({ number }) => number),
    );
    const same = new Set(
      now
        .filter((item) => {
          const before = seen.get(item.number);
          const isSame = item.state === before?.state && item.remediation === before.remediation;
          return isSame && (phase === 'open' || item.state !== 'gone');
        })
        .map(({ number }) => number),
    );
    const wanted = changes.filter(({ number }) => same.has(number));
    // What has gone again after it came back is confirmed in the next round.
    const isAll = wanted.length === changes.length && !wanted.some((each) => each.isGoneAgain);
    if (wanted.length === 0) return isAll;
    const at = present();
    const isPendingAgain = ({ number, act }: Change): boolean =>
      act === 'came_back' && seen.get(number)?.state === 'gone';
    const entries = wanted.map(({ number, act, push, through }): NewEntry => ({
      act,
      item: number,
      by: '',
      batch: 1,
      shown: seen.get(number)?.digest ?? '',
      detail: push,
      reason: through.join('; '),
    }));
    const { review } = await appendEntries(tx, stored, entries, at, null);
    await changeItems(
      tx,
      stored,
      wanted.flatMap((change) => {
        const isAgain = isPendingAgain(change);
        const state = isAgain ? 'pending' : 'gone';
        const properties = { state, decided_at: isAgain ? null : at };
        return isAgain || change.act === 'gone' ? [{ number: change.number, properties }] : [];
      }),
    );
    await setRemediation(
      tx,
      id,
      wanted.flatMap((change) => {
        const properties = isPendingAgain(change) ? null : remediationAfter(change, at);
        return properties === null ? [] : [{ item: change.number, properties }];
      }),
    );
    // Nothing is left to remove.
    const ended = new Set(
      wanted.flatMap(({ act, number }) => (act === 'came_back' ? [] : [number])),
    );
    await dropSent(
      context,
      tx,
      now.filter(({ number }) => ended.has(number)),
      at,
    );
    const returned = wanted.filter(
      (change) => change.act === 'came_back' && !isPendingAgain(change),
    );
    if (returned.length > 0) await reportReturned(tx, review, returned, at);
    await sealRemediation(tx, id, at);
    return isAll;
  });

const reportReturned = (tx: Runner, review: Review, returned: readonly Change[], at: Instant) =>
  writeEvent(
    tx,
    reviewEvent(
      review,
      { at: at.utc },
      {
        severity: 'WARNING',
        name: 'Access returned',
        event_type: events.REVIEW_ACCESS_RETURNED,
        message: `${counted(returned.length, 'fact')} that the review ${JSON.stringify(review.name)} revoked, and that had gone, came back.`,
        metadata: {
          items: returned.map(({ number }) => number),
          push: returned[0]?.push ?? '',
          head: review.head,
        },
      },
    ),
  );

/** A review to look at, with the newest pushes of its sources. */
interface Followed {
  readonly stored: StoredReview;
  readonly pushes: readonly string[];
}

/** Looks at the facts of a review after a push, and stores the push once it has looked at all. */
const followReview = async (
  context: Context,
  { stored, pushes }: Followed,
  isStopping: () => boolean,
): Promise<void> => {
  const push = (await accessAt(context, null)).asOf?.push ?? '';
  const { id, remediated_at } = stored.review;
  if (push !== stored.checked || remediated_at !== null) {
    let isAll = true;
    await eachItem(
      context,
      id,
      async (items) => {
        if (isStopping()) return;
        const seen = new Map(items.map((item) => [item.number, item]));
        const changes = await changesOf(context, stored, items);
        for (let first = 0; first < changes.length; first += CHANGED_AT_ONCE) {
          const some = changes.slice(first, first + CHANGED_AT_ONCE);
          isAll = (await writeChanges(context, id, some, seen)) && isAll;
          await nextTurn();
        }
      },
      stored.review.state === 'open' ? FOLLOWED.open : FOLLOWED.closed,
    );
    if (isStopping()) return;
    if (isAll) await write(context, (tx) => setChecked(tx, stored, push, pushes));
  }
  await endExceptions(context, stored);
  if (stored.review.state === 'open' && isPast(stored.review)) await endSilence(context, stored);
};

/**
 * Stores that the facts were looked at, unless somebody has asked meanwhile to look again. Reviews that
 * were opened before did not store which sources they wait for.
 */
const setChecked = async (
  tx: Runner,
  { review, checked }: StoredReview,
  push: string,
  seen: readonly string[],
) => {
  const now = await lockReview(tx, review.id);
  if (now.checked !== checked) return;
  const watched = (review.sources ?? []).map(({ data_source }) => data_source);
  await setReview(tx, review.id, reviewProperties({}, { checked: push, seen, watched }));
};

/** An exception that has ended orders the revoke again, unless the review has its second seal. */
const endExceptions = async (context: Context, { review }: StoredReview): Promise<void> => {
  if (review.remediated_at !== null) return;
  const { id } = review;
  const ended = (tx: Runner): Promise<readonly number[]> =>
    tx
      .run<{ item: unknown }>(ENDED_EXCEPTIONS, { id, now: present().utc })
      .then(({ records }) => records.map((record) => Number(record.get('item'))));
  if ((await readToAct(context, ended)).length === 0) return;
  await write(context, async (tx) => {
    const stored = await lockReview(tx, id);
    const numbers = await ended(tx);
    if (stored.review.remediated_at !== null || numbers.length === 0) return;
    const now = present();
    const items = await readItems(tx, stored, numbers);
    await appendEntries(
      tx,
      stored,
      items.map(({ number, digest }) => ({
        act: 'order' as const,
        item: number,
        by: '',
        batch: 1,
        shown: digest,
        detail: '',
        reason: 'The exception has ended.',
      })),
      now,
      null,
    );
    const ordered = { state: 'ordered', changed_at: now, excepted_until: null };
    await setRemediation(
      tx,
      id,
      numbers.map((item) => ({ item, properties: ordered })),
    );
    // The next round looks at these facts, whether or not somebody pushes.
    await setReview(tx, id, reviewProperties({}, { checked: null }));
  });
};

const DAY = 86_400_000_000_000n;
const PENDING = { states: ['pending'], reviewers: [], marks: [] };

/** Decides what silence means: first the fallback has what is pending, then it is excepted or revoked. */
const endSilence = async (context: Context, { review: followed }: StoredReview): Promise<void> => {
  const { id } = followed;
  const view = viewOf(await accessAt(context, null), null);
  for (let after: number | null = 0; after !== null;) {
    const last: number = after;
    after = await write(context, async (tx) => {
      const stored = await lockReview(tx, id);
      const { review } = stored;
      const due = parseInstant(review.due);
      const at = present();
      if (review.state !== 'open' || due === null || nanosOf(due) > nanosOf(at)) return null;
      if (nanosOf(at) < nanosOf(due) + BigInt(review.grace_days) * DAY) {
        return giveToFallback(tx, stored, view, last, at);
      }
      return (await endPending(tx, stored, at)) ? null : last;
    });
  }
};

/**
 * Gives some of what is pending after an item to the fallback; returns the last item that it looked at,
 * or `null` if that was all. Never their own items.
 */
const giveToFallback = async (
  tx: Runner,
  stored: StoredReview,
  view: View,
  after: number,
  at: Instant,
): Promise<number | null> => {
  const { fallbackAlias: to, review } = stored;
  if (stored.isOverdue || to === '') return null;
  const pending = await listItems(tx, stored, PENDING, after, CHANGED_AT_ONCE);
  const human = humanBy(view, review.fallback);
  const some = pending.filter(
    ({ reviewer, holder, fact }) =>
      ![reviewer, holder].includes(to) &&
      (human === NONE || fact === null || !isOwnFact(view, human, fact[1])),
  );
  await appendEntries(
    tx,
    stored,
    some.map(({ number, digest }) => ({
      act: 'reassign' as const,
      item: number,
      by: '',
      batch: 1,
      shown: digest,
      detail: to,
      reason: 'The due date has passed.',
    })),
    at,
    null,
  );
  await changeItems(
    tx,
    stored,
    some.map(({ number }) => ({ number, properties: { reviewer: to } })),
  );
  if (pending.length === CHANGED_AT_ONCE) return pending.at(-1)?.number ?? null;
  await setReview(tx, review.id, reviewProperties({}, { is_overdue: true }));
  return null;
};

/** Ends some of what is still pending; whether that was all. */
const endPending = async (tx: Runner, stored: StoredReview, at: Instant): Promise<boolean> => {
  const { review } = stored;
  const pending = await listItems(tx, stored, PENDING, 0, CHANGED_AT_ONCE + 1);
  const some = pending.slice(0, CHANGED_AT_ONCE);
  if (some.length === 0) return true;
  const numbers = await readNumbers(tx, stored.run);
  // What was excepted before is silence too: else a part of what is too much would be revoked.
  const silent = numbers.pending + numbers.revoke + numbers.excepted;
  const isRevoked = review.on_silence === 'revoke' && !isTooMuchSilence(silent, numbers.items);
  const act = isRevoked ? ('revoke' as const) : ('except' as const);
  const reason =
    review.on_silence === 'revoke' && !isRevoked
      ? 'Nobody decided in time, and to revoke so many needs somebody who decides.'
      : 'Nobody decided in time.';
  await appendEntries(
    tx,
    stored,
    some.map(({ number, digest }) => ({
      act,
      item: number,
      by: '',
      batch: 1,
      shown: digest,
      detail: '',
      reason,
    })),
    at,
    null,
  );
  const state = isRevoked ? 'revoke' : 'excepted';
  await changeItems(
    tx,
    stored,
    some.map(({ number }) => ({ number, properties: { state, decided_at: at, reason } })),
  );
  if (isRevoked) {
    const ordered = { state: 'ordered', ordered_at: at, changed_at: at };
    await setRemediation(
      tx,
      review.id,
      some.map(({ number }) => ({ item: number, properties: ordered })),
    );
    await setReview(tx, review.id, reviewProperties({}, { checked: null }));
  }
  return pending.length === some.length;
};

/** Removes what openings wrote that did not end. */
const removeLeftOpenings = async (context: Context): Promise<void> => {
  const before = instantOf(nanosOf(present()) - BigInt(OPENING_SECONDS) * 1_000_000_000n).utc;
  const left = await readToAct(context, async (tx) =>
    (
      await tx.run<{ id: string; openings: readonly string[] }>(LEFT_OPENINGS, { before })
    ).records.map((record) => ({ id: record.get('id'), openings: record.get('openings') })),
  );
  for (const { id, openings } of left) {
    // An opening that ended meanwhile is the population of the review.
    const given = await write(context, async (tx) =>
      (
        await tx.run<{ openings: readonly string[] }>(GIVE_UP_OPENINGS, {
          id,
          openings: [openings],
        })
      ).records
        .flatMap((record) => record.get('openings'))
        .filter((opening) => opening.startsWith(GIVEN_UP)),
    );
    for (const opening of given) {
      const run = opening.slice(GIVEN_UP.length);
      await removeParts(context, { run, id: '' }, () => false);
    }
    await write(context, (tx) => tx.run(FORGET_OPENINGS, { id, openings: [given] }));
  }
};

/** A round of the background: follows the facts of reviews that may change, and ends what nobody decided in time. */
export const followReviews =
  (context: Context) =>
  async (isStopping: () => boolean): Promise<void> => {
    await removeLeftOpenings(context);
    await storeAnswers(context);
    const followed = await readToAct(context, async (tx) =>
      (await tx.run<{ review: Stored; pushes: string[] }>(FOLLOWED_REVIEWS)).records.map(
        (record): Followed => ({
          stored: toReview(record.get('review')),
          pushes: record.get('pushes'),
        }),
      ),
    );
    for (const each of followed) {
      if (isStopping()) return;
      await followReview(context, each, isStopping);
    }
  };
