import { openPlace, sealPlace } from '../../../src/features/events/event-stream';

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
