import fc from 'fast-check';

import { accountIn } from '../../src/features/reviews/evidence/tables';
import { type NodeInWords, nodeInWords } from '../../src/features/reviews/rules/in-words';
import type { StoredItem } from '../../src/features/reviews/stored/store';

const identity = (name: string): NodeInWords => ({
  label: 'Identity',
  name,
  application: null,
  provider: null,
});

// Before, both read: ben, from Halden Corporate Directory.
test('no name reads as if it said a provider', () => {
  const words = nodeInWords(identity('ben, from Halden Corporate Directory'));
  expect(words).toBe('identity "ben, from Halden Corporate Directory"');
  const user = { ...identity('ben'), label: 'IdpUser', provider: 'Halden Corporate Directory' };
  expect(nodeInWords(user)).toBe('directory user "ben", from "Halden Corporate Directory"');
});

test('the tables of the evidence name what holds an item in the same words', () => {
  const holder = { key: '', label: 'Identity', name: 'ben, from Halden', application: null };
  const item = { properties: { shown: JSON.stringify({ holder }) } } as unknown as StoredItem;
  expect(accountIn(item)).toBe('identity "ben, from Halden"');
  expect(accountIn({ ...item, properties: {} })).toBe('');
});

test('two different nodes never read alike', () => {
  const text = fc
    .array(fc.constantFrom('a', '"', '\\', ', from ', ' in '), { maxLength: 5 })
    .map((parts) => parts.join(''));
  const node = fc.record({
    label: fc.constantFrom('Identity', 'IdpUser', 'LocalGroup'),
    name: text,
    application: fc.option(text),
    provider: fc.option(text),
  });
  fc.assert(
    fc.property(fc.uniqueArray(node, { selector: (each) => JSON.stringify(each) }), (nodes) => {
      expect(new Set(nodes.map(nodeInWords)).size).toBe(nodes.length);
    }),
  );
});
