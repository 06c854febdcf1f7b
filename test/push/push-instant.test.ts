import { Instant, parseInstant } from '../../src/model/instant';
import { pushInstant } from '../../src/graph/records/push-instant';

const NOW = Date.UTC(2024, 1, 29, 23, 59, 59, 999);

beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

test('is now, with random digits below the millisecond', () => {
  const instants = Array.from({ length: 50 }, () => pushInstant(null).utc);
  for (const utc of instants) expect(utc).toMatch(/^2024-02-29T23:59:59\.999\d{0,6}Z$/);
  expect(new Set(instants).size).toBeGreaterThan(45);
});

test('is an instant as payloads are read', () => {
  const at = pushInstant(null);
  expect(parseInstant(at.utc)).toEqual(at);
});

test.each([
  ['2024-01-01T00:00:00Z', /^2024-02-29T23:59:59\.999\d*Z$/],
  ['2025-06-01T00:00:00Z', /^2025-06-01T00:00:00\.000000001Z$/],
  ['2025-06-01T00:00:00.5Z', /^2025-06-01T00:00:00\.500000001Z$/],
  ['2024-12-31T23:59:59.999999999Z', /^2025-01-01T00:00:00Z$/],
])('is later than a last push at %s, whatever the clock says', (last, expected) => {
  expect(pushInstant(new Instant(last)).utc).toMatch(expected);
});
