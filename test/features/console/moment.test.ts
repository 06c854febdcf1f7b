import fc from 'fast-check';
import * as E from 'fp-ts/Either';

import type { Context } from '../../../src/context';
import { timeOf } from '../../../src/features/console/asking/changes';
import { daysBetween } from '../../../src/features/console/words/days';
import { dateMeant, datesOfWeek, weekMeant } from '../../../src/features/console/words/date-words';
import { instantWritten } from '../../../src/features/console/asking/moment';
import { clockAt, instantIn, UTC, zoneNamed } from '../../../src/features/console/words/time-zone';
import { nanosOf, parseInstant } from '../../../src/model/instant';

test.each(['2020-11-27 10:54', '2020-11-27T10:54', '2020-11-27T10:54Z', '2020-11-27 10:54 UTC'])(
  'a minute means its end in UTC: %s',
  (text) => {
    expect(instantWritten(text, 'at', UTC)).toEqual(E.right('2020-11-27T10:54:59.999999999Z'));
  },
);

test('a minute or a day that is not over means now', () => {
  jest.useFakeTimers({ now: Date.parse('2020-11-27T10:54:30Z') });
  try {
    expect(instantWritten('2020-11-27 10:54', 'at', UTC)).toEqual(E.right(''));
    expect(instantWritten('2020-11-27', 'at', UTC)).toEqual(E.right(''));
    expect(instantWritten('2020-11-27 10:53', 'at', UTC)).toEqual(
      E.right('2020-11-27T10:53:59.999999999Z'),
    );
  } finally {
    jest.useRealTimers();
  }
});

// Its time began seven days ago, after its end.
test('a time without a beginning begins so many days before its end', async () => {
  const time = { since: '', until: '2020-11-27' };
  expect(await timeOf({} as Context, time, 7, UTC)()).toEqual(
    E.right({ from: '2020-11-20T23:59:59.999Z', to: '2020-11-27T23:59:59.999999999Z' }),
  );
});

test('a time keeps its offset, and what does not exist is refused', () => {
  expect(instantWritten('2020-11-27T10:54:01 01:00', 'at', UTC)).toEqual(
    E.right('2020-11-27T09:54:01Z'),
  );
  expect(instantWritten('2020-11-31 10:54', 'at', UTC)).toMatchObject({ _tag: 'Left' });
  expect(instantWritten('2020-11-27 24:54', 'at', UTC)).toMatchObject({ _tag: 'Left' });
  expect(instantWritten('yesterdayy', 'at', UTC)).toBeNull();
});

// The page showed the end of its second, and the interface the instant itself.
test.each(['begin', 'end'] as const)('an RFC 3339 time is exactly that instant, as %s', (edge) => {
  const time = '2020-11-27T10:54:07Z';
  expect(instantWritten(time, 'at', UTC, edge)).toEqual(E.right(time));
  expect(instantWritten('2020-11-27 10:54:07', 'at', UTC)).toEqual(
    E.right('2020-11-27T10:54:07.999999999Z'),
  );
});

/** What happens at an instant is of a day or a minute if it lies between the two edges. */
const isWithin = (text: string, instant: string): boolean => {
  const [begin, end] = (['begin', 'end'] as const).map((edge) => {
    const found = instantWritten(text, 'x', UTC, edge);
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
    expect(instantWritten('today', 'since', UTC, 'begin')).toEqual(
      E.right('2020-11-26T23:59:59.999999999Z'),
    );
    expect(instantWritten('today', 'until', UTC, 'end')).toEqual(E.right(''));
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
  ['a week ago', '2020-11-20'],
  ['2020-03-01', '2020-03-01'],
  ['tomorrow', null],
  ['last month', null],
  ['days ago', null],
  ['', null],
])('%j means the day %j', (text, date) => {
  expect(dateMeant(text, FRIDAY, UTC)).toBe(date);
});

test.each([
  ['first week', 0],
  ['The  second Week', 1],
  ['third week', null],
  ['week', null],
])('%j is the week %j of the history', (text, week) => {
  expect(weekMeant(text)).toBe(week);
});

// At that instant the next day had begun in Oslo.
test('a week of the history is seven days of the reader, the first of which is its first', () => {
  const dates = ['UTC', 'Europe/Oslo'].map((zone) =>
    [0, 1].map((week) => Object.values(datesOfWeek(week, '2020-11-02T23:30:00Z', zone))),
  );
  expect(dates).toEqual([
    [
      ['2020-11-02', '2020-11-09'],
      ['2020-11-09', '2020-11-16'],
    ],
    [
      ['2020-11-03', '2020-11-10'],
      ['2020-11-10', '2020-11-17'],
    ],
  ]);
});

test('the name of each weekday means one of the seven days before today', () => {
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  for (let day = 0; day < 7; day += 1) {
    const now = FRIDAY + day * 86_400_000;
    const dates = names.map((name) => dateMeant(name, now, UTC) ?? '');
    expect(new Set(dates).size).toBe(7);
    for (const [place, date] of dates.entries()) {
      expect(new Date(`${date}T00:00:00Z`).getUTCDay()).toBe(place);
      const before = Date.parse(new Date(now).toISOString().slice(0, 10)) - Date.parse(date);
      expect([1, 2, 3, 4, 5, 6, 7]).toContain(before / 86_400_000);
    }
  }
});

// The bars of a time since the year 1 were 740,000 dates, of which the page showed none.
test('no more days are made than a page shows', () => {
  const [from, to] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  expect(daysBetween(from, to, UTC, 62)).toBeNull();
  for (const zone of [UTC, 'Pacific/Apia', 'Europe/Oslo']) {
    expect(daysBetween(from, '0001-01-03T12:00:00Z', zone, 62)).not.toBeNull();
    expect(daysBetween('9999-12-30T12:00:00Z', to, zone, 62)).not.toBeNull();
  }
});

// Before, the bars had days of UTC, whatever clock the reader has.
test.each([UTC, 'Europe/Oslo', 'Pacific/Auckland', 'Pacific/Apia', 'Asia/Kathmandu'])(
  'the days of a time begin and end as those of the reader do, without a gap: %s',
  (zone) => {
    const written = (date: string, edge: 'begin' | 'end'): string => {
      const instant = instantWritten(date, 'at', zone, edge);
      return instant !== null && E.isRight(instant) ? instant.right : '';
    };
    for (const [first, last, most] of [
      ['2020-10-20', '2020-11-02', 14],
      ['2020-03-20', '2020-04-08', 20],
      // On clocks of Apia the thirtieth of this month was left out.
      ['2011-12-28', '2012-01-02', 6],
    ] as const) {
      const [from, to] = [written(first, 'begin'), written(last, 'end')];
      const days = daysBetween(from, to, zone, 62) ?? [];
      expect([days[0]?.since, days.at(-1)?.until]).toEqual([from, to]);
      expect(days.slice(1).map(({ since }) => since)).toEqual(
        days.slice(0, -1).map(({ until }) => until),
      );
      expect(days).toHaveLength(zone === 'Pacific/Apia' && most === 6 ? 5 : most);
      for (const { since, until } of days) {
        const { date } = clockAt(Date.parse(since) + 1, zone);
        expect([since, until]).toEqual([written(date, 'begin'), written(date, 'end')]);
      }
    }
  },
);

describe('in the time zone of a reader', () => {
  const at = (text: string, zone: string, edge: 'begin' | 'end') =>
    instantWritten(text, 'at', zone, edge);

  test('a day begins and ends where clocks show it, also when they change', () => {
    expect([
      at('2020-11-01', 'Europe/Oslo', 'begin'),
      at('2020-11-01', 'Europe/Oslo', 'end'),
    ]).toEqual([
      E.right('2020-10-31T22:59:59.999999999Z'),
      E.right('2020-11-01T22:59:59.999999999Z'),
    ]);
    // 25 hours.
    expect([
      at('2020-10-25', 'Europe/Oslo', 'begin'),
      at('2020-10-25', 'Europe/Oslo', 'end'),
    ]).toEqual([
      E.right('2020-10-24T21:59:59.999999999Z'),
      E.right('2020-10-25T22:59:59.999999999Z'),
    ]);
    // Clocks of this day begin at one.
    expect(at('2018-11-04', 'America/Sao_Paulo', 'begin')).toEqual(
      E.right('2018-11-04T02:59:59.999999999Z'),
    );
    // This day never was.
    expect(at('2011-12-30', 'Pacific/Apia', 'begin')).toEqual(
      at('2011-12-31', 'Pacific/Apia', 'begin'),
    );
  });

  test('a minute is one of its clocks, unless it says UTC', () => {
    expect(at('2020-11-27 10:54', 'Asia/Kathmandu', 'end')).toEqual(
      E.right('2020-11-27T05:09:59.999999999Z'),
    );
    for (const text of ['2020-11-27 10:54 UTC', '2020-11-27T10:54Z']) {
      expect(at(text, 'Asia/Kathmandu', 'end')).toEqual(E.right('2020-11-27T10:54:59.999999999Z'));
    }
  });

  test('today is the day of its clocks', () => {
    const late = Date.parse('2020-11-27T23:30:00Z');
    expect(dateMeant('today', late, 'Europe/Oslo')).toBe('2020-11-28');
    expect(dateMeant('yesterday', late, 'America/New_York')).toBe('2020-11-26');
    expect(dateMeant('last monday', late, 'Europe/Oslo')).toBe('2020-11-23');
  });

  test('each day begins at the first instant whose clocks show it, in each zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1972-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        (zone, day) => {
          const date = day.toISOString().slice(0, 10);
          const first = instantIn(zone, date);
          const shown = clockAt(first, zone).date;
          // Some zones have left out a day.
          expect(shown >= date).toBe(true);
          expect(clockAt(first - 1_000, zone).date < date).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  // The last day of 9999 and each day before 1970 were failures of the service.
  test('each date that exists is an instant, in each zone', () => {
    const zones = [UTC, ...Intl.supportedValuesOf('timeZone')];
    const days = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    const ends = ['0000-01-01', '0000-12-31', '0001-01-01', '0001-12-31', '0002-01-01'];
    const late = ['1969-12-31', '1970-01-01', '9998-12-31', '9999-01-01', '9999-12-31'];
    const texts = fc.oneof(
      days.map((day) => day.toISOString().slice(0, 10)),
      days.map((day) => day.toISOString().slice(0, 16).replace('T', ' ')),
      fc.constantFrom(...ends, ...late, ...[...ends, ...late].map((day) => `${day} 23:59`)),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(...zones), (text, zone) => {
        const [begin, end] = (['begin', 'end'] as const).map((edge) => {
          const found = at(text, zone, edge);
          return found !== null && E.isRight(found) ? found.right : 'refused';
        });
        const [first, last] = [parseInstant(begin ?? ''), parseInstant(end ?? '')];
        expect(first).not.toBeNull();
        // What is not over, or has no instant after it, ends now.
        if (last === null) expect(end).toBe('');
        else if (first !== null) expect(nanosOf(first) <= nanosOf(last)).toBe(true);
      }),
      {
        numRuns: 2_000,
        examples: zones.flatMap((zone) =>
          [...ends, ...late].map((text): [string, string] => [text, zone]),
        ),
      },
    );
  });

  test('what is no zone is none', () => {
    expect(['Europe/Oslo', 'utc', 'Etc/UTC'].map(zoneNamed)).toEqual(['Europe/Oslo', UTC, UTC]);
    for (const name of ['', 'Nowhere', 'Europe/Oslo\r\nX: y', 'a'.repeat(100), '<b>', '../etc']) {
      expect(zoneNamed(name)).toBeNull();
    }
  });
});
