import fc from 'fast-check';

import { compareHashes, type Difference, sizeOf } from '../../src/difference/difference';
import { fullDifference, desiredRows } from '../../src/difference/full-push';
import { stagesOf } from '../../src/difference/stages';
import { IdpApp } from '../../src/templates/identity-provider/apps';
import { IdpGroup } from '../../src/templates/identity-provider/groups';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { type Row, stated } from '../../src/rows/row/row';
import { rowHash, RULES_VERSION, UNKNOWN_HASH } from '../../src/rows/row/row-hash';
import { apply, hashes, kept, type Kept, rows, standing } from './sample-rows';

const inGroup = relationshipKind(IdpGroup, 'MEMBER_OF', IdpGroup);

const plain = { properties: {}, lookups: {}, relationships: [], tags: [] };
const apps: readonly Row[] = ['x', 'y'].map((id) => ({
  ...plain,
  kind: IdpApp,
  key: `IdpApp|${id}`,
}));

/** Groups that are members of one another, also in circles, before the users that are members of them or after. */
const directory: fc.Arbitrary<readonly Row[]> = fc
  .tuple(
    rows,
    fc.array(fc.tuple(fc.constantFrom('g', 'h', 'i'), fc.constantFrom('g', 'h', 'i'))),
    fc.boolean(),
  )
  .map(([users, memberships, isFirst]) => {
    const groups = ['g', 'h', 'i'].map((id): Row => ({
      ...plain,
      kind: IdpGroup,
      key: `IdpGroup|${id}`,
      relationships: [...new Set(memberships.filter(([a]) => a === id).map(([, b]) => b))].map(
        (other) => stated(inGroup, `IdpGroup|${other}`),
      ),
    }));
    return [...apps, ...(isFirst ? groups : []), ...users, ...(isFirst ? [] : groups)];
  });

/** What a push of rows changes where others stand, some of them not proven. */
const differenceOf = (
  before: readonly Row[],
  wanted: readonly Row[],
  unproven: ReadonlySet<string>,
): Difference => {
  const known = new Map(
    [...hashes(before)].map(([key, hash]) => [key, unproven.has(key) ? UNKNOWN_HASH : hash]),
  );
  const read = new Map(
    [...standing(before)].map(([key, one]) => [
      key,
      unproven.has(key) ? { ...one, hash: UNKNOWN_HASH } : one,
    ]),
  );
  return fullDifference(compareHashes(desiredRows(wanted), known, RULES_VERSION), read);
};

const withEarlierTags = (before: readonly Row[], wanted: readonly Row[]): readonly Row[] =>
  wanted.map((row) => {
    const earlier = before.find(({ key }) => key === row.key)?.tags ?? [];
    return { ...row, tags: [...new Set([...row.tags, ...earlier])] };
  });

/** What is kept of one row. */
const keptOf = ({ nodes, links }: Kept, key: string): unknown => ({
  node: nodes.get(key),
  links: [...links].filter(([name]) => name.startsWith(`${key} `)).sort(),
});

const scene = fc.record({
  before: fc.oneof(fc.constant<readonly Row[]>([]), directory),
  wanted: directory,
  unproven: fc.uniqueArray(fc.constantFrom('IdpUser|ann', 'IdpUser|bob', 'IdpGroup|g')),
  most: fc.integer({ min: 1, max: 6 }),
});

test('stages come to what is wanted, and after each transaction a hash proves its row', () => {
  fc.assert(
    fc.property(scene, ({ before, wanted: sent, unproven, most }) => {
      const wanted = withEarlierTags(before, sent);
      const all = kept(before);
      const truths = [...before, ...wanted].map(
        (row) => [row.key, rowHash(row), kept([row])] as const,
      );
      const look = (): void => {
        for (const [key, hash, truth] of truths) {
          if (all.nodes.get(key)?.hash !== hash) continue;
          expect(keptOf(all, key)).toEqual(keptOf(truth, key));
        }
      };
      for (const key of unproven) {
        const node = all.nodes.get(key);
        if (node !== undefined) node.hash = UNKNOWN_HASH;
      }
      for (const { chunks } of stagesOf(differenceOf(before, wanted, new Set(unproven)), most)) {
        for (const difference of chunks) {
          apply(all, difference);
          look();
        }
      }
      const expected = kept(wanted);
      expect(all.nodes).toEqual(expected.nodes);
      expect(all.links).toEqual(expected.links);
    }),
    { numRuns: 500 },
  );
});

test('what a chunk draws leads to what stands before it, and a stage that binds brings no rows', () => {
  fc.assert(
    fc.property(scene, ({ before, wanted, unproven, most }) => {
      const ends = new Set(before.map(({ key }) => key));
      for (const { chunks, isBinding } of stagesOf(
        differenceOf(before, wanted, new Set(unproven)),
        most,
      )) {
        for (const { created, linked } of chunks) {
          for (const { row, stated: link } of linked) {
            for (const key of [row, link.other]) {
              expect(ends.has(key) || !key.startsWith('Idp')).toBe(true);
            }
          }
          expect(isBinding && created.length > 0).toBe(false);
          for (const { row } of created) ends.add(row.key);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('no transaction is larger than a chunk but by what proves rows', () => {
  fc.assert(
    fc.property(directory, fc.integer({ min: 3, max: 6 }), (wanted, most) => {
      for (const { chunks } of stagesOf(differenceOf([], wanted, new Set()), most)) {
        for (const chunk of chunks) expect(sizeOf(chunk)).toBeLessThanOrEqual(most + 1);
      }
    }),
    { numRuns: 300 },
  );
});
