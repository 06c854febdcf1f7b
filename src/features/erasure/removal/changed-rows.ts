import type { Difference, HashedRow } from '../../../difference/difference';
import { DifferenceBuilder } from '../../../difference/difference';
import { grouped } from '../../../model/grouped';
import { hasProperties } from '../../../model/table';
import { lookupsOf } from '../../../rows/row/lookups';
import {
  type PropertyValues,
  type Row,
  stated as statedAs,
  type Value,
} from '../../../rows/row/row';
import { UNKNOWN_HASH } from '../../../rows/row/row-hash';
import type { Runner } from '../../../neo4j/transaction';
import { type DataSourceState, readState } from '../../../push/graph/contract';
import { graphKey, keysByKind, readRows } from '../../../graph/write/current-rows';
import type { Decisions } from '../person/doubt';
import { FOLLOWING, mayStay, isSharedName } from '../person/named-entities';
import type { NamesHere } from '../person/names';
import { dataSourceOf, placeOf } from '../person/people';
import type { Person } from '../person/person-search';
import type { Span } from '../person/span';
import { NOT_ANY, withoutNames } from './without-names';

/** What goes and changes in one data source. */
export interface ErasedRows {
  readonly state: DataSourceState;
  readonly difference: Difference;
}

/** A relationship of a row to another node, in a set of such. */
export const pairOf = (row: string, end: string): string => JSON.stringify([row, end]);

/** What an erasure has decided about keys and names. It holds for the rows of all data sources. */
export interface Certain {
  readonly person: Person;
  readonly decisions: Decisions;
  /** Keys of nodes to remove, each with the times when it belonged to somebody else. */
  readonly gone: ReadonlyMap<string, readonly Span[]>;
  /** Relationships to removed nodes that belong to somebody else. */
  readonly others: ReadonlySet<string>;
  /** Rows that lose all names, doubtful ones too. */
  readonly wholly: ReadonlySet<string>;
}

/** The names that a row may hold. */
const namesOf = (
  key: string,
  row: Pick<Row, 'properties'>,
  since: bigint,
  of: Certain,
): NamesHere => {
  if (of.decisions.isLeft(key)) return { certain: NOT_ANY, display: NOT_ANY, foreign: NOT_ANY };
  if (of.wholly.has(key))
    return { certain: of.person.names.all, display: NOT_ANY, foreign: NOT_ANY };
  return of.person.names.at(placeOf({ key, properties: row.properties }), {
    from: since,
    until: null,
  });
};

/** The row without the person. */
const rowWithout = (row: Row, dataSource: string, since: bigint, of: Certain): Row => {
  const { kind, lookups, tags } = row;
  const own = graphKey(dataSource, kind, row.key);
  const here = namesOf(own, row, since, of);
  const isGone = (key: string): boolean => {
    if (of.gone.has(key)) return !of.others.has(pairOf(own, key));
    return (
      !of.decisions.isLeft(key) &&
      (isSharedName(key, here.certain) || isSharedName(key, here.display))
    );
  };
  const properties: PropertyValues = FOLLOWING.has(kind.label)
    ? row.properties
    : withoutNames<Value>(kind.label, row.properties, here, (name) => mayStay(kind.label, name));
  const relationships = row.relationships.flatMap((each) => {
    const end = each.kind.owner === 'from' ? each.kind.to : each.kind.from;
    if (isGone(graphKey(dataSource, end, each.other))) return [];
    if (!hasProperties(each.kind)) return [each];
    const remaining = withoutNames<Value>('', each.properties, here, () => false);
    if (remaining === each.properties) return [each];
    // Without the property that distinguishes it, it would be another relationship.
    if (each.kind.distinguishedBy.some((name) => remaining[name] !== each.properties[name]))
      return [];
    return [statedAs(each.kind, each.other, remaining)];
  });
  const path = lookups.fold_id_path;
  return {
    ...row,
    properties,
    relationships,
    tags: tags.filter((tag) => !isGone(tag)),
    ...(properties !== row.properties && {
      lookups: {
        ...lookupsOf(kind, properties),
        ...(path !== undefined && { fold_id_path: path }),
      },
    }),
  };
};

/** What changes in each data source, by the keys of its rows that go and that may change. */
export const differences = async (
  tx: Runner,
  { certain }: { readonly certain: Certain },
  removed: ReadonlySet<string>,
  changed: ReadonlySet<string>,
  sinceOf: (key: string) => bigint,
): Promise<readonly ErasedRows[]> => {
  const found: ErasedRows[] = [];
  const sources = grouped([...removed, ...changed], (key) => dataSourceOf(key));
  for (const id of [...sources.keys()].sort()) {
    const state = await readState(tx, id);
    const local = (sources.get(id) ?? []).map((key) => key.slice(dataSourceOf(key).length + 1));
    const rows = await readRows(tx, id, keysByKind(state.provider.template, local));
    const builder = new DifferenceBuilder();
    for (const hashed of [...rows.values()].sort((a, b) => (a.row.key < b.row.key ? -1 : 1))) {
      const key = graphKey(id, hashed.row.kind, hashed.row.key);
      if (removed.has(key)) builder.remove(hashed);
      else builder.change(hashed, rowWithout(hashed.row, id, sinceOf(key), certain));
    }
    const { difference } = builder;
    if (difference.changed.length + difference.removed.length + difference.followed.length > 0) {
      found.push({ state, difference: withUnknown(difference) });
    }
  }
  return found;
};

/** A row with an unknown hash still has an unknown hash afterwards. */
const withUnknown = (difference: Difference): Difference => ({
  ...difference,
  changed: difference.changed.map((row) =>
    row.before.hash === UNKNOWN_HASH ? { ...row, after: unknown(row.after) } : row,
  ),
});

const unknown = ({ row }: HashedRow): HashedRow => ({ row, hash: UNKNOWN_HASH });
