import fc from 'fast-check';

import { byCodeUnits, fold, nfc } from '../../src/model/fold';

const text = fc.string({ unit: 'binary' });

test.each([
  ['Ann', 'ann'],
  ['CAFE\u0301', 'café'],
  ['ÄÖÜẞ', 'äöüß'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
  ['σίσυφος', 'σίσυφοσ'],
  ['ΟΜΑΔΑΣ-ΑΒ', 'ομαδασ-αβ'],
  ['İ', 'i\u0307'],
  // No H with a line below is composed, but the h is.
  ['H\u0331', '\u1e96'],
  ['h\u0331', '\u1e96'],
  ['J\u030c', '\u01f0'],
  ['\u0399\u0308\u0301', '\u0390'],
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

const codePoints = function* (): Generator<string, void> {
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point);
  }
};

/** Texts of which a second fold makes something else. */
const unsettled = (texts: Iterable<string>): readonly string[] => {
  const found: string[] = [];
  for (const each of texts) {
    const once = fold(each);
    if (fold(once) !== once || once !== once.normalize('NFC')) found.push(each);
  }
  return found;
};

/** Characters that lower case changes, and those that NFC joins with others. */
const alike = (): { readonly cased: readonly string[]; readonly joining: readonly string[] } => {
  const cased: string[] = [];
  const joining = new Set<string>();
  for (const each of codePoints()) {
    if (each.toLowerCase() !== each || each.toUpperCase() !== each) cased.push(each);
    for (const part of [...each.normalize('NFD')].slice(1)) joining.add(part);
  }
  return { cased, joining: [...joining] };
};

describe('a folded text stays as it is when it is folded again', () => {
  const { cased, joining } = alike();
  // Casing looks at what stands around a sigma, and NFC orders what follows a letter.
  const tricky = fc.constantFrom(...cased, ...joining, 'a', ' ', '.', '\u0345', '\u00ad', 'Σ');

  test('of each code point', () => {
    expect(unsettled(codePoints())).toEqual([]);
  });

  test('of each cased letter with each character that joins it', () => {
    const pairs = function* (): Generator<string, void> {
      for (const letter of cased) for (const mark of joining) yield letter + mark;
    };
    expect(unsettled(pairs())).toEqual([]);
  });

  test('of sequences of those', () => {
    fc.assert(
      fc.property(fc.array(tricky, { maxLength: 6 }), (parts) => {
        expect(unsettled([parts.join('')])).toEqual([]);
      }),
      { numRuns: 20_000 },
    );
  });

  test('of any text', () => {
    fc.assert(fc.property(text, (sent) => expect(unsettled([sent])).toEqual([])));
  });
});
