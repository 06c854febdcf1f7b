import { Afterwards, holdingOf } from '../../src/difference/afterwards';
import fc from 'fast-check';

import { compareHashes, type Difference, isEmpty } from '../../src/difference/difference';
import {
  followersOf,
  fullDifference,
  desiredRows,
  keysToRead,
  isCurrentAlready,
  withFollowers,
} from '../../src/difference/full-push';
import { Resource } from '../../src/templates/application/resources';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { type Row, stated } from '../../src/rows/row/row';
import { Digest } from '../../src/model/digest';
import { rowHash, RULES_VERSION, UNKNOWN_HASH } from '../../src/rows/row/row-hash';
import { applied, assignment, hashes, kept, member, rows, standing, userRow } from './sample-rows';

/** What a full push does: only what hashes cannot settle is read. */
const push = (
  before: readonly Row[],
  after: readonly Row[],
  version = RULES_VERSION,
): Difference => {
  const wanted = desiredRows(after);
  const comparison = compareHashes(wanted, hashes(before), version);
  const toRead = new Set(keysToRead(comparison));
  const all = standing(before);
  const read = new Map([...all].filter(([key]) => toRead.has(key)));
  const settled = fullDifference(comparison, read);
  const followers = followersOf(wanted, comparison, settled);
  return withFollowers(settled, followers, all);
};

/** The rows wanted, with the tags that they had: tags accumulate. */
const withEarlierTags = (before: readonly Row[], after: readonly Row[]): readonly Row[] =>
  after.map((row) => {
    const earlier = before.find(({ key }) => key === row.key)?.tags ?? [];
    return { ...row, tags: [...new Set([...row.tags, ...earlier])] };
  });

const sizes = (difference: Difference): Record<string, number> =>
  Object.fromEntries(
    Object.entries(difference)
      .map(([name, list]) => [name, (list as readonly unknown[]).length] as const)
      .filter(([, length]) => length > 0),
  );

describe('random rows', () => {
  test('the difference applied to what stands gives what is wanted, with earlier tags', () => {
    fc.assert(
      fc.property(rows, rows, (before, wanted) => {
        const after = withEarlierTags(before, wanted);
        expect(applied(before, push(before, wanted, RULES_VERSION - 1))).toEqual(kept(after));
      }),
      { numRuns: 500 },
    );
  });

  test('hashes settle the same but for look-ups, which follow from the rest', () => {
    const plain = rows.map((all) => all.map((row) => ({ ...row, lookups: {} })));
    fc.assert(
      fc.property(plain, plain, (before, wanted) => {
        expect(push(before, wanted)).toEqual(push(before, wanted, RULES_VERSION - 1));
      }),
    );
  });

  test('what stands already, in whatever order, is no difference', () => {
    fc.assert(
      fc.property(rows, (all) => {
        expect(isEmpty(push(all, all.toReversed()))).toBe(true);
        expect(isEmpty(push(all, all, RULES_VERSION - 1))).toBe(true);
      }),
    );
  });

  test('digest and number of rows are those of the rows after it', () => {
    fc.assert(
      fc.property(rows, rows, (before, wanted) => {
        const after = withEarlierTags(before, wanted);
        const { digest, rows } = new Afterwards(holdingOf(hashes(before)), push(before, wanted));
        expect([digest, rows]).toEqual([Digest.empty.with(after.map(rowHash)).hex, after.length]);
      }),
    );
  });

  test('nothing is read that a hash settles', () => {
    fc.assert(
      fc.property(rows, rows, (before, wanted) => {
        const comparison = compareHashes(desiredRows(wanted), hashes(before), RULES_VERSION);
        const [was, is] = [hashes(before), hashes(wanted)];
        for (const key of keysToRead(comparison)) expect(was.get(key)).not.toBe(is.get(key));
        expect(comparison.unchanged).toBe(
          wanted.filter(({ key }) => was.get(key) === is.get(key)).length,
        );
      }),
    );
  });
});

const ann = userRow('ann', {
  properties: { name: 'ann', email: 'a@x', is_active: true },
  relationships: [member('g'), assignment('app', '1', 'One')],
  tags: ['Tag|a|'],
});

describe('the least that leads from one row to another', () => {
  const changed = (more: Partial<Row>): Difference => push([ann], [{ ...ann, ...more }]);

  test.each<[string, Partial<Row>, object]>([
    ['a property set', { properties: { ...ann.properties, full_name: 'A' } }, { full_name: 'A' }],
    [
      'a property changed',
      { properties: { ...ann.properties, is_active: false } },
      { is_active: false },
    ],
    ['a property unset', { properties: { name: 'ann', email: 'a@x' } }, { is_active: null }],
    [
      'a list changed',
      { properties: { ...ann.properties, department: ['a', 'b'] } },
      { department: ['a', 'b'] },
    ],
  ])('%s', (_what, more, changes) => {
    const difference = changed(more);
    expect(sizes(difference)).toEqual({ changed: 1 });
    expect(difference.changed[0]?.changes).toEqual(changes);
  });

  test.each<[string, Partial<Row>, object]>([
    [
      'a membership more',
      { relationships: [...ann.relationships, member('h')] },
      { changed: 1, linked: 1 },
    ],
    [
      'a membership less',
      { relationships: ann.relationships.slice(1) },
      { changed: 1, unlinked: 1 },
    ],
    [
      'another membership',
      { relationships: [member('h'), ...ann.relationships.slice(1)] },
      { changed: 1, linked: 1, unlinked: 1 },
    ],
    [
      'an assignment renamed',
      { relationships: [member('g'), assignment('app', '1', 'Uno')] },
      { changed: 1, relabelled: 1 },
    ],
    [
      'an assignment of another id',
      { relationships: [member('g'), assignment('app', '2', 'One')] },
      { changed: 1, linked: 1, unlinked: 1 },
    ],
    [
      'an assignment to another app',
      { relationships: [member('g'), assignment('bpp', '1', 'One')] },
      { changed: 1, linked: 1, unlinked: 1 },
    ],
    ['a tag more', { tags: ['Tag|a|', 'Tag|b|'] }, { changed: 1, linked: 1 }],
    ['another tag, the old one staying', { tags: ['Tag|b|'] }, { changed: 1, linked: 1 }],
    ['no tag, the old one staying', { tags: [] }, {}],
    ['nothing but the order', { relationships: ann.relationships.toReversed() }, {}],
  ])('%s', (_what, more, expected) => {
    expect(sizes(changed(more))).toEqual(expected);
  });

  test('an assignment that loses its name says so', () => {
    const difference = changed({ relationships: [member('g'), assignment('app', '1')] });
    expect(difference.relabelled[0]?.changes).toEqual({ name: null });
  });

  test('a new row is created with all that it states', () => {
    expect(sizes(push([], [ann]))).toEqual({ created: 1, linked: 3 });
  });

  test('a row that is gone takes all that it stated with it, tags too', () => {
    expect(sizes(push([ann], []))).toEqual({ removed: 1, unlinked: 3 });
  });
});

describe('rows whose look-ups follow', () => {
  const contained = relationshipKind(Resource, 'CONTAINS', Resource);
  const resource = (
    id: string,
    parent: string | null,
    path: string,
    more: Partial<Row> = {},
  ): Row => ({
    kind: Resource,
    key: `Resource|${id}`,
    properties: { id },
    lookups: { fold_id_path: path },
    relationships: parent === null ? [] : [stated(contained, `Resource|${parent}`)],
    tags: [],
    ...more,
  });
  const below = (top: string): readonly Row[] => [
    resource(top, null, top),
    resource('b', top, `${top}.b`),
    resource('c', 'b', `${top}.b.c`),
    resource('d', 'c', `${top}.b.c.d`),
    resource('other', null, 'other'),
    resource('leaf', 'other', 'other.leaf'),
  ];

  test('what lies below a moved resource follows it, and nothing else does', () => {
    const difference = push(below('a'), below('z'));
    expect(sizes(difference)).toEqual({
      created: 1,
      changed: 1,
      followed: 2,
      linked: 1,
      removed: 1,
      unlinked: 1,
    });
    expect(difference.followed.map(({ row, changes }) => [row.key, changes])).toEqual([
      ['Resource|c', { fold_id_path: 'z.b.c' }],
      ['Resource|d', { fold_id_path: 'z.b.c.d' }],
    ]);
    expect(applied(below('a'), difference)).toEqual(kept(below('z')));
  });

  test('what lies below follows a resource that a push had moved before it was interrupted', () => {
    const [before, wanted] = [below('a'), desiredRows(below('z'))];
    const halfway = wanted.map(({ row }) => before.find(({ key }) => key === row.key) ?? row);
    const unproven = 'Resource|b';
    const isMoved = ({ key }: Row): boolean => key === unproven;
    const known = new Map([...hashes(halfway), [unproven, UNKNOWN_HASH]]);
    const moved = wanted.filter(({ row }) => isMoved(row)).map(({ row }) => row);
    const read = new Map(moved.map((row) => [row.key, { row, hash: UNKNOWN_HASH }]));
    const comparison = compareHashes(wanted, known, RULES_VERSION);
    const followers = followersOf(wanted, comparison, fullDifference(comparison, read));
    expect(followers.map(({ key }) => key)).toEqual(['Resource|c', 'Resource|d']);
  });

  test('what lies below follows past a row that keeps an earlier tag', () => {
    const tagged = (rows: readonly Row[]): readonly Row[] =>
      rows.map((row) => (row.key === 'Resource|c' ? { ...row, tags: ['Tag|old|'] } : row));
    const difference = push(tagged(below('a')), below('z'));
    expect(applied(tagged(below('a')), difference)).toEqual(kept(tagged(below('z'))));
  });

  test('what lies below follows past a path too long to be looked up', () => {
    const without = (rows: readonly Row[]): readonly Row[] =>
      rows.map((row) => (row.key === 'Resource|b' ? { ...row, lookups: {} } : row));
    const difference = push(without(below('a')), without(below('z')));
    expect(applied(without(below('a')), difference)).toEqual(kept(without(below('z'))));
  });

  test('a change that leaves the path alone is followed by nothing', () => {
    const renamed = below('a').map((row) =>
      row.key === 'Resource|a' ? { ...row, properties: { id: 'a', name: 'x' } } : row,
    );
    expect(sizes(push(below('a'), renamed))).toEqual({ changed: 1 });
  });
});

describe('what stands already', () => {
  const digest = Digest.empty.with([rowHash(ann)]).hex;
  const other = userRow('ann', { properties: { name: 'ann' } });

  test.each<[string, readonly Row[], string | null, number | null, boolean]>([
    ['the same rows', [ann], digest, RULES_VERSION, true],
    ['another row', [other], digest, RULES_VERSION, false],
    ['no rows', [], digest, RULES_VERSION, false],
    ['nothing pushed yet', [], null, null, false],
    ['hashes of other rules', [ann], digest, RULES_VERSION + 1, false],
  ])('%s', (_what, wanted, recorded, version, expected) => {
    expect(isCurrentAlready(desiredRows(wanted), recorded, version)).toBe(expected);
  });
});
