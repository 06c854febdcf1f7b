import fc from 'fast-check';

import { byCodeUnits, fold, nfc } from '../../src/model/fold';

const text = fc.string({ unit: 'binary' });

test.each([
  ['Ann', 'ann'],
  ['CAFE\u0301', 'café'],
  ['ÄÖÜẞ', 'äöüß'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['İ', 'i\u0307'],
  ['K', 'k'],
])('folds %j to %j', (sent, folded) => {
  expect(fold(sent)).toBe(folded);
});

test('texts that differ by composition alone are one', () => {
  fc.assert(
    fc.property(text, (sent) => {
      expect(nfc(sent.normalize('NFD'))).toBe(nfc(sent));
      expect(fold(sent.normalize('NFD'))).toBe(fold(sent));
    }),
  );
});

test('NFC agrees with the platform and settles at once', () => {
  fc.assert(
    fc.property(text, (sent) => {
      expect(nfc(sent)).toBe(sent.normalize('NFC'));
      expect(nfc(nfc(sent))).toBe(nfc(sent));
    }),
  );
});

test('code units order what collation would not', () => {
  expect(['b', 'B', 'é', 'a', 'Z', '\u{1F600}', '\uFFFD'].sort(byCodeUnits)).toEqual([
    'B',
    'Z',
    'a',
    'b',
    'é',
    '\u{1F600}',
    '\uFFFD',
  ]);
});
