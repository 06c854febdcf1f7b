import fc from 'fast-check';

import { parseInstant } from '../../src/model/instant';
import { Application } from '../../src/templates/application/applications';
import { LocalUser } from '../../src/templates/application/local-users';
import { Permission } from '../../src/templates/application/permissions';
import { Resource } from '../../src/templates/application/resources';
import { IdpApp } from '../../src/templates/identity-provider/apps';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { Identity } from '../../src/model/shared-nodes';
import { type PropertyValues, type Row, stated } from '../../src/rows/row/row';
import { Digest } from '../../src/model/digest';
import { rowHash } from '../../src/rows/row/row-hash';

const ownedBy = relationshipKind(Resource, 'OWNED_BY', Identity);
const contained = relationshipKind(Application, 'CONTAINS', Resource);

const row: Row = {
  kind: Resource,
  key: 'Resource|crm|#doc|1',
  properties: { name: 'a', id: '1', customprop_level: 3 },
  lookups: { fold_id: '1' },
  relationships: [
    stated(contained, 'Application|crm'),
    stated(ownedBy, 'Identity|ann', { owner_type: 'human', primary: true }),
    stated(ownedBy, 'Identity|bob'),
  ],
  tags: ['Tag|a|', 'Tag|b|1'],
};

const reversed = (properties: PropertyValues): PropertyValues =>
  Object.fromEntries(Object.entries(properties).reverse());

test('is 64 hexadecimal digits', () => {
  expect(rowHash(row)).toMatch(/^[0-9a-f]{64}$/);
});

test('does not see in which order properties, relationships and tags come', () => {
  const shuffled: Row = {
    ...row,
    properties: reversed(row.properties),
    relationships: row.relationships
      .map(({ kind, other, properties }) => stated(kind, other, reversed(properties)))
      .toReversed(),
    tags: row.tags.toReversed(),
  };
  expect(rowHash(shuffled)).toBe(rowHash(row));
});

test('does not see look-ups (docs/rules.md: Nodes)', () => {
  expect(rowHash({ ...row, lookups: {} })).toBe(rowHash(row));
});

test('takes a moment for the same in whatever offset it was sent', () => {
  const at = (text: string): Row => ({
    ...row,
    properties: { created_at: parseInstant(text) ?? '' },
  });
  expect(rowHash(at('2024-01-01T00:30:00+01:00'))).toBe(rowHash(at('2023-12-31T23:30:00.000Z')));
});

test.each<[string, Partial<Row>]>([
  ['the kind', { kind: IdpApp }],
  ['the key', { key: 'Resource|crm|#doc|2' }],
  ['a value', { properties: { ...row.properties, name: 'b' } }],
  ['the type of a value', { properties: { ...row.properties, customprop_level: '3' } }],
  ['a value more', { properties: { ...row.properties, description: 'x' } }],
  ['a value less', { properties: { name: 'a', id: '1' } }],
  ['which property has a value', { properties: { name: '1', id: 'a', customprop_level: 3 } }],
  ['a relationship less', { relationships: row.relationships.slice(1) }],
  [
    'what a relationship says',
    {
      relationships: [
        ...row.relationships.slice(0, 2),
        stated(ownedBy, 'Identity|bob', { primary: false }),
      ],
    },
  ],
  ['a tag more', { tags: [...row.tags, 'Tag|c|'] }],
  ['a tag less', { tags: [] }],
  ['a tag in place of a relationship', { relationships: [], tags: ['Application|crm'] }],
])('sees %s', (_what, change) => {
  expect(rowHash({ ...row, ...change })).not.toBe(rowHash(row));
});

test('two rows of which one could be read into the other differ', () => {
  const blank = { lookups: {}, relationships: [], tags: [] };
  const hashes = [
    { ...blank, kind: LocalUser, key: 'k', properties: { a: 'b', c: 'd' } },
    { ...blank, kind: LocalUser, key: 'k', properties: { a: 'b,c,d' } },
    { ...blank, kind: LocalUser, key: 'k","a', properties: {} },
    { ...blank, kind: LocalUser, key: 'k', properties: { a: ['b', 'c', 'd'] } },
    { ...blank, kind: Permission, key: 'k', properties: { a: 'b', c: 'd' } },
    { ...blank, kind: IdpUser, key: 'k', properties: { a: 'b', c: 'd' } },
  ].map(rowHash);
  expect(new Set(hashes).size).toBe(hashes.length);
});

describe('what tells stated relationships apart', () => {
  const assigned = relationshipKind(IdpUser, 'ASSIGNED_TO', IdpApp);
  const identity = (properties: PropertyValues): string =>
    stated(assigned, 'IdpApp|x', properties).identity;

  test.each([
    ['an assignment: its id', identity({ id: '1' }), identity({ id: '2' }), false],
    ['an assignment: not its name', identity({ id: '1' }), identity({ id: '1', name: 'n' }), true],
    [
      'containment: nothing but the other end',
      stated(contained, 'a').identity,
      stated(contained, 'a', {}).identity,
      true,
    ],
    ['the other end', stated(contained, 'a').identity, stated(contained, 'b').identity, false],
    [
      'an owner: his type',
      stated(ownedBy, 'a', { owner_type: 'x' }).identity,
      stated(ownedBy, 'a').identity,
      false,
    ],
    [
      'an owner: whether primary',
      stated(ownedBy, 'a', { primary: false }).identity,
      stated(ownedBy, 'a').identity,
      false,
    ],
    [
      'an owner: both',
      stated(ownedBy, 'a', { owner_type: 'null' }).identity,
      stated(ownedBy, 'a', {}).identity,
      false,
    ],
    ['the kind', stated(ownedBy, 'a').identity, stated(contained, 'a').identity, false],
  ])('%s', (_what, a, b, same) => {
    expect(a === b).toBe(same);
  });
});

describe('Digest', () => {
  const hex = fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: 64,
    maxLength: 64,
  });
  const hashes = fc.array(hex, { maxLength: 8 });

  test('of nothing is zero', () => {
    expect(Digest.empty.hex).toBe('0'.repeat(64));
    expect(Digest.of(null).hex).toBe(Digest.empty.hex);
  });

  test('is the sum modulo 2^256', () => {
    const digest = Digest.empty.with(['f'.repeat(64), '0'.repeat(63) + '3']);
    expect(digest.hex).toBe('0'.repeat(63) + '2');
  });

  test('does not see the order of its hashes', () => {
    fc.assert(
      fc.property(hashes, (list) => {
        expect(Digest.empty.with(list.toReversed()).hex).toBe(Digest.empty.with(list).hex);
      }),
    );
  });

  test('what is added and taken away leaves nothing, in any order', () => {
    fc.assert(
      fc.property(hashes, hashes, (stay, go) => {
        const whole = Digest.empty.with([...stay, ...go]);
        expect(whole.with([], go).hex).toBe(Digest.empty.with(stay).hex);
        expect(Digest.empty.with([], go).with([...go, ...stay]).hex).toBe(
          Digest.empty.with(stay).hex,
        );
      }),
    );
  });

  test('counts a hash as often as it comes', () => {
    const one = 'a'.repeat(64);
    expect(Digest.empty.with([one, one]).hex).not.toBe(Digest.empty.with([one]).hex);
  });

  test('is read as it was written', () => {
    fc.assert(
      fc.property(hashes, (list) => {
        const digest = Digest.empty.with(list);
        expect(Digest.of(digest.hex).hex).toBe(digest.hex);
        expect(digest.hex).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });
});
