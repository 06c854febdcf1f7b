import fc from 'fast-check';

import { candidateTexts } from '../../../src/codec/hints/candidate-texts';

const one = (
  title: string,
  provider: string | null,
  email: string | null,
  id: string,
): { readonly title: string; readonly fields: Readonly<Record<string, string | null>> } => ({
  title,
  fields: { provider, email, id },
});

test('candidates are told apart by the fewest fields that differ', () => {
  expect(candidateTexts([one('user "a"', 'p', 'e', '1'), one('user "b"', 'p', 'e', '1')])).toEqual([
    'user "a"',
    'user "b"',
  ]);
  expect(candidateTexts([one('user "a"', 'p', 'e', '1'), one('user "a"', 'q', 'f', '2')])).toEqual([
    'user "a" (provider "p")',
    'user "a" (provider "q")',
  ]);
  const three = [one('a', 'p', 'e', '1'), one('a', 'p', 'f', '2'), one('a', 'q', null, '2')];
  expect(candidateTexts(three)).toEqual(['a (email "e")', 'a (email "f")', 'a']);
  expect(candidateTexts(three.slice(0, 1), ['id'])).toEqual(['a (id "1")']);
});

test('whatever differs in some fields differs in words', () => {
  const text = fc.constantFrom('a', 'b', null);
  const some = fc.uniqueArray(
    fc.record({ provider: text, email: text, id: fc.constantFrom('1', '2') }),
    {
      minLength: 2,
      maxLength: 6,
      selector: (fields) => JSON.stringify(fields),
    },
  );
  fc.assert(
    fc.property(some, (all) => {
      const words = candidateTexts(all.map((fields) => ({ title: 'user "x"', fields })));
      expect(new Set(words).size).toBe(all.length);
    }),
  );
});
