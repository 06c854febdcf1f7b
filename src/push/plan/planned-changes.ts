import type {
  PlannedChanges,
  PlannedNode,
  NodeReference,
  ChangedProperty,
} from '../../contract/answers/plan';
import type { Difference, HashedRow, PropertyChanges } from '../../difference/difference';
import { graphKey } from '../../graph/write/current-rows';
import type { PropertyValues, Row, Stated } from '../../rows/row/row';
import type { PlannedAccess } from '../../questions/changes/contract';
import type { DerivedChanges } from '../../graph/write/derived-changes';
import { ChangedStatements } from './changed-statements';
import { type Listed, listed } from './listed';
import { isRowOf, type Sight, plannedEnd, orderOfEnd } from './node-reference';

/** What a push does to a node or relationship. */
type Change = 'created' | 'changed' | 'removed';

/** A list that counts the created, changed and removed items. */
interface PlannedList<A> extends Listed<A> {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

interface NodeChange {
  readonly change: Change;
  readonly row: Row;
  readonly before?: HashedRow;
  readonly after?: HashedRow;
  readonly changes?: PropertyChanges;
}

interface StatedChange {
  readonly change: Change;
  readonly from: string;
  readonly to: string;
  readonly stated: Stated;
  readonly before?: PropertyValues;
  readonly changes?: PropertyChanges;
}

const nodeChanges = ({ created, changed, removed }: Difference): readonly NodeChange[] => [
  ...created.map(({ row }): NodeChange => ({ change: 'created', row })),
  ...changed.map(({ before, after, changes }): NodeChange => ({
    change: 'changed',
    row: after.row,
    before,
    after,
    changes,
  })),
  ...removed.map(({ row }): NodeChange => ({ change: 'removed', row })),
];

const statedChanges = (
  { linked, relabelled, unlinked }: Difference,
  dataSource: string,
): readonly StatedChange[] => {
  const ends = (row: string, { kind, other }: Stated): { from: string; to: string } => {
    const [from, to] = kind.owner === 'from' ? [row, other] : [other, row];
    return { from: graphKey(dataSource, kind.from, from), to: graphKey(dataSource, kind.to, to) };
  };
  return [
    ...linked.map(({ row, stated }): StatedChange => ({
      change: 'created',
      stated,
      ...ends(row, stated),
    })),
    ...relabelled.map(({ row, stated, before, changes }): StatedChange => ({
      change: 'changed',
      stated,
      before,
      changes,
      ...ends(row, stated),
    })),
    ...unlinked.map(({ row, stated }): StatedChange => ({
      change: 'removed',
      stated,
      ...ends(row, stated),
    })),
  ];
};

// The answer leaves out look-up properties: they follow from the other properties (docs/rules.md:
// Own properties).
const answeredProperties = (
  before: PropertyValues,
  changes: PropertyChanges,
): Readonly<Record<string, ChangedProperty>> =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([name]) => !name.startsWith('fold_'))
      .map(([name, to]) => [name, { from: before[name] ?? null, to }]),
  );

/**
 * Tells what changes in a node. If the node holds all properties and statements already, the push
 * writes only its row hash.
 */
const answeredChanges = (
  { row, before, after, changes }: NodeChange,
  statements: ChangedStatements,
): Pick<PlannedNode, 'properties' | 'tags' | 'relationships'> => {
  if (before === undefined || after === undefined || changes === undefined) return {};
  const properties = answeredProperties(before.row.properties, changes);
  const isSame = Object.keys(properties).length === 0 && statements.isSame(row.key);
  return {
    properties: isSame ? { row_hash: { from: before.hash, to: after.hash } } : properties,
    tags: statements.tags(row.key),
    relationships: statements.relationships(row.key),
  };
};

const nameOf = ({ properties: { name } }: Row): string | null =>
  typeof name === 'string' ? name : null;

const counted = <A extends { readonly change: Change }, B>(
  items: readonly A[],
  orderOf: (item: A) => readonly string[],
  limit: number,
  tell: (item: A) => B,
): PlannedList<B> => {
  const { total, truncated, values } = listed(items, orderOf, limit, tell);
  const count = (change: Change): number => items.filter((item) => item.change === change).length;
  return {
    total,
    created: count('created'),
    changed: count('changed'),
    removed: count('removed'),
    truncated,
    values,
  };
};

/** What follows from the rows of a push. */
export interface Followed {
  /** At shared nodes and other rows. */
  readonly bound: DerivedChanges;
  /** The changes of effective access; `null` if the answer leaves them out. */
  readonly access: PlannedAccess | null;
}

/** Names those in a list of changes of access that only the push would create: they have no page yet. */
const withCreated = (
  access: PlannedAccess,
  difference: Difference,
  bound: DerivedChanges,
  dataSource: string,
): PlannedAccess => {
  const all = new Set([
    ...difference.created.map(({ row }) => graphKey(dataSource, row.kind, row.key)),
    ...bound.sharedChanges.filter(({ change }) => change === 'created').map(({ key }) => key),
  ]);
  const listed = access.values.flatMap(({ principal, resource, human }) => [
    principal.id,
    resource.id,
    ...(human == null ? [] : [human.id]),
  ]);
  const created = [...new Set(listed)].filter((id) => all.has(id));
  return created.length === 0 ? access : { ...access, created };
};

/**
 * Tells what a push changes: its own rows, and what follows from them at shared nodes and other
 * rows (docs/api.md: Plan).
 *
 * A key that is limited to providers sees only what follows from the data source's own rows
 * (docs/security.md: What a key that is limited to providers can infer).
 */
export const plannedChanges = (
  difference: Difference,
  { bound, access }: Followed,
  limit: number,
  sight: Sight,
): PlannedChanges => {
  const { dataSource, seesOthers } = sight;
  const derived = seesOthers
    ? bound.derivedChanges
    : bound.derivedChanges.filter(
        ({ from, to }) => isRowOf(from, dataSource) && isRowOf(to, dataSource),
      );
  const end = (key: string): NodeReference => plannedEnd(key, sight);
  const statements = new ChangedStatements(difference, limit, sight);
  return {
    ...(seesOthers ? {} : { limited: true }),
    nodes: counted(
      nodeChanges(difference),
      ({ row }) => [nameOf(row) ?? '', row.key],
      limit,
      (each) => ({
        change: each.change,
        ...end(graphKey(dataSource, each.row.kind, each.row.key)),
        name: nameOf(each.row),
        ...answeredChanges(each, statements),
      }),
    ),
    relationships: counted(
      statedChanges(difference, dataSource),
      ({ from, to, stated }) => [
        stated.kind.type,
        ...orderOfEnd(from),
        ...orderOfEnd(to),
        stated.identity,
      ],
      limit,
      ({ change, stated, from, to, before, changes }) => ({
        change,
        type: stated.kind.type,
        from: end(from),
        to: end(to),
        ...(changes === undefined ? {} : { properties: answeredProperties(before ?? {}, changes) }),
      }),
    ),
    shared_nodes: seesOthers
      ? counted(
          bound.sharedChanges,
          ({ key }) => [key],
          limit,
          ({ change, key }) => ({ change, ...end(key), name: null }),
        )
      : null,
    derived_relationships: counted(
      derived,
      ({ type, from, to }) => [type, ...orderOfEnd(from), ...orderOfEnd(to)],
      limit,
      ({ change, type, from, to }) => ({ change, type, from: end(from), to: end(to) }),
    ),
    access_changes: access === null ? null : withCreated(access, difference, bound, dataSource),
  };
};
