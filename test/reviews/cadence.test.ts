import { parseInstant, type Instant } from '../../src/model/instant';
import { dueAgain, nextDue } from '../../src/features/reviews/rules/cadence';

const at = (text: string): Instant => {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`${text} is no instant`);
  return instant;
};

test.each([
  ['2026-01-31T10:00:00.5Z', 'monthly', '2026-02-28T10:00:00.5Z'],
  ['2028-01-31T10:00:00Z', 'monthly', '2028-02-29T10:00:00Z'],
  ['2026-11-30T23:59:59.000000001Z', 'quarterly', '2027-02-28T23:59:59.000000001Z'],
  ['2026-08-31T00:00:00Z', 'half_yearly', '2027-02-28T00:00:00Z'],
  ['2028-02-29T00:00:00Z', 'yearly', '2029-02-28T00:00:00Z'],
  ['2026-05-05T00:00:00Z', null, '2027-05-05T00:00:00Z'],
] as const)('what was reviewed at %s, %s, is due again at %s', (from, cadence, expected) => {
  expect(dueAgain(at(from), cadence).utc).toBe(expected);
});

test.each([
  // Reviewers have as long as they had, and a week at least.
  ['2026-01-01T00:00:00Z', '2026-01-15T00:00:00Z', '2026-04-15T00:00:00Z'],
  ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-04-08T00:00:00Z'],
  ['2026-01-03T00:00:00Z', '2026-01-02T00:00:00Z', '2026-04-08T00:00:00Z'],
])('a review that was opened at %s and due at %s is due again at %s', (opened, due, expected) => {
  expect(nextDue(at('2026-04-01T00:00:00Z'), at(opened), at(due)).utc).toBe(expected);
});
