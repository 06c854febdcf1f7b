import { type Instant, nanosOf, instantOf } from '../../../model/instant';

/** How often a review is repeated. */
export const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly'] as const;
type Cadence = (typeof CADENCES)[number];

const MONTHS: Readonly<Record<Cadence, number>> = {
  monthly: 1,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
};

const MILLISECOND = 1_000_000n;
const DAY = 86_400_000n * MILLISECOND;

/** The same time some months later, in UTC; the last day of a month that is too short. */
const monthsLater = (at: Instant, months: number): Instant => {
  const nanos = nanosOf(at);
  const from = new Date(Number(nanos / MILLISECOND));
  const to = new Date(from);
  to.setUTCMonth(from.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), days));
  return instantOf(BigInt(to.getTime()) * MILLISECOND + (nanos % MILLISECOND));
};

/** When what was reviewed at an instant is due again: a year later if the review has no cadence. */
export const dueAgain = (at: Instant, cadence: Cadence | null): Instant =>
  monthsLater(at, MONTHS[cadence ?? 'yearly']);

/** The least time that reviewers of a repeated review have. */
const LEAST_NANOS = 7n * DAY;

/** When a review is due that is repeated now: reviewers have as long as they had from its opening. */
export const nextDue = (now: Instant, opened: Instant, due: Instant): Instant => {
  const had = nanosOf(due) - nanosOf(opened);
  return instantOf(nanosOf(now) + (had > LEAST_NANOS ? had : LEAST_NANOS));
};
