import type { HashedRow } from '../difference/difference';
import { grouped } from '../difference/grouped';
import { rowKinds, type Template } from '../model/nodes';
import { Tag } from '../model/shared-nodes';
import { kindsOwnedBy } from '../model/relationships';
import type { NodeKind } from '../model/table';
import {
  type PropertyValues,
  type Row,
  type Stated,
  stated as statedAs,
  type Value,
} from '../rows/row';
import { standingHash } from '../rows/row-hash';
import { standingHashes, wholeNodes } from '../translate/node-statements';
import { statedRelationships } from '../translate/relationship-statements';
import { Pipeline } from './pipeline';
import type { Runner } from './transaction';
import { fromGraph } from './values';

/** The key of a row's node, or of what one of its relationships leads to. */
export const graphKey = (dataSource: string, kind: NodeKind, key: string): string =>
  kind.keeper === 'row' ? `${dataSource}|${key}` : kind.keeper === 'shared' ? key : dataSource;

/** What `graphKey` made a key in the graph of. */
export const localKey = (dataSource: string, kind: NodeKind, key: string): string =>
  kind.keeper === 'row' ? key.slice(dataSource.length + 1) : kind.keeper === 'shared' ? key : '';

/** Hashes of all rows that a data source holds, by local key. */
export const readHashes = async (
  tx: Runner,
  dataSource: string,
  template: Template,
): Promise<ReadonlyMap<string, string>> => {
  const hashes = new Map<string, string>();
  const results = rowKinds[template].map((kind) =>
    tx.run<{ key: string; hash: unknown }>(standingHashes(kind), { prefix: `${dataSource}|` }),
  );
  for (const result of await Promise.all(results)) {
    for (const record of result.records) {
      hashes.set(record.get('key').slice(dataSource.length + 1), standingHash(record.get('hash')));
    }
  }
  return hashes;
};

const withoutSince = (properties: PropertyValues): PropertyValues =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'since'));

/** What the service adds to a row's own properties. */
export const KEPT_BY_SERVICE: ReadonlySet<string> = new Set([
  'key',
  'data_source',
  'provider',
  'row_hash',
  'since',
  'changed',
]);

const readNodes = async (
  pipeline: Pipeline,
  kind: NodeKind,
  keys: readonly string[],
): Promise<readonly Record<string, unknown>[]> => {
  const records = await pipeline.ask<{ properties: Record<string, unknown> }>(
    wholeNodes(kind),
    'keys',
    keys,
  );
  return records.map((record) => record.get('properties'));
};

/** Whole rows as they stand, with all that they state; keys that do not stand are left out. */
export const readRows = async (
  tx: Runner,
  dataSource: string,
  kinds: ReadonlyMap<NodeKind, readonly string[]>,
): Promise<ReadonlyMap<string, HashedRow>> => {
  const rows = new Map<string, HashedRow>();
  const pipeline = new Pipeline(tx);
  for (const [kind, keys] of kinds) {
    const graphKeys = keys.map((key) => graphKey(dataSource, kind, key));
    const stated = new Map<string, Stated[]>();
    const tags = new Map<string, string[]>();
    for (const relationship of kindsOwnedBy(kind)) {
      const end = relationship[relationship.owner === 'from' ? 'to' : 'from'];
      const records = await pipeline.ask<{
        key: string;
        other: string;
        properties: Record<string, unknown>;
      }>(statedRelationships(relationship), 'keys', graphKeys);
      for (const record of records) {
        const other = localKey(dataSource, end, record.get('other'));
        const key = record.get('key');
        if (end === Tag) {
          tags.set(key, [...(tags.get(key) ?? []), other]);
          continue;
        }
        const properties = withoutSince(fromGraph(record.get('properties')));
        const list = stated.get(key) ?? [];
        list.push(statedAs(relationship, other, properties));
        stated.set(key, list);
      }
    }
    for (const node of await readNodes(pipeline, kind, graphKeys)) {
      const key = node.key as string;
      const row = rowOf(
        kind,
        localKey(dataSource, kind, key),
        node,
        stated.get(key),
        tags.get(key),
      );
      rows.set(row.key, { row, hash: standingHash(node.row_hash) });
    }
  }
  return rows;
};

const rowOf = (
  kind: NodeKind,
  key: string,
  node: Readonly<Record<string, unknown>>,
  relationships: readonly Stated[] = [],
  tags: readonly string[] = [],
): Row => {
  const properties: Record<string, Value> = {};
  const lookups: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(fromGraph(node))) {
    if (KEPT_BY_SERVICE.has(name)) continue;
    if (name.startsWith('fold_')) lookups[name] = value as string | readonly string[];
    else properties[name] = value;
  }
  return { kind, key, properties, lookups, relationships, tags };
};

/** Groups local keys by their kind of node, whose label they begin with. */
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
