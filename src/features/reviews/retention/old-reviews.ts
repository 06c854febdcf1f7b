import { type Instant, nanosOf, parseInstant } from '../../../model/instant';
import { ERASED } from '../../../model/person-names';
import type { Review } from '../records';
import { dueAgain } from '../rules/cadence';

const DAY = 86_400_000_000_000n;

const nanosIn = (time: string | null): bigint | null => {
  const instant = parseInstant(time ?? '');
  return instant === null ? null : nanosOf(instant);
};

/** When a review ended: by its second seal or its cancellation. `null` if it has not. */
const endOf = ({ state, remediated_at, cancelled_at }: Review): bigint | null => {
  if (state === 'closed') return nanosIn(remediated_at);
  return state === 'cancelled' ? nanosIn(cancelled_at) : null;
};

/** A scope as a text that is equal for equal scopes. Nobody knows what an erased one was, so it equals no other. */
const scopeText = ({ id, scope }: Review): string => {
  const text = JSON.stringify(
    Object.entries(scope)
      .map(([field, values]) => [field, [...new Set<string>(values)].sort()])
      .sort(),
  );
  return text.includes(ERASED) ? `${id} ${text}` : text;
};

/** The ids of the newest closed review of each scope. One of the future, by a wrong clock, is not the newest. */
const lastOfScopes = (all: readonly Review[], now: Instant): ReadonlySet<string> => {
  const opened = ({ at }: Review): bigint => {
    const nanos = nanosIn(at) ?? 0n;
    return nanos > nanosOf(now) ? 0n : nanos;
  };
  const isNewer = (one: Review, other: Review): boolean => {
    const [a, b] = [opened(one), opened(other)];
    return a === b ? one.id > other.id : a > b;
  };
  const newest = new Map<string, Review>();
  for (const review of all) {
    if (review.state !== 'closed') continue;
    const scope = scopeText(review);
    const known = newest.get(scope);
    if (known === undefined || isNewer(review, known)) newest.set(scope, review);
  }
  return new Set([...newest.values()].map(({ id }) => id));
};

/**
 * The ids of the reviews that ended more than so many days ago, and that nothing needs any more, the
 * oldest first (docs/rules.md: Access reviews). Revokes are not among what it looks at.
 */
export const oldReviews = (
  all: readonly Review[],
  days: number,
  now: Instant,
): readonly string[] => {
  const latest = nanosOf(now) - BigInt(days) * DAY;
  const lasts = lastOfScopes(all, now);
  const followed = new Set(
    all.flatMap(({ state, before }) => (state === 'draft' || state === 'open' ? [before] : [])),
  );
  const isNotDue = ({ state, at, cadence }: Review): boolean => {
    const instant = parseInstant(at ?? '');
    return (
      state === 'closed' && instant !== null && nanosOf(dueAgain(instant, cadence)) > nanosOf(now)
    );
  };
  return all
    .flatMap((review) => {
      const end = endOf(review);
      if (end === null || end >= latest) return [];
      const isNeeded = lasts.has(review.id) || followed.has(review.id) || isNotDue(review);
      return isNeeded ? [] : [{ id: review.id, end }];
    })
    .sort((a, b) => (a.end === b.end ? 0 : a.end < b.end ? -1 : 1))
    .map(({ id }) => id);
};
