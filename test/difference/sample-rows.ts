import fc from 'fast-check';

import { IdpApp } from '../../src/templates/identity-provider/apps';
import { IdpGroup } from '../../src/templates/identity-provider/groups';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { Tag } from '../../src/model/shared-nodes';
import type { Difference, HashedRow, Link, PropertyChanges } from '../../src/difference/difference';
import {
  type PropertyValues,
  type Row,
  stated,
  type Stated,
  type Value,
} from '../../src/rows/row/row';
import { rowHash } from '../../src/rows/row/row-hash';

const memberOf = relationshipKind(IdpUser, 'MEMBER_OF', IdpGroup);
const tagged = relationshipKind(IdpUser, 'TAGGED', Tag);
const assignedTo = relationshipKind(IdpUser, 'ASSIGNED_TO', IdpApp);

/** A user's row; what is not given is empty. */
export const userRow = (name: string, more: Partial<Row> = {}): Row => ({
  kind: IdpUser,
  key: `IdpUser|${name}`,
  properties: {},
  lookups: {},
  relationships: [],
  tags: [],
  ...more,
});

/** A membership in a group. */
export const member = (group: string): Stated => stated(memberOf, `IdpGroup|${group}`);

/** An assignment to an app, told apart by its id. */
export const assignment = (app: string, id: string, name?: string): Stated =>
  stated(assignedTo, `IdpApp|${app}`, name === undefined ? { id } : { id, name });

/** A row with its hash. */
export const hashed = (row: Row): HashedRow => ({ row, hash: rowHash(row) });

/** Rows by key, as they stand. */
export const standing = (rows: readonly Row[]): ReadonlyMap<string, HashedRow> =>
  new Map(rows.map((row) => [row.key, hashed(row)]));

/** Hashes of rows by key. */
export const hashes = (rows: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(rows.map((row) => [row.key, rowHash(row)]));

const value: fc.Arbitrary<Value> = fc.constantFrom<Value>(
  'a',
  'b',
  1,
  true,
  false,
  ['a'],
  ['a', 'b'],
);
const properties = fc.dictionary(fc.constantFrom('name', 'email', 'full_name'), value, {
  noNullPrototype: true,
});
const relationship = fc.oneof(
  fc.constantFrom('g', 'h', 'i').map(member),
  fc
    .tuple(
      fc.constantFrom('x', 'y'),
      fc.constantFrom('1', '2'),
      fc.constantFrom(undefined, 'm', 'n'),
    )
    .map(([app, id, name]) => assignment(app, id, name)),
);

const row: fc.Arbitrary<Row> = fc
  .record({
    name: fc.constantFrom('ann', 'bob', 'cyd', 'dee', 'eve'),
    properties,
    lookups: fc.dictionary(fc.constantFrom('fold_id', 'fold_name'), fc.constantFrom('a', 'b'), {
      noNullPrototype: true,
    }),
    relationships: fc.uniqueArray(relationship, {
      selector: ({ identity }) => identity,
      maxLength: 4,
    }),
    tags: fc.uniqueArray(fc.constantFrom('Tag|a|', 'Tag|b|', 'Tag|c|1'), { maxLength: 3 }),
  })
  .map(({ name, ...more }) => userRow(name, more));

/** The rows of a data source. */
export const rows: fc.Arbitrary<readonly Row[]> = fc.uniqueArray(row, {
  selector: ({ key }) => key,
  maxLength: 5,
});

const changed = <A>(
  before: Readonly<Record<string, A>>,
  changes: PropertyChanges,
): Record<string, A> => {
  const after = { ...before };
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) delete after[name];
    else after[name] = change as A;
  }
  return after;
};

/** A graph as a store would keep it: nodes apart from relationships. */
export interface Kept {
  readonly nodes: Map<string, { properties: Record<string, unknown>; hash: string }>;
  readonly links: Map<string, PropertyValues>;
}

const linkKey = ({ row: key, stated: { identity } }: Link): string => `${key} ${identity}`;

const linksOf = (row: Row): readonly Link[] => [
  ...row.relationships.map((one) => ({ row: row.key, stated: one })),
  ...row.tags.map((tag) => ({ row: row.key, stated: stated(tagged, tag) })),
];

/** What a store keeps of rows. */
export const kept = (all: readonly Row[]): Kept => ({
  nodes: new Map(
    all.map((one) => [
      one.key,
      { properties: { ...one.properties, ...one.lookups }, hash: rowHash(one) },
    ]),
  ),
  links: new Map(
    all.flatMap(linksOf).map((link) => [linkKey(link), link.stated.properties] as const),
  ),
});

/** What rows come to by a difference. */
export const applied = (before: readonly Row[], difference: Difference): Kept => {
  const all = kept(before);
  apply(all, difference);
  return all;
};

/** Applies a difference as plainly as possible; what should be there and is not, or the other way round, is a mistake. */
export const apply = ({ nodes, links }: Kept, difference: Difference): void => {
  const demand = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(what);
  };
  for (const { row: one, hash } of difference.created) {
    demand(!nodes.has(one.key), `${one.key} stands`);
    nodes.set(one.key, { properties: { ...one.properties, ...one.lookups }, hash });
  }
  for (const { after, changes } of difference.changed) {
    const node = nodes.get(after.row.key);
    demand(node !== undefined, `${after.row.key} is not there`);
    nodes.set(after.row.key, {
      properties: changed(node?.properties ?? {}, changes),
      hash: after.hash,
    });
  }
  for (const { row: one, changes } of difference.followed) {
    const node = nodes.get(one.key);
    demand(node !== undefined, `${one.key} is not there`);
    nodes.set(one.key, {
      properties: changed(node?.properties ?? {}, changes),
      hash: node?.hash ?? '',
    });
  }
  for (const link of difference.unlinked)
    demand(links.delete(linkKey(link)), `no ${linkKey(link)}`);
  for (const link of difference.linked) {
    demand(!links.has(linkKey(link)), `${linkKey(link)} stands`);
    links.set(linkKey(link), link.stated.properties);
  }
  for (const link of difference.relabelled) {
    const standing = links.get(linkKey(link));
    demand(standing !== undefined, `no ${linkKey(link)}`);
    links.set(linkKey(link), changed(standing ?? {}, link.changes));
  }
  for (const { row: one, hash } of difference.proven) {
    const node = nodes.get(one.key);
    demand(node !== undefined, `${one.key} is not there`);
    if (node !== undefined) node.hash = hash;
  }
  for (const { row: one } of difference.removed) demand(nodes.delete(one.key), `no ${one.key}`);
};
