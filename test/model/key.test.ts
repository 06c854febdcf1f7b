import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
  keyBelow,
  keyOf,
  keyOfTyped,
  keyStart,
  typedKeyStart,
  unescapePart,
} from '../../src/model/key';

const DATA_SOURCE_AND_BAR = 37;
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '%', '|', '2', '5', '7', 'C', '#', '/', '') }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'grapheme', minLength: 150, maxLength: 256 }),
);
const tuple = fc.array(part, { minLength: 1, maxLength: 6 });

test.each([
  [['IdpUser', 'ann'], 'IdpUser|ann'],
  [['IdpUser', 'a|b'], 'IdpUser|a%7Cb'],
  [['IdpUser', '100%'], 'IdpUser|100%25'],
  [['IdpUser', 'a%7Cb'], 'IdpUser|a%257Cb'],
  [['IdpUser', 'ann#EXT#'], 'IdpUser|ann%23EXT%23'],
  [['Tag', 'team', ''], 'Tag|team|'],
  [['RoleAssignment', 'crm', 'idp', '', 'r', ''], 'RoleAssignment|crm|idp||r|'],
])('joins and escapes the parts %j', (parts, key) => {
  expect(keyOf(...parts)).toBe(key);
});

test('two different tuples never give one key', () => {
  fc.assert(
    fc.property(tuple, tuple, (a, b) => {
      fc.pre(JSON.stringify(a) !== JSON.stringify(b));
      expect(keyOf(...a)).not.toBe(keyOf(...b));
    }),
  );
});

/** Parts of a key that was shortened, to be read as the parts of one that was not. */
const shortenedParts = tuple.map((parts) =>
  keyOf(...parts, 'x'.repeat(476))
    .split('|')
    .map(unescapePart),
);
const adversarial = fc.oneof(
  tuple,
  shortenedParts,
  shortenedParts.map((parts) => [...parts, 'more']),
);
const bytes = (text: string): number => Buffer.byteLength(text);

test('a tuple that spells a shortened key has another key', () => {
  fc.assert(
    fc.property(tuple, adversarial, (start, other) => {
      const long = [...start, 'x'.repeat(476)];
      const spelled = keyOf(...long)
        .split('|')
        .map(unescapePart);
      const tuples = [long, spelled, spelled.slice(0, -1), other];
      const distinct = new Set(tuples.map((each) => JSON.stringify(each)));
      expect(new Set(tuples.map((each) => keyOf(...each))).size).toBe(distinct.size);
    }),
  );
});

test('a resource is told apart by type and id, by its place, and whatever either spells', () => {
  const short = fc.string({ unit: fc.constantFrom('a', '#', '/', '|', '%', '2', '3') });
  const resource = fc.record({
    application: short,
    type: short,
    id: fc.oneof(
      short,
      shortenedParts.map((parts) => parts.at(-1) ?? ''),
    ),
    filled: fc.boolean(),
  });
  const keysOf = ({
    application,
    type,
    id,
    filled,
  }: typeof resource extends fc.Arbitrary<infer R> ? R : never) => {
    const name = filled ? id.padEnd(480, 'x') : id;
    const top = keyOf('Resource', application, `/${type}`, name);
    const typed = keyOfTyped('Resource', application, type, name);
    return [top, typed, keyBelow(top, `/${type}`, name), keyBelow(typed, `/${type}`, name)];
  };
  fc.assert(
    fc.property(resource, resource, (a, b) => {
      const isSame = JSON.stringify(a) === JSON.stringify(b);
      expect(new Set([...keysOf(a), ...keysOf(b)]).size).toBe(isSame ? 4 : 8);
    }),
  );
});

test('a key begins as the start of its parts says, also when it is shortened', () => {
  fc.assert(
    fc.property(tuple, part, part, (start, type, id) => {
      expect(keyOf(...start, id).startsWith(keyStart(...start))).toBe(true);
      const [application = ''] = start;
      const key = keyOfTyped('Resource', application, type, id);
      expect(key.startsWith(typedKeyStart('Resource', application, type))).toBe(true);
      expect(bytes(key)).toBeLessThanOrEqual(475);
    }),
  );
});

test('an escaped part is read back', () => {
  fc.assert(
    fc.property(part, (text) =>
      expect(unescapePart(keyOf(text.slice(0, 40)))).toBe(text.slice(0, 40)),
    ),
  );
});

test('moving a bar between parts gives another key', () => {
  fc.assert(
    fc.property(part, part, (a, b) => {
      const keys = [[`${a}|${b}`], [a, b], [a, '', b], [`${a}|`, b], [a, `|${b}`]].map((parts) =>
        keyOf(...parts),
      );
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

test('no key exceeds 512 bytes with its data source, however deep', () => {
  fc.assert(
    fc.property(fc.array(tuple, { minLength: 1, maxLength: 5 }), ([first = [], ...levels]) => {
      const key = levels.reduce((above, parts) => keyBelow(above, ...parts), keyOf(...first));
      expect(Buffer.byteLength(key) + DATA_SOURCE_AND_BAR).toBeLessThanOrEqual(512);
      expect(key.isWellFormed()).toBe(true);
    }),
  );
});

describe('a long key', () => {
  const long = `LocalUser|crm|${'x'.repeat(475 - 14)}`;
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

  test('of just 475 bytes stays as it is', () => {
    expect(keyOf('LocalUser', 'crm', 'x'.repeat(475 - 14))).toBe(long);
  });

  test('of one byte more ends in the SHA-256 of the whole', () => {
    const key = keyOf('LocalUser', 'crm', 'x'.repeat(476 - 14));
    expect(key).toBe(`${`${long}x`.slice(0, 410)}#${sha(`${long}x`)}`);
  });

  test.each([0, 1, 2, 3])('is not cut within a character that begins %i bytes before', (before) => {
    const name = `${'x'.repeat(410 - 'Tag|'.length - before)}${'😀'.repeat(30)}`;
    const whole = `Tag|${name}`;
    const kept = before === 0 ? whole.slice(0, 410) : whole.slice(0, 410 - before);
    expect(keyOf('Tag', name)).toBe(`${kept}#${sha(whole)}`);
  });

  test('that differs only behind the cut stays different', () => {
    expect(keyOf('Tag', `${'x'.repeat(500)}a`)).not.toBe(keyOf('Tag', `${'x'.repeat(500)}b`));
  });

  test('goes on below in its shortened form', () => {
    const parent = keyOf('Resource', 'crm', '/folder', 'é'.repeat(256));
    const child = keyBelow(parent, '/file', 'a|b');
    expect(child).toBe(
      `${Buffer.from(`${parent}|/file|a%7Cb`).subarray(0, 410).toString()}#${sha(`${parent}|/file|a%7Cb`)}`,
    );
  });
});

test('a resource below another is told apart from one whose name holds a bar', () => {
  const parent = keyOf('Resource', 'crm', '/folder', 'a');
  expect(keyBelow(parent, '/folder', 'b')).toBe('Resource|crm|/folder|a|/folder|b');
  expect(keyOf('Resource', 'crm', '/folder', 'a|/folder|b')).toBe(
    'Resource|crm|/folder|a%7C/folder%7Cb',
  );
});
