import {
  type EventStreamDependencies,
  openEventStream,
  openPlace,
  sealPlace,
} from '../../../src/features/events/event-stream';

test('a sealed place is opened with its secret alone', () => {
  for (const place of [0, 7, 123_456_789]) {
    const sealed = sealPlace(place, 'secret');
    expect(openPlace(sealed, 'secret')).toBe(place);
    expect(openPlace(sealed, 'another')).toBeNull();
    expect(sealPlace(place, 'secret')).not.toBe(sealed);
    expect(sealed).toHaveLength(sealPlace(1, 'secret').length);
  }
});

test.each(['', '7', 'x', 'A'.repeat(59)])('%j is no sealed place', (text) => {
  expect(openPlace(text, 'secret')).toBeNull();
});

/** Streams of which no more may be open: who names a place of the stream is told so. */
const FULL = {
  placeSecret: () => Promise.resolve('secret'),
  watch: { open: () => 'all busy' },
} as unknown as EventStreamDependencies;

test.each([
  ['7', null, 'Exhausted'],
  ['7', ['p'], 'Invalid'],
  ['0', ['p'], 'Exhausted'],
  ['', ['p'], 'Exhausted'],
  [sealPlace(7, 'secret'), ['p'], 'Exhausted'],
  [sealPlace(7, 'another'), ['p'], 'Invalid'],
  ['x', null, 'Invalid'],
] as const)('after %j a reader of %j goes on: %s', async (after, providers, outcome) => {
  const access = () => Promise.resolve({ providers });
  const opened = await openEventStream(FULL)({
    filter: [],
    owner: 'k',
    after,
    providers,
    access,
  })();
  expect(opened).toMatchObject({ left: { _tag: outcome } });
});
