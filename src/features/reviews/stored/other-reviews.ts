import type { Context } from '../../../context';
import { type Instant, nanosOf, parseInstant } from '../../../model/instant';
import { LATEST, runTransaction } from '../../../neo4j/transaction';
import type { Review } from '../records';
import { dueAgain } from '../rules/cadence';
import { hasFilter, type Knowledge, type OtherReview } from '../rules/population';
import { eachItem } from './earlier-items';
import { listReviews, textIn } from './store';

/** How many other reviews a plan looks at, and how many facts of them. */
const MOST_OTHERS = 20;
const MOST_FACTS = 200_000;

/** The instant of a review that is open, or closed and not yet due again; else `null`. */
const instantIn = ({ state, at, cadence }: Review, now: Instant): bigint | null => {
  const instant = parseInstant(at ?? '');
  if (instant === null) return null;
  const isRecent = state === 'closed' && nanosOf(dueAgain(instant, cadence)) > nanosOf(now);
  return state === 'open' || isRecent ? nanosOf(instant) : null;
};

/** The other reviews that are open or recent, the newest first. A review without a filter needs none. */
export const otherReviews = async (
  context: Context,
  review: Review,
  now: Instant,
): Promise<Pick<Knowledge, 'others' | 'hasMoreOthers'>> => {
  if (!hasFilter(review.scope)) return { others: [], hasMoreOthers: false };
  const all = (await runTransaction(context.graph, LATEST, listReviews))
    .flatMap(({ review: other }) => {
      const at = other.id === review.id ? null : instantIn(other, now);
      return at === null ? [] : [{ other, at }];
    })
    .sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));
  const others: OtherReview[] = [];
  let read = 0;
  for (const { other } of all) {
    read += other.items ?? 0;
    if (others.length === MOST_OTHERS || read > MOST_FACTS) break;
    const facts = new Map<string, string>();
    await eachItem(context, other.id, (items) => {
      for (const { fact, state, properties } of items) {
        if (fact === null || state === 'gone') continue;
        facts.set(textIn(properties, 'fact'), textIn(properties, 'effect'));
      }
    });
    others.push({ id: other.id, scope: other.scope, facts });
  }
  return { others, hasMoreOthers: others.length < all.length };
};
