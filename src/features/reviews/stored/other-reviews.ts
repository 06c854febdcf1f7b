import neo4j from 'neo4j-driver';

import type { Context } from '../../../context';
import { type Instant, nanosOf, parseInstant } from '../../../model/instant';
import type { Review } from '../records';
import { dueAgain } from '../rules/cadence';
import type { OtherReview, OtherReviews } from '../rules/coverage';
import { hasFilter } from '../rules/scope';
import { LIST_FACTS } from './statements';
import { listReviews } from './store';
import { readToAct } from './transactions';

/** How many other reviews a plan looks at, and how many facts of them. */
const MOST_OTHERS = 20;
const MOST_FACTS = 200_000;
const READ_AT_ONCE = 5_000;

/** The instant of a review that is open, or closed and not yet due again; else `null`. */
const instantIn = ({ state, at, cadence }: Review, now: Instant): bigint | null => {
  const instant = parseInstant(at ?? '');
  if (instant === null) return null;
  const isRecent = state === 'closed' && nanosOf(dueAgain(instant, cadence)) > nanosOf(now);
  return state === 'open' || isRecent ? nanosOf(instant) : null;
};

/** The facts of the items of a population, each with the digest of what it gave. */
const factsOf = async (context: Context, run: string): Promise<OtherReview['facts']> => {
  const facts = new Map<string, string>();
  for (let after = 0; ;) {
    const { records } = await readToAct(context, (tx) =>
      tx.run<{ number: unknown; fact: string; effect: string }>(LIST_FACTS, {
        run,
        after: neo4j.int(after),
        most: neo4j.int(READ_AT_ONCE),
      }),
    );
    for (const record of records) facts.set(record.get('fact'), record.get('effect'));
    const last = records.at(-1);
    if (last === undefined) return facts;
    after = Number(last.get('number'));
  }
};

/** The other reviews that are open or recent, the newest first. A review without a filter needs none. */
export const otherReviews = async (
  context: Context,
  review: Review,
  now: Instant,
): Promise<OtherReviews> => {
  if (!hasFilter(review.scope)) return { others: [], hasMoreOthers: false };
  const all = (await readToAct(context, listReviews))
    .flatMap(({ review: other, run }) => {
      const at = other.id === review.id ? null : instantIn(other, now);
      return at === null ? [] : [{ other, at, run }];
    })
    .sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));
  const others: OtherReview[] = [];
  let read = 0;
  for (const { other, run } of all) {
    read += other.items ?? 0;
    if (others.length === MOST_OTHERS || read > MOST_FACTS) break;
    const facts = await factsOf(context, run);
    others.push({ id: other.id, scope: other.scope, facts });
  }
  return { others, hasMoreOthers: others.length < all.length };
};
