import fc from 'fast-check';
import unhomoglyph from 'unhomoglyph';

import { fold } from '../../src/model/fold';
import { lookAlikes } from '../../src/rows/look-alikes';
import { inPlainLetters, lookOf } from '../../src/rows/row/plain-letters';

interface Called {
  readonly name: string;
  readonly identity?: string;
  readonly email?: string;
  readonly full_name?: string;
}

const toldOf = (users: readonly Called[], more: object = {}): readonly string[] =>
  lookAlikes(
    {
      payload: { domains: [{ name: 'x' }], users: [...users], groups: [], apps: [], ...more },
      pointerAsSent: (pointer: string) => pointer,
    },
    'identity_provider',
  ).map(({ pointer, message, code }) => {
    expect(code).toBe('LOOK_ALIKE');
    return `${pointer} ${message}`;
  });

test.each([
  ['a letter of another script', 'ann', '\u0430nn'],
  ['in other case', 'ANN', '\u0430nn'],
  ['letters of full width', 'ann', '\uff41nn'],
  ['a ligature', 'fink', '\ufb01nk'],
  ['a sign without width', 'ann', 'an\u200bn'],
  ['a mark of direction', 'ann', 'ann\u200e'],
  ['a soft hyphen', 'ann', 'a\u00adnn'],
  ['a hyphen', 'ann-bea', 'ann\u2010bea'],
  ['an address', 'ann@corp.example', '\u0430nn@corp.example'],
  ['with a letter of ASCII that looks like another', 'b01', 'b\u043el'],
  ['two that are both unusual', '\u0430nn', 'a\u0578n'],
])('names that look alike are told: %s', (_, plain, other) => {
  expect(toldOf([{ name: plain }, { name: other }])).toHaveLength(
    [plain, other].filter((name) => /\P{ASCII}/u.test(name)).length,
  );
});

test.each([
  ['ASCII alone', 'bill', 'bi1l'],
  ['ASCII alone, two letters for one', 'mary', 'rnary'],
  ['the same name in other case', 'Zo\u00eb', 'ZO\u00cb'],
  ['the same name composed otherwise', 'Zo\u00eb', 'Zoe\u0308'],
  ['a letter with a mark', 'm\u00fcller', 'muller'],
  ['another name', '\u0438\u0432\u0430\u043d', 'ivan'],
  ['another name of the same script', '\u0410\u043d\u043d\u0430', '\u0410\u043b\u043b\u0430'],
])('other names are not told: %s', (_, one, other) => {
  expect(toldOf([{ name: one }, { name: other }])).toEqual([]);
});

test('the warning names both, and the letters that differ', () => {
  expect(toldOf([{ name: '\u0430nn' }, { name: 'ann' }])).toEqual([
    '/users/0 The name "\u0430nn" looks like "ann" of user "ann" and is another: it has U+0430 (user "\u0430nn")',
  ]);
});

test('names of one user do not warn of each other; each user has one warning', () => {
  const ann = { name: '\u0430nn', identity: 'ann', email: '\u0430nn@x', full_name: 'ann@x' };
  expect(toldOf([ann])).toEqual([]);
  expect(toldOf([ann, { name: 'b', email: 'ann@x', full_name: 'Ann' }])).toHaveLength(1);
});

test('a group does not look like a user, and a user of another kind of name does', () => {
  expect(toldOf([{ name: 'ann' }], { groups: [{ name: '\u0430nn' }] })).toEqual([]);
  expect(toldOf([{ name: 'x', email: 'ann' }, { name: '\u0430nn' }])).toHaveLength(1);
});

test('as many warnings come as there are users who look like others, whatever they look like', () => {
  // Each has another look-alike of the one look: pairs would be 250,000.
  const letters = ['a', '\u0430', '\u03b1', '\u0251', '\u237a'];
  const users = Array.from({ length: 500 }, (_, at) => {
    const digits = [...at.toString(5).padStart(4, '0')];
    return { name: digits.map((digit) => letters[Number(digit)]).join('') };
  });
  expect(toldOf(users)).toHaveLength(499);
});

test('letter by letter a text has the look that the library gives it as a whole', () => {
  const letters = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(letters, (text) => {
      const seen = fold(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
      expect(lookOf(text)).toBe(fold(unhomoglyph(/\P{ASCII}/u.test(text) ? seen : fold(text))));
    }),
  );
});

test('a text of ASCII has the look that the library gives it, and its own plain letters', () => {
  const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
  for (const letter of ascii) {
    // With a letter beyond ASCII the look is found in the general way.
    expect(`${lookOf(letter)}\u0430`.replace('\u0430', 'a')).toBe(lookOf(`${letter}\u0430`));
    expect(inPlainLetters(letter)).toBe(letter.toLowerCase());
  }
});
