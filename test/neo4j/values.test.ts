import fc from 'fast-check';
import neo4j, { type Driver } from 'neo4j-driver';

import { fromGraph, toDateTime, toGraph, toInstant } from '../../src/neo4j/values';
import { type Instant, parseInstant } from '../../src/model/instant';
import type { PropertyValues } from '../../src/rows/row/row';
import { testDriver, testNeo4j } from '../support/neo4j';

const instant = (text: string): Instant => parseInstant(text) as Instant;

const MOMENTS = [
  '0000-01-01T00:00:00Z',
  '0001-12-31T23:59:59.000000001Z',
  '1582-10-10T00:00:00Z',
  '1969-12-31T23:59:59.5Z',
  '1970-01-01T00:00:00Z',
  '2024-02-29T12:30:00.123456789Z',
  '9999-12-31T23:59:59.999999999Z',
];

const VALUES: PropertyValues = {
  text: 'a "quoted" \\ text\n\u0000😀',
  empty: '',
  whole: 3,
  large: 2 ** 53,
  huge: 1.7976931348623157e308,
  tiny: 5e-324,
  zero: 0,
  fraction: 0.1,
  yes: true,
  no: false,
  list: ['b', '', 'a'],
  customprop_constructor: 'x',
  ['customprop___proto__']: 'y',
  moment: instant('2024-02-29T12:30:00.123456789Z'),
};

let driver: Driver;

beforeAll(() => {
  driver = testDriver();
});
afterAll(() => driver.close());

/** What Neo4j gives back for what it is sent. */
const echoed = async (sent: unknown): Promise<unknown> => {
  const { records } = await driver.executeQuery(
    'RETURN $sent AS echoed',
    { sent },
    { database: testNeo4j().database },
  );
  return records[0]?.get('echoed');
};

test('instants become zoned datetimes in UTC and come back as they were', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date(-62167219200000),
        max: new Date(253402300799000),
        noInvalidDate: true,
      }),
      fc.integer({ min: 0, max: 999_999_999 }),
      (date, nanos) => {
        const whole = date.toISOString().slice(0, 19);
        const at = instant(`${whole}.${`${nanos}`.padStart(9, '0')}Z`);
        expect(toInstant(toDateTime(at))).toEqual(at);
      },
    ),
  );
});

test.each(MOMENTS)('Neo4j keeps %s', async (utc) => {
  const back = await echoed(toDateTime(instant(utc)));
  expect(neo4j.isDateTime(back) && toInstant(back).utc).toBe(utc);
});

test('Neo4j keeps every kind of value, and numbers as floats', async () => {
  const back = (await echoed(toGraph(VALUES))) as Record<string, unknown>;
  expect(fromGraph(back)).toEqual(VALUES);
  expect(typeof back.whole).toBe('number');
  expect(neo4j.isInt(back.whole)).toBe(false);
});

test('what is to be unset stays null', () => {
  expect(toGraph({ name: null })).toEqual({ name: null });
});
