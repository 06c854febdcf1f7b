import { EMPTY_SCOPE, type Review } from '../../src/features/reviews/records';
import { oldReviews } from '../../src/features/reviews/retention/old-reviews';
import { instantOf, nanosOf, parseInstant, present } from '../../src/model/instant';

/* Which reviews ended long ago and are needed by nobody (docs/rules.md: Access reviews). */

const NOW = present();
const DAYS = 400;

/** A time so many days ago. */
const ago = (days: number): string =>
  instantOf(nanosOf(NOW) - BigInt(days) * 86_400_000_000_000n).utc;

/** A review that was opened, closed and sealed so many days ago. */
const closed = (id: string, days: number, more: Partial<Review> = {}): Review =>
  ({
    id,
    state: 'closed',
    scope: EMPTY_SCOPE,
    at: ago(days),
    closed_at: ago(days),
    remediated_at: ago(days),
    cancelled_at: null,
    before: null,
    cadence: null,
    ...more,
  }) as Review;

const cancelled = (id: string, days: number): Review =>
  closed(id, days, {
    state: 'cancelled',
    closed_at: null,
    remediated_at: null,
    cancelled_at: ago(days),
  });

const inScope = (more: object) => ({ scope: { ...EMPTY_SCOPE, ...more } });
const old = (...reviews: readonly Review[]): readonly string[] => oldReviews(reviews, DAYS, NOW);

test('only the last closed review of a scope stays, and of the others those that ended lately', () => {
  expect(old(closed('a', 900), closed('b', 800), closed('c', 399), closed('d', 10))).toEqual([
    'a',
    'b',
  ]);
  expect(old(closed('a', 900))).toEqual([]);
});

test('the last one is that of the newest instant, also if another one was sealed later', () => {
  const late = closed('late', 900, { remediated_at: ago(500) });
  expect(old(late, closed('newest', 600))).toEqual(['late']);
  expect(old(closed('a', 600), closed('b', 600, { remediated_at: ago(601) }))).toEqual(['a']);
});

test('scopes are equal whatever the order of their keys, and each has a last review', () => {
  const [one, other] = [
    inScope({ applications: ['a', 'b'] }),
    inScope({ applications: ['b', 'a'] }),
  ];
  expect(old(closed('a', 900, one), closed('b', 800, other))).toEqual(['a']);
  expect(old(closed('a', 900, one), closed('b', 800, inScope({ applications: ['a'] })))).toEqual(
    [],
  );
  expect(old(closed('a', 900), closed('b', 800, inScope({ marks: ['guest'] })))).toEqual([]);
});

test('a scope that an erasure changed equals no other', () => {
  const erased = inScope({ people: ['(erased)'] });
  expect(old(closed('a', 900, erased), closed('b', 800, erased))).toEqual([]);
});

test('a review of the future, by a wrong clock, is not the last one', () => {
  const future = closed('future', 900, { at: ago(-100) });
  expect(old(closed('a', 900), closed('b', 800), future)).toEqual(['a']);
});

test('a closed review is the last one before its second seal too; open and cancelled ones are not', () => {
  const open = closed('open', 10, { state: 'open', closed_at: null, remediated_at: null });
  expect(old(closed('a', 900), open)).toEqual([]);
  expect(old(closed('a', 900), cancelled('b', 10))).toEqual([]);
  expect(old(closed('a', 900), closed('unsealed', 800, { remediated_at: null }))).toEqual(['a']);
});

test('what is cancelled goes after its cancellation, and needs no other review', () => {
  expect(old(cancelled('a', 401), cancelled('b', 399))).toEqual(['a']);
});

test.each(['draft', 'open'] as const)(
  'a %s keeps the review from which it carries over',
  (state) => {
    const next = closed('next', 1, { state, before: 'a' });
    expect(old(closed('a', 900), closed('b', 800), next)).toEqual([]);
    expect(old(closed('a', 900), closed('b', 800), { ...next, state: 'cancelled' })).toEqual(['a']);
  },
);

test('a review stays that is not yet due again', () => {
  const leap = closed('leap', 0, {
    at: '2027-03-01T00:00:00Z',
    remediated_at: '2027-03-01T00:00:00Z',
  });
  const now = parseInstant('2028-02-29T12:00:00Z') ?? NOW;
  const newer = closed('newer', 0, { at: '2027-06-01T00:00:00Z' });
  expect(oldReviews([leap, newer], 365, now)).toEqual([]);
  expect(oldReviews([{ ...leap, cadence: 'quarterly' }, newer], 365, now)).toEqual(['leap']);
});
