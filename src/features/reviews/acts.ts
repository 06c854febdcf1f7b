import { randomUUID } from 'node:crypto';

import { counted } from '../../codec/quote';
import type { Context } from '../../context';
import { type KeyAct, writeEvent } from '../../graph/records/event-record';
import { type Instant, nanosOf, parseInstant, present } from '../../model/instant';
import type { Runner } from '../../neo4j/transaction';
import type {
  CancelRequest,
  CloseRequest,
  DecideRequest,
  ExceptRequest,
  ReassignRequest,
} from './endpoints';
import { accessAt, type NamedPerson, personBy, responsibleBy, viewOf } from './stored/people';
import { checkScope } from './plan-review';
import { type Review, sealedOf, type WantedReview } from './records';
import { badRequestField, conflict, forbidden, throwRefusal } from './refuse';
import { digestOf } from './rules/chain';
import { refusesDecision, tiesOut } from './rules/decide';
import { isFact } from './rules/left-access';
import { isOwnFact } from './rules/reviewer';
import type { View } from './rules/facts';
import { TEMPLATES } from './rules/templates';
import { isRemediated, sealRemediation } from './seal';
import { dropSent } from './sending/answered';
import {
  aliasIn,
  appendAct,
  appendEntries,
  changeItems,
  haveGiven,
  knownAliases,
  lockReview,
  readItems,
  readNumbers,
  readReview,
  reviewProperties,
  setRemediation,
  setReview,
  type StoredItem,
  type StoredReview,
  textIn,
  timeIn,
} from './stored/store';
import { COUNT_PENDING, CREATE_REVIEW } from './stored/statements';
import { write, writeInTurn } from './stored/transactions';
import { events, reviewEvent } from './events';

const quoted = JSON.stringify;

/** Who acts: the person, and what the rules see of the graph now. */
export interface Acting {
  readonly view: View;
  readonly person: NamedPerson;
}

/** The person whom a request names, and the graph as it is now. */
export const actingBy = async (context: Context, key: string): Promise<Acting> => {
  const view = viewOf(await accessAt(context, null), null);
  return { view, person: personBy(view, key, '/on_behalf_of') };
};

/** Refuses items that are somebody's own, by any account, identity or employee. */
export const refuseOwn = (
  { view, person }: Acting,
  aliases: readonly string[],
  items: readonly StoredItem[],
): void => {
  const own = items.find(
    ({ holder, fact }) =>
      aliases.includes(holder) || (fact !== null && isOwnFact(view, person.human, fact[1])),
  );
  if (own !== undefined)
    throw forbidden(
      `Nobody reviews themselves or chooses who does: item ${own.number} is their own.`,
    );
};

/** A template chooses the marks, so a request names none. */
const withTemplate = (wanted: WantedReview): WantedReview => {
  const { template, scope } = wanted;
  if (template === null) return wanted;
  if (scope.marks.length > 0) {
    throw badRequestField('/scope/marks', 'UNKNOWN_VALUE', 'the template chooses the marks');
  }
  return { ...wanted, scope: { ...scope, marks: [...TEMPLATES[template].marks] } };
};

/** Creates a draft; with the id of one that exists, nothing. */
export const createReview = async (
  context: Context,
  asked: WantedReview,
  id: string = randomUUID(),
): Promise<StoredReview> => {
  const wanted = withTemplate(asked);
  const view = viewOf(await accessAt(context, null), null);
  responsibleBy(view, wanted.owner, '/owner');
  responsibleBy(view, wanted.fallback, '/fallback');
  checkScope(view, wanted);
  const at = present();
  const due = parseInstant(wanted.due);
  if (due === null || nanosOf(due) <= nanosOf(at)) {
    throw badRequestField('/due', 'PAST_TIME', 'has passed');
  }
  return write(context, async (tx) => {
    if (wanted.before !== null) {
      // Nobody removes it before the draft exists, which needs it.
      const { review } = await lockReview(tx, wanted.before);
      if (review.state !== 'closed') throw conflict('The review before is not closed.');
    }
    const review: Partial<Review> = { ...wanted, id, state: 'draft', created_at: at.utc };
    await tx.run(CREATE_REVIEW, { id, properties: reviewProperties(review) });
    return readReview(tx, id);
  });
};

const openOnly = ({ review }: StoredReview): void => {
  if (review.state !== 'open') throw conflict(`The review is ${review.state}.`);
};

/** What a revoke orders, and what becomes of the order if somebody keeps the item after all. */
const remediationOf = (
  { number, remediation }: StoredItem,
  decision: 'keep' | 'revoke',
  at: Instant,
): Parameters<typeof setRemediation>[2] => {
  if (decision === 'revoke' && (remediation === null || remediation === 'withdrawn')) {
    const ordered = { state: 'ordered', ordered_at: at, changed_at: at, push: null, through: null };
    return [{ item: number, properties: ordered }];
  }
  return decision === 'keep' && remediation !== null
    ? [{ item: number, properties: { state: 'withdrawn', changed_at: at } }]
    : [];
};

/** Keeps or revokes items. The same decision again changes nothing. */
export const decide = async (
  context: Context,
  id: string,
  { on_behalf_of, decision, items: wanted, reason: given }: DecideRequest,
  act: KeyAct,
): Promise<readonly number[]> => {
  const acting = await actingBy(context, on_behalf_of);
  const reason = given ?? '';
  const at = present();
  const numbers = wanted.map(({ number }) => number);
  if (numbers.length === 0) throw badRequestField('/items', 'MISSING_FIELD', 'names no item');
  return writeInTurn(context, act, async (tx) => {
    const stored = await lockReview(tx, id);
    openOnly(stored);
    const aliases = await knownAliases(tx, stored, acting.person.keys);
    const items = await readItems(tx, stored, numbers);
    const refused = refusesDecision(stored.review.state, decision, reason, aliases, items);
    if (refused !== null) throwRefusal(refused);
    refuseOwn(acting, aliases, items);
    const seen = new Map(wanted.map(({ number, digest }) => [number, digest]));
    const other = items.find(({ number, digest }) => seen.get(number) !== digest);
    if (other !== undefined) {
      throw conflict(`Item ${other.number} is not what the reviewer has seen: its digest differs.`);
    }
    const changed = items.filter(
      ({ state, properties, reviewer }) =>
        state !== decision || properties.decided_by !== reviewer || properties.reason !== reason,
    );
    const [first] = changed;
    if (first === undefined) return numbers;
    const appended = await appendEntries(
      tx,
      stored,
      changed.map(({ number, digest, reviewer: by }) => ({
        act: decision,
        item: number,
        by,
        batch: items.length,
        shown: digest,
        detail: '',
        reason,
      })),
      at,
      act,
    );
    await changeItems(
      tx,
      stored,
      changed.map(({ number, reviewer }) => ({
        number,
        properties: { state: decision, decided_by: reviewer, decided_at: at, reason },
      })),
    );
    await setRemediation(
      tx,
      id,
      changed.flatMap((item) => remediationOf(item, decision, at)),
    );
    const { head } = appended.review;
    // No further push ends a fact that is gone already, so the next round looks without one.
    const isGone = changed.some(({ fact }) => fact !== null && !isFact(acting.view, fact));
    if (decision === 'revoke' && isGone) {
      await setReview(tx, id, reviewProperties({}, { checked: head }));
    }
    await writeEvent(
      tx,
      reviewEvent(
        stored.review,
        { ...act, at: at.utc },
        {
          severity: 'INFO',
          name: 'Items decided',
          event_type: events.REVIEW_DECIDED,
          message: `In the review ${quoted(stored.review.name)}, ${counted(changed.length, 'item')} decided: ${decision}.`,
          metadata: {
            decision,
            items: changed.map(({ number }) => number),
            head,
            by_alias: first.reviewer,
          },
        },
      ),
    );
    return numbers;
  });
};

/**
 * Gives pending items to another reviewer: their reviewer may, and the owner of the review unless an
 * item is their own (docs/rules.md: Access reviews, rule 2).
 */
export const reassign = async (
  context: Context,
  id: string,
  { on_behalf_of, to, items: numbers, reason }: ReassignRequest,
  act: KeyAct,
): Promise<readonly number[]> => {
  if (numbers.length === 0) throw badRequestField('/items', 'MISSING_FIELD', 'names no item');
  const { view, person } = await actingBy(context, on_behalf_of);
  const next = { view, person: personBy(view, to, '/to') };
  const at = present();
  return writeInTurn(context, act, async (tx) => {
    const locked = await lockReview(tx, id);
    openOnly(locked);
    const own = await knownAliases(tx, locked, person.keys);
    const items = await readItems(tx, locked, numbers);
    const byOf = ({ reviewer }: StoredItem): string | undefined =>
      own.find((alias) => alias === reviewer) ?? own.find((alias) => alias === locked.ownerAlias);
    const { alias, aliases, stored } = await aliasIn(tx, locked, next.person);
    const changed = items.filter(({ reviewer }) => !aliases.includes(reviewer));
    // Who gave items away is not their reviewer any more, and may send the same request again.
    const isAgain =
      changed.length === 0 && own.length > 0 && (await haveGiven(tx, stored, own, alias, numbers));
    if (!isAgain && items.some((item) => byOf(item) === undefined)) {
      throw forbidden(
        'Only the reviewer of an item, or the owner of the review, gives it to somebody else.',
      );
    }
    // Only who reviews an item gives it away if it turns out to be their own.
    if (!isAgain) {
      const asOwner = items.filter(({ reviewer }) => !own.includes(reviewer));
      refuseOwn({ view, person }, own, asOwner);
    }
    refuseOwn(next, aliases, items);
    const decided = changed.find(({ state }) => state !== 'pending');
    if (decided !== undefined)
      throw conflict(`Item ${decided.number} is ${decided.state} already.`);
    if (changed.length === 0) return numbers;
    await appendEntries(
      tx,
      stored,
      changed.map((item) => ({
        act: 'reassign' as const,
        item: item.number,
        by: byOf(item) ?? '',
        batch: items.length,
        shown: item.digest,
        detail: alias,
        reason,
      })),
      at,
      act,
    );
    await changeItems(
      tx,
      stored,
      changed.map(({ number }) => ({ number, properties: { reviewer: alias } })),
    );
    return numbers;
  });
};

/** How many items each reviewer has not decided, by alias. */
export const pendingOf = async (
  tx: Runner,
  { run }: StoredReview,
): Promise<readonly { readonly alias: string; readonly pending: number }[]> =>
  (await tx.run<{ reviewer: string; number: unknown }>(COUNT_PENDING, { run })).records.map(
    (record) => ({ alias: record.get('reviewer'), pending: Number(record.get('number')) }),
  );

/** Reports an event for each reviewer who has pending items. */
export const remind = (
  context: Context,
  id: string,
  act: KeyAct,
): Promise<readonly { readonly alias: string; readonly pending: number }[]> =>
  writeInTurn(context, act, async (tx) => {
    const stored = await readReview(tx, id);
    openOnly(stored);
    const pending = await pendingOf(tx, stored);
    for (const each of pending) {
      await writeEvent(
        tx,
        reviewEvent(
          stored.review,
          { ...act, at: present().utc },
          {
            severity: 'INFO',
            name: 'Reviewer reminded',
            event_type: events.REVIEW_REMINDED,
            message: `Reviewer ${each.alias} of the review ${quoted(stored.review.name)} has ${each.pending} pending items, due ${stored.review.due}.`,
            metadata: { ...each, due: stored.review.due },
          },
        ),
      );
    }
    return pending;
  });

const MOST_EXCEPTED_NANOS = 366n * 86_400_000_000_000n;

/** Makes an exception of revokes whose access is left. Who reviewed an item makes none of it. */
export const except = async (
  context: Context,
  id: string,
  { on_behalf_of, items: numbers, until: given, reason }: ExceptRequest,
  act: KeyAct,
): Promise<readonly number[]> => {
  if (numbers.length === 0) throw badRequestField('/items', 'MISSING_FIELD', 'names no item');
  const acting = await actingBy(context, on_behalf_of);
  const at = present();
  const until = parseInstant(given);
  if (until === null || nanosOf(until) <= nanosOf(at)) {
    throw badRequestField('/until', 'PAST_TIME', 'has passed');
  }
  if (nanosOf(until) - nanosOf(at) > MOST_EXCEPTED_NANOS) {
    throw badRequestField('/until', 'OUT_OF_RANGE', 'is more than a year from now');
  }
  return writeInTurn(context, act, async (tx) => {
    const locked = await lockReview(tx, id);
    const { state } = locked.review;
    if (state !== 'open' && state !== 'closed') throw conflict(`The review is ${state}.`);
    const items = await readItems(tx, locked, numbers);
    const { alias, aliases, stored } = await aliasIn(tx, locked, acting.person);
    const own = items.find(({ properties }) => aliases.includes(textIn(properties, 'decided_by')));
    if (own !== undefined) {
      throw forbidden(`Who reviewed item ${own.number} makes no exception of it.`);
    }
    refuseOwn(acting, aliases, items);
    const done = items.find(
      ({ remediation }) => remediation !== 'excepted' && !isLeft(remediation),
    );
    if (done !== undefined) throw conflict(`Item ${done.number} has no access that is left.`);
    const changed = items.filter((item) => !isExceptedSo(item, aliases, until, reason));
    if (changed.length === 0) return numbers;
    await appendEntries(
      tx,
      stored,
      changed.map(({ number, digest }) => ({
        act: 'except' as const,
        item: number,
        by: alias,
        batch: items.length,
        shown: digest,
        detail: until.utc,
        reason,
      })),
      at,
      act,
    );
    await setRemediation(
      tx,
      id,
      changed.map(({ number }) => ({
        item: number,
        properties: {
          state: 'excepted',
          changed_at: at,
          excepted_by: alias,
          excepted_until: until,
          reason,
        },
      })),
    );
    await dropSent(context, tx, items, at);
    await sealRemediation(tx, id, at);
    return numbers;
  });
};

/** Whether the same exception is there already. */
const isExceptedSo = (
  { remediation, done }: StoredItem,
  by: readonly string[],
  until: Instant,
  reason: string,
): boolean =>
  remediation === 'excepted' &&
  done !== null &&
  by.includes(textIn(done, 'excepted_by')) &&
  timeIn(done, 'excepted_until') === until.utc &&
  textIn(done, 'reason') === reason;

const isLeft = (state: StoredItem['remediation']): boolean =>
  state === 'ordered' || state === 'blocked' || state === 'came_back';

/** Closes a review: its owner attests it. Nothing may be pending. */
export const closeReview = async (
  context: Context,
  id: string,
  { on_behalf_of, attestation }: CloseRequest,
  act: KeyAct,
): Promise<void> => {
  const { person } = await actingBy(context, on_behalf_of);
  const at = present();
  await writeInTurn(context, act, async (tx) => {
    const stored = await lockReview(tx, id);
    const { review, ownerAlias } = stored;
    const by = ownerAlias;
    if (!(await knownAliases(tx, stored, person.keys)).includes(by)) {
      throw forbidden('Only the owner of the review closes it.');
    }
    if (review.state === 'closed' && review.attestation === attestation) return;
    openOnly(stored);
    const numbers = await readNumbers(tx, stored.run);
    if (numbers.pending > 0) throw conflict(`${numbers.pending} items are pending.`);
    if (!tiesOut(numbers) || numbers.items !== review.items) {
      throw conflict('The numbers of the review do not tie out: verify it.');
    }
    const closed = await appendEntries(
      tx,
      stored,
      [
        {
          act: 'close',
          item: 0,
          by,
          batch: 1,
          shown: '',
          detail: JSON.stringify(numbers),
          reason: attestation,
        },
      ],
      at,
      act,
    );
    await setReview(tx, id, reviewProperties({ state: 'closed', closed_at: at.utc, attestation }));
    await writeEvent(
      tx,
      reviewEvent(
        review,
        { ...act, at: at.utc },
        {
          severity: 'INFO',
          name: 'Review closed',
          event_type: events.REVIEW_CLOSED,
          message: `The review ${quoted(review.name)} was closed.`,
          metadata: {
            ...numbers,
            head: closed.review.head,
            is_remediated: await isRemediated(tx, id),
          },
        },
      ),
    );
    await sealRemediation(tx, id, at);
  });
};

/**
 * What a draft says, as the text of which its chain names a digest once somebody cancels it. It names
 * nobody: a draft has no salts.
 */
const settingsOfDraft = (review: Review): string => JSON.stringify(sealedOf(review));

/** Stores what a draft says, so that its chain begins with that. */
const sealDraft = async (tx: Runner, draft: StoredReview): Promise<StoredReview> => {
  const settings = settingsOfDraft(draft.review);
  const settingsDigest = digestOf([settings]);
  const hidden = { settings, settings_digest: settingsDigest };
  await setReview(tx, draft.review.id, reviewProperties({}, hidden));
  return { ...draft, settings, settingsDigest };
};

/** Cancels a draft or an open review. */
export const cancelReview = async (
  context: Context,
  id: string,
  { reason, on_behalf_of }: CancelRequest,
  act: KeyAct,
): Promise<void> => {
  const person = await optionalPerson(context, on_behalf_of);
  await writeInTurn(context, act, async (tx) => {
    const locked = await lockReview(tx, id);
    const { review } = locked;
    if (review.state === 'cancelled' && review.reason === reason) return;
    if (review.state !== 'draft' && review.state !== 'open') {
      throw conflict(`The review is ${review.state}.`);
    }
    const at = present();
    // A draft has no people, so its one entry names only the key.
    const isDraft = review.state === 'draft';
    const stored = isDraft ? await sealDraft(tx, locked) : locked;
    const by = isDraft ? null : person;
    const head = await appendAct(tx, stored, by, { act: 'cancel', reason }, at, act);
    await setReview(tx, id, reviewProperties({ state: 'cancelled', cancelled_at: at.utc, reason }));
    await writeEvent(
      tx,
      reviewEvent(
        review,
        { ...act, at: at.utc },
        {
          severity: 'WARNING',
          name: 'Review cancelled',
          event_type: events.REVIEW_CANCELLED,
          message: `The review ${quoted(review.name)} was cancelled.`,
          metadata: { reason, head },
        },
      ),
    );
  });
};

/** The person for whom a request acts; `null` if it names none. */
const optionalPerson = async (
  context: Context,
  key: string | null | undefined,
): Promise<NamedPerson | null> => (key == null ? null : (await actingBy(context, key)).person);
