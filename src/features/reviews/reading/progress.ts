import neo4j from 'neo4j-driver';

import type { Context } from '../../../context';
import type { Runner } from '../../../neo4j/transaction';
import { isPast, itemAnswers, readPeople } from '../answers';
import type { ItemAnswer, ReviewAnswer } from '../endpoints';
import type { Review } from '../records';
import { notFound } from '../refuse';
import { type Numbers, numbersOf, sumOf } from '../rules/decide';
import type { RemediationState } from '../rules/words';
import { readRemediation } from '../seal';
import { accessAt, personIfAny, viewOf } from '../stored/people';
import { COUNT_BY_REVIEWER, ITEMS_OF_REMEDIATION, READ_PACE } from '../stored/statements';
import { listReviews, readItems, readReview, type StoredReview, textIn } from '../stored/store';
import { read } from '../stored/transactions';

/*
 * What the owner of a review, administrators and auditors see of it (docs/reviews.md: For owners).
 */

/** Who looks at a review: the key of their person, and whether their role shows them all reviews. */
export interface Overseer {
  readonly person: string | null;
  readonly seesReviews: boolean;
}

/** How far a reviewer is. */
export interface ReviewerProgress {
  readonly alias: string;
  /** `null` after they were erased. */
  readonly name: string | null;
  readonly numbers: Numbers;
  /** How many items they kept in a minute in which they decided; `null`: they kept none. */
  readonly keepsPerMinute: number | null;
  /** Whether they have kept all about which they decided, and these are many. */
  readonly keepsAll: boolean;
}

/** A review as its owner sees it. */
export interface OversightOfReview extends ReviewAnswer {
  readonly review: Review;
  readonly owner: string;
  readonly fallback: string;
  readonly isOwner: boolean;
  readonly isOverdue: boolean;
  readonly reviewers: readonly ReviewerProgress[];
  /** The first revokes whose access is left, or that are exceptions. */
  readonly left: readonly ItemAnswer[];
  /** The first revokes that a push confirmed. */
  readonly confirmed: readonly ItemAnswer[];
}

/** If a reviewer decided so many items and kept all of them, the page remarks on it. */
const MANY = 10;
/** How many revokes each of its tables lists. */
const MOST_LISTED = 100;
const LEFT: readonly RemediationState[] = ['ordered', 'blocked', 'came_back', 'excepted'];

/** The keys of all nodes of the reader; none if the reader is not certainly one active person. */
export const overseerKeys = async (
  context: Context,
  { person }: Overseer,
): Promise<readonly string[]> => {
  if (person === null) return [];
  const view = viewOf(await accessAt(context, null), null);
  return personIfAny(view, person)?.keys ?? [];
};

/** Reads a review for somebody who may oversee it. For others it does not exist. */
export const overseen = async (
  tx: Runner,
  id: string,
  { seesReviews }: Overseer,
  keys: readonly string[],
): Promise<{ readonly stored: StoredReview; readonly isOwner: boolean }> => {
  const stored = await readReview(tx, id);
  const isOwner = keys.includes(stored.review.owner);
  if (!isOwner && !seesReviews) throw notFound('review');
  return { stored, isOwner };
};

/** Refuses who may not oversee a review, and returns whether they own it. */
export const mayOversee = async (
  context: Context,
  id: string,
  who: Overseer,
): Promise<{ readonly review: Review; readonly isOwner: boolean }> => {
  const keys = await overseerKeys(context, who);
  return read(context, async (tx) => {
    const { stored, isOwner } = await overseen(tx, id, who, keys);
    return { review: stored.review, isOwner };
  });
};

/** All reviews, the newest first. */
export const allReviews = async (context: Context): Promise<readonly Review[]> =>
  (await read(context, listReviews))
    .map(({ review }) => review)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));

interface Pace {
  readonly keeps: number;
  readonly minutes: number;
}

const paceIn = async (tx: Runner, id: string): Promise<ReadonlyMap<string, Pace>> => {
  const { records } = await tx.run<{ reviewer: string; keeps: unknown; minutes: unknown }>(
    READ_PACE,
    { id },
  );
  return new Map(
    records.map((each) => [
      each.get('reviewer'),
      { keeps: Number(each.get('keeps')), minutes: Number(each.get('minutes')) },
    ]),
  );
};

const reviewersIn = async (
  tx: Runner,
  { run, review }: StoredReview,
): Promise<readonly ReviewerProgress[]> => {
  if (run === '') return [];
  const { records } = await tx.run<{ reviewer: string; state: string; number: unknown }>(
    COUNT_BY_REVIEWER,
    { run },
  );
  const counts = new Map<string, Record<string, number>>();
  for (const each of records) {
    const of = counts.get(each.get('reviewer')) ?? {};
    of[each.get('state')] = Number(each.get('number'));
    counts.set(each.get('reviewer'), of);
  }
  const paces = await paceIn(tx, review.id);
  const people = await readPeople(tx, run, counts.keys());
  return [...counts]
    .map(([alias, states]) => {
      const numbers = numbersOf(states);
      const pace = paces.get(alias);
      return {
        alias,
        numbers,
        name: textIn(people.get(alias) ?? {}, 'name') || null,
        keepsPerMinute:
          pace === undefined || pace.keeps === 0 ? null : pace.keeps / Math.max(1, pace.minutes),
        keepsAll: numbers.revoke === 0 && numbers.keep >= MANY,
      };
    })
    .sort((a, b) => b.numbers.pending - a.numbers.pending || b.numbers.items - a.numbers.items);
};

const revokesIn = async (
  tx: Runner,
  stored: StoredReview,
  states: readonly RemediationState[],
): Promise<readonly ItemAnswer[]> => {
  if (stored.run === '') return [];
  const { records } = await tx.run<{ number: unknown }>(ITEMS_OF_REMEDIATION, {
    id: stored.review.id,
    states: [states],
    most: neo4j.int(MOST_LISTED),
  });
  const numbers = records.map((record) => Number(record.get('number')));
  return itemAnswers(tx, stored, await readItems(tx, stored, numbers));
};

/** A review as its owner sees it: who is how far, how fast, and what of the revokes is left. */
export const overseeReview = async (
  context: Context,
  id: string,
  who: Overseer,
): Promise<OversightOfReview> => {
  const keys = await overseerKeys(context, who);
  const view = viewOf(await accessAt(context, null), null);
  const nameOf = (key: string): string => personIfAny(view, key)?.name ?? key;
  return read(context, async (tx) => {
    const { stored, isOwner } = await overseen(tx, id, who, keys);
    const { review } = stored;
    const reviewers = await reviewersIn(tx, stored);
    const isOpened = stored.run !== '';
    return {
      review,
      numbers: isOpened ? sumOf(reviewers.map(({ numbers }) => numbers)) : null,
      remediation: isOpened ? await readRemediation(tx, review.id) : null,
      owner: nameOf(review.owner),
      fallback: nameOf(review.fallback),
      isOwner,
      isOverdue: isPast(review),
      reviewers,
      left: await revokesIn(tx, stored, LEFT),
      confirmed: await revokesIn(tx, stored, ['confirmed']),
    };
  });
};
