import fc from 'fast-check';

import { Instant, instantOf, justBefore, nanosOf, parseInstant } from '../../src/model/instant';

test.each([
  ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
  ['2024-01-02t03:04:05z', '2024-01-02T03:04:05Z'],
  ['2024-01-02T03:04:05.006Z', '2024-01-02T03:04:05.006Z'],
  ['2024-01-02T03:04:05.600Z', '2024-01-02T03:04:05.6Z'],
  ['2024-01-02T03:04:05.000Z', '2024-01-02T03:04:05Z'],
  ['2024-01-02T03:04:05.123456789Z', '2024-01-02T03:04:05.123456789Z'],
  ['2024-01-02T03:04:05.1234567899999Z', '2024-01-02T03:04:05.123456789Z'],
  ['2024-01-02T03:04:05.0000000001Z', '2024-01-02T03:04:05Z'],
  ['2024-01-02T03:04:05+00:00', '2024-01-02T03:04:05Z'],
  ['2024-01-02T03:04:05-00:00', '2024-01-02T03:04:05Z'],
  ['2024-01-02T03:04:05+05:30', '2024-01-01T21:34:05Z'],
  ['2024-01-02T23:04:05-05:30', '2024-01-03T04:34:05Z'],
  ['2023-12-31T23:30:00-01:00', '2024-01-01T00:30:00Z'],
  ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00Z'],
  ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
  ['2023-03-01T00:30:00.5+01:00', '2023-02-28T23:30:00.5Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
  ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00Z'],
  ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
  ['2024-06-01T12:00:00+23:59', '2024-05-31T12:01:00Z'],
])('reads %s as %s', (sent, utc) => {
  expect(parseInstant(sent)).toEqual(new Instant(utc));
});

test.each([
  '',
  '2024-01-02',
  '2024-01-02T03:04Z',
  '2024-01-02 03:04:05Z',
  '2024-01-02T03:04:05',
  '2024-01-02T03:04:05.Z',
  '2024-01-02T03:04:05,5Z',
  '2024-01-02T03:04:05+0530',
  '2024-01-02T03:04:05+05',
  '2024-01-02T03:04:05+24:00',
  '2024-01-02T03:04:05+05:60',
  '2024-01-02T24:00:00Z',
  '2024-01-02T03:60:00Z',
  '2016-12-31T23:59:60Z',
  '2024-00-02T03:04:05Z',
  '2024-13-02T03:04:05Z',
  '2024-01-00T03:04:05Z',
  '2024-01-32T03:04:05Z',
  '2024-04-31T03:04:05Z',
  '2023-02-29T03:04:05Z',
  '1900-02-29T03:04:05Z',
  '24-01-02T03:04:05Z',
  '12024-01-02T03:04:05Z',
  '-0001-01-02T03:04:05Z',
  '0000-01-01T00:30:00+01:00',
  '9999-12-31T23:30:00-01:00',
  ' 2024-01-02T03:04:05Z',
  '2024-01-02T03:04:05Z\n',
  '２024-01-02T03:04:05Z',
  '1704164645',
])('refuses %j', (sent) => {
  expect(parseInstant(sent)).toBeNull();
});

test('agrees with the platform on every date and offset', () => {
  const two = (value: number): string => `${value}`.padStart(2, '0');
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0001-01-02T00:00:00Z'),
        max: new Date('9999-12-30T00:00:00Z'),
        noInvalidDate: true,
      }),
      fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 }),
      (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const sign = offset < 0 ? '-' : '+';
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
        const read = parseInstant(`${local}${sign}${two(hours)}:${two(minutes)}`);
        expect(Date.parse(read?.utc ?? '')).toBe(moment.getTime());
      },
    ),
  );
});

test('is written as its one spelling', () => {
  expect(JSON.stringify({ at: parseInstant('2024-01-02T03:04:05.10+01:00') })).toBe(
    '{"at":"2024-01-02T02:04:05.1Z"}',
  );
});

// Before 1970 the last instant before another one was no instant.
test('the last instant before another one is a nanosecond before it, in each year', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -62_135_596_800_000_000_000n, max: 253_402_300_799_000_000_000n }),
      (nanos) => {
        const at = instantOf(nanos);
        expect(parseInstant(at.utc)).toEqual(at);
        expect([nanosOf(at), nanosOf(justBefore(at))]).toEqual([nanos, nanos - 1n]);
      },
    ),
  );
});
