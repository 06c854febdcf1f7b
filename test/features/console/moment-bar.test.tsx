import { documentOf } from '../../../src/features/console/frame/document';

const FRAME = { places: [], path: '/console', aside: null, sought: '', mayFind: true };

/** The page about two instants, for a reader in this time zone. */
const pageIn = (zone: string): string =>
  documentOf(FRAME, {
    title: 'Ann',
    body: <p>Ann</p>,
    zone,
    moment: {
      path: '/console',
      parameters: {},
      written: '2020-11-27',
      at: '2020-11-27T22:59:59.999999999Z',
      against: { written: '2020-11-01 10:54', at: '2020-11-01T09:54:59.999999999Z' },
    },
  });

// The bar showed the hours of UTC beside a date of the reader, above times in the zone of the reader.
test('the bar of a page shows its instants on clocks of the reader', () => {
  const [oslo, utc] = ['Europe/Oslo', 'UTC'].map((zone) =>
    [...pageIn(zone).matchAll(/<time [^>]*>([\d-]+)<span class="hour"> ([\d:]+)</g)].map(
      ([, date, time]) => `${date} ${time}`,
    ),
  );
  expect(oslo).toEqual(['2020-11-27 23:59:59', '2020-11-01 10:54:59']);
  expect(utc).toEqual(['2020-11-27 22:59:59', '2020-11-01 09:54:59']);
});
