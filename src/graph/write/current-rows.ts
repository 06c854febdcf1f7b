import { FOLDED_PROVIDER } from '../../model/folded-texts';
import type { HashedRow } from '../../difference/difference';
import { grouped } from '../../model/grouped';
import { keyStart } from '../../model/key';
import { Resource } from '../../templates/application/resources';
import { rowKinds } from '../../templates/graph/nodes';
import type { Template } from '../../templates/templates';
import { Tag } from '../../model/shared-nodes';
import { kindsOwnedBy, shortKindsOwnedBy } from '../../templates/graph/relationships';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import {
  type PropertyValues,
  type Row,
  type Stated,
  stated as statedAs,
  type Value,
} from '../../rows/row/row';
import { existingHash, UNKNOWN_HASH } from '../../rows/row/row-hash';
import { STANDING_HASHES } from '../rows/node-statements';
import { shortRows, wholeRows } from '../rows/row-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { fromGraph, fromGraphValue } from '../../neo4j/values';

/** The key in the graph of a row's node, or of the other node of one of its relationships. */
export const graphKey = (dataSource: string, kind: NodeKind, key: string): string =>
  kind.keeper === 'row' ? `${dataSource}|${key}` : kind.keeper === 'shared' ? key : dataSource;

/** The local key, from which `graphKey` made the key in the graph. */
export const localKey = (dataSource: string, kind: NodeKind, key: string): string =>
  kind.keeper === 'row' ? key.slice(dataSource.length + 1) : kind.keeper === 'shared' ? key : '';

/** Reads the hashes of all current rows of a data source, by local key. */
export const readHashes = async (
  tx: Runner,
  dataSource: string,
  template: Template,
): Promise<ReadonlyMap<string, string>> => {
  const pipeline = new Pipeline(tx);
  const hashes = new Map<string, string>();
  // One kind after the other: Neo4j gathers all rows of a statement before it sends them.
  const results = rowKinds[template].map(async ({ label }) => {
    const start = keyStart(label);
    const records = await pipeline.one<{ rows: readonly string[] }>(STANDING_HASHES, {
      prefix: `${dataSource}|${start}`,
      unknown: UNKNOWN_HASH,
    });
    return { start, records };
  });
  for (const { start, records } of await Promise.all(results)) {
    for (const record of records) {
      for (const row of record.get('rows')) {
        const key = start + row.slice(0, -UNKNOWN_HASH.length);
        hashes.set(key, row.slice(-UNKNOWN_HASH.length));
      }
    }
  }
  return hashes;
};

const withoutSince = (properties: PropertyValues): PropertyValues =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'since'));

/** The properties that the service adds to the row's own properties. */
export const SERVICE_PROPERTIES: ReadonlySet<string> = new Set([
  'key',
  'data_source',
  'provider',
  FOLDED_PROVIDER,
  'row_hash',
  'since',
  'changed',
]);

/** How to read rows of a kind: the statement, and the kinds of relationships that it gives. */
interface Reading {
  readonly statement: (kind: NodeKind) => string;
  readonly relationships: (kind: NodeKind) => readonly RelationshipKind[];
}

const WHOLE: Reading = { statement: wholeRows, relationships: kindsOwnedBy };
const SHORT: Reading = { statement: shortRows, relationships: shortKindsOwnedBy };

/**
 * Reads complete current rows with everything that they state, and leaves out keys without a row.
 * Calls `onRead` with the number of rows read so far; `onRead` may throw.
 */
export const readRows = (
  tx: Runner,
  dataSource: string,
  kinds: ReadonlyMap<NodeKind, readonly string[]>,
  onRead: (read: number) => void = () => undefined,
): Promise<ReadonlyMap<string, HashedRow>> => read(tx, dataSource, kinds, WHOLE, onRead);

const read = async (
  tx: Runner,
  dataSource: string,
  kinds: ReadonlyMap<NodeKind, readonly string[]>,
  { statement, relationships }: Reading,
  onRead: (read: number) => void,
): Promise<ReadonlyMap<string, HashedRow>> => {
  const pipeline = new Pipeline(tx);
  const rows = new Map<string, HashedRow>();
  await Promise.all(
    [...kinds].map(([kind, keys]) => {
      const graphKeys = keys.map((key) => graphKey(dataSource, kind, key));
      // Each batch becomes rows when it arrives, because the records of the driver need more
      // memory.
      return pipeline.each<{ rows: WholeRow[] }>(statement(kind), 'keys', graphKeys, (records) => {
        for (const record of records) {
          for (const whole of record.get('rows')) {
            const hashed = rowOf(dataSource, kind, relationships(kind), whole);
            rows.set(hashed.row.key, hashed);
          }
        }
        onRead(rows.size);
      });
    }),
  );
  return rows;
};

/** The key of the other node, with the properties of the relationship if its kind has any. */
type OtherEnd = string | readonly [string, Readonly<Record<string, unknown>>];

/** A row as these statements return it: the properties of its node, and what it states. */
type WholeRow = readonly [
  properties: Readonly<Record<string, unknown>>,
  stated: readonly (readonly OtherEnd[])[],
];

const rowOf = (
  dataSource: string,
  kind: NodeKind,
  kinds: readonly RelationshipKind[],
  [existing, stated]: WholeRow,
): HashedRow => {
  const properties: Record<string, Value> = {};
  const lookups: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(existing)) {
    if (SERVICE_PROPERTIES.has(name)) continue;
    if (name.startsWith('fold_')) lookups[name] = value as string | readonly string[];
    else properties[name] = fromGraphValue(value);
  }
  const relationships: Stated[] = [];
  const tags: string[] = [];
  kinds.forEach((relationship, index) => {
    const end = otherEnd(relationship);
    for (const other of stated[index] ?? []) {
      const [key, stored] = typeof other === 'string' ? [other] : other;
      const local = localKey(dataSource, end, key);
      if (end === Tag) tags.push(local);
      else if (stored === undefined) relationships.push(statedAs(relationship, local));
      else relationships.push(statedAs(relationship, local, withoutSince(fromGraph(stored))));
    }
  });
  const key = localKey(dataSource, kind, existing.key as string);
  return {
    row: { kind, key, properties, lookups, relationships, tags },
    hash: existingHash(existing.row_hash),
  };
};

/** Groups local keys by the kind of their node. Each key begins with the label of its kind. */
export const keysByKind = (
  template: Template,
  keys: Iterable<string>,
): ReadonlyMap<NodeKind, readonly string[]> => {
  const labels = new Map<string, NodeKind>(rowKinds[template].map((kind) => [kind.label, kind]));
  return grouped(keys, (key) => {
    const kind = labels.get(key.slice(0, key.indexOf('|')));
    if (kind === undefined) throw new Error(`no kind of row has the key ${JSON.stringify(key)}`);
    return kind;
  });
};

/**
 * Reads rows that are not read yet, without their long lists, and the resources that contain them:
 * the name of a resource includes theirs. `null` marks a key without a row.
 */
export const readPlaced = async (
  tx: Runner,
  dataSource: string,
  template: Template,
  rows: Map<string, HashedRow | null>,
  keys: Iterable<string>,
): Promise<void> => {
  const unread = (some: Iterable<string>): readonly string[] =>
    [...new Set(some)].filter((key) => !rows.has(key));
  for (let missing = unread(keys); missing.length > 0;) {
    const found = await read(tx, dataSource, keysByKind(template, missing), SHORT, () => undefined);
    for (const key of missing) rows.set(key, found.get(key) ?? null);
    missing = unread([...found.values()].flatMap(({ row }) => placesOf(row)));
  }
};

const placesOf = ({ relationships }: Row): readonly string[] =>
  relationships
    .filter(({ kind: { type, from } }) => type === 'CONTAINS' && from === Resource)
    .map(({ other }) => other);
