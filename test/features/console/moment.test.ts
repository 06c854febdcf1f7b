import * as E from 'fp-ts/Either';

import { dateMeant } from '../../../src/features/console/words/date-words';
import { instantWritten } from '../../../src/features/console/asking/moment';
import { nanosOf, parseInstant } from '../../../src/model/instant';

test.each(['2020-11-27 10:54', '2020-11-27T10:54', '2020-11-27T10:54Z', '2020-11-27 10:54 UTC'])(
  'a minute means its end in UTC: %s',
  (text) => {
    expect(instantWritten(text, 'at')).toEqual(E.right('2020-11-27T10:54:59.999999999Z'));
  },
);

test('a minute or a day that is not over means now', () => {
  jest.useFakeTimers({ now: Date.parse('2020-11-27T10:54:30Z') });
  try {
    expect(instantWritten('2020-11-27 10:54', 'at')).toEqual(E.right(''));
    expect(instantWritten('2020-11-27', 'at')).toEqual(E.right(''));
    expect(instantWritten('2020-11-27 10:53', 'at')).toEqual(
      E.right('2020-11-27T10:53:59.999999999Z'),
    );
  } finally {
    jest.useRealTimers();
  }
});

test('a time keeps its offset, and what does not exist is refused', () => {
  expect(instantWritten('2020-11-27T10:54:01 01:00', 'at')).toEqual(
    E.right('2020-11-27T09:54:01Z'),
  );
  expect(instantWritten('2020-11-31 10:54', 'at')).toMatchObject({ _tag: 'Left' });
  expect(instantWritten('2020-11-27 24:54', 'at')).toMatchObject({ _tag: 'Left' });
  expect(instantWritten('yesterdayy', 'at')).toBeNull();
});

// The page showed the end of its second, and the interface the instant itself.
test.each(['begin', 'end'] as const)('an RFC 3339 time is exactly that instant, as %s', (edge) => {
  const time = '2020-11-27T10:54:07Z';
  expect(instantWritten(time, 'at', edge)).toEqual(E.right(time));
  expect(instantWritten('2020-11-27 10:54:07', 'at')).toEqual(
    E.right('2020-11-27T10:54:07.999999999Z'),
  );
});

/** What happens at an instant is of a day or a minute if it lies between the two edges. */
const isWithin = (text: string, instant: string): boolean => {
  const [begin, end] = (['begin', 'end'] as const).map((edge) => {
    const found = instantWritten(text, 'x', edge);
    return found !== null && found._tag === 'Right' ? found.right : 'none';
  });
  const nanos = (utc: string): bigint => {
    const parsed = parseInstant(utc);
    if (parsed === null) throw new Error(utc);
    return nanosOf(parsed);
  };
  // What was so at the beginning is compared with what was so at the end.
  return nanos(instant) > nanos(begin ?? '') && nanos(instant) <= nanos(end ?? '');
};

// From = 1 November left 1 November out, and From = today listed everything.
test.each([
  ['2020-11-01', '2020-11-01T00:00:00Z', true],
  ['2020-11-01', '2020-11-01T23:59:59.999999999Z', true],
  ['2020-11-01', '2020-11-02T00:00:00Z', false],
  ['2020-11-01', '2020-10-31T23:59:59.999999999Z', false],
  ['2020-11-01 10:54', '2020-11-01T10:54:00Z', true],
  ['2020-11-01 10:54', '2020-11-01T10:55:00Z', false],
  ['2020-11-01 10:54:07', '2020-11-01T10:54:07.5Z', true],
  ['2020-11-01 10:54:07', '2020-11-01T10:54:08Z', false],
])('from %s to %s: what happened at %s is in it: %s', (text, instant, isIn) => {
  expect(isWithin(text, instant)).toBe(isIn);
});

test('from today is from its beginning', () => {
  jest.useFakeTimers({ now: Date.parse('2020-11-27T10:54:30Z') });
  try {
    expect(instantWritten('today', 'since', 'begin')).toEqual(
      E.right('2020-11-26T23:59:59.999999999Z'),
    );
    expect(instantWritten('today', 'until', 'end')).toEqual(E.right(''));
  } finally {
    jest.useRealTimers();
  }
});

// A Friday.
const FRIDAY = Date.parse('2020-11-27T10:54:30Z');

test.each([
  ['today', '2020-11-27'],
  ['Yesterday', '2020-11-26'],
  ['last Monday', '2020-11-23'],
  ['monday', '2020-11-23'],
  ['on thursday', '2020-11-26'],
  ['last friday', '2020-11-20'],
  ['3 days ago', '2020-11-24'],
  ['1 day ago', '2020-11-26'],
  ['2 weeks  ago', '2020-11-13'],
  ['2020-03-01', '2020-03-01'],
  ['tomorrow', null],
  ['last month', null],
  ['days ago', null],
  ['', null],
])('%j means the day %j', (text, date) => {
  expect(dateMeant(text, FRIDAY)).toBe(date);
});

test('the name of each weekday means one of the seven days before today', () => {
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  for (let day = 0; day < 7; day += 1) {
    const now = FRIDAY + day * 86_400_000;
    const dates = names.map((name) => dateMeant(name, now) ?? '');
    expect(new Set(dates).size).toBe(7);
    for (const [place, date] of dates.entries()) {
      expect(new Date(`${date}T00:00:00Z`).getUTCDay()).toBe(place);
      const before = Date.parse(new Date(now).toISOString().slice(0, 10)) - Date.parse(date);
      expect([1, 2, 3, 4, 5, 6, 7]).toContain(before / 86_400_000);
    }
  }
});
