import { setImmediate } from 'node:timers/promises';

import { grouped } from '../../../model/grouped';
import { Resource } from '../../../templates/application/resources';
import { Instant } from '../../../model/instant';
import { CUSTOM_PREFIX } from '../../../model/property-name';
import { waysAt } from '../../../templates/graph/relationship-ways';
import { kindsOwnedBy } from '../../../templates/graph/relationships';
import { Tag } from '../../../model/shared-nodes';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../../model/table';
import { type PropertyValues, type SharedNode, stated, type Value } from '../../../rows/row/row';
import { REMOVE_NODES } from '../../../graph/rows/node-statements';
import {
  foundRelationships,
  PAGE_OF_NODES,
  REMOVE_RELATIONSHIPS_AT,
  RESOURCE_STEPS,
  RESTORE_NODES,
  RESTORE_RELATIONSHIPS_AT,
  SHARED_NODES,
  UNKNOWN_RELATIONSHIPS,
} from '../statements';
import type { Find } from './finding';
import { Pipeline } from '../../../neo4j/pipeline';
import {
  type CheckedRow,
  type FoundAtRow,
  type FoundNode,
  RowCheck,
  type Steps,
} from './row-check';
import { checkShared } from './shared-check';
import { localKey } from '../../../graph/write/current-rows';
import type { DataSourceState } from '../../../push/graph/contract';
import type { Runner } from '../../../neo4j/transaction';
import { fromGraph, toGraph } from '../../../neo4j/values';

/** How long one turn holds the thread, about. */
const TURN_MS = 20;

/** Makes something of each of many items, and gives the thread to others in between. */
const inTurns = async <A, B>(items: readonly A[], make: (item: A) => B): Promise<readonly B[]> => {
  const made: B[] = [];
  let begun = performance.now();
  for (const item of items) {
    made.push(make(item));
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return made;
};

/** How many rows the service checks together. It holds only these in memory. */
const ROWS_AT_ONCE = 1_000;

const carries = ({ properties, custom }: RelationshipKind, name: string): boolean =>
  Object.hasOwn(properties, name) || (custom && name.startsWith(CUSTOM_PREFIX));

type Stored = { labels: string[]; properties: Record<string, unknown> };

const foundNode = ({ labels, properties }: Stored): FoundNode => ({
  key: properties.key as string,
  labels,
  properties: fromGraph(properties),
});

const labelsIn = ({ label, also }: NodeKind): Readonly<Record<'labels', unknown>> => ({
  labels: [[label, ...also]],
});

/** The result of a repair of rows. */
export interface RepairedRows {
  /** The hashes of the rows after the repair. */
  readonly hashes: readonly string[];
  /** The shared nodes to which the rows have relationships. */
  readonly shared: readonly SharedNode[];
}

const setIn = (
  properties: PropertyValues,
  set: Readonly<Record<string, Value | null>>,
): PropertyValues =>
  Object.fromEntries(
    Object.entries({ ...properties, ...set }).filter(
      (entry): entry is [string, Value] => entry[1] !== null,
    ),
  );

/** The rows of a kind of a data source, page by page. */
export async function* rowPages(
  pipeline: Pipeline,
  dataSource: string,
  kind: NodeKind,
): AsyncGenerator<readonly FoundNode[]> {
  const start = `${dataSource}|${kind.label}`;
  let after = `${start}|`;
  for (;;) {
    const records = await pipeline.ask<Stored>(PAGE_OF_NODES, 'none', [null], {
      after,
      // `}` is the character after `|`.
      before: `${start}}`,
      most: ROWS_AT_ONCE,
    });
    const nodes = await inTurns(records, (record) => foundNode(record.toObject()));
    if (nodes.length > 0) yield nodes;
    const last = nodes.at(-1);
    if (nodes.length < ROWS_AT_ONCE || last === undefined) return;
    after = last.key;
  }
}

/**
 * Checks the rows of a data source page by page, and repairs what can be repaired from the graph.
 */
export class RowVerifier {
  private readonly pipeline: Pipeline;

  constructor(
    tx: Runner,
    private readonly state: DataSourceState,
    private readonly find: Find,
  ) {
    this.pipeline = new Pipeline(tx);
  }

  /** The rows of a kind, page by page. */
  pages(kind: NodeKind): AsyncGenerator<readonly FoundNode[]> {
    return rowPages(this.pipeline, this.state.id, kind);
  }

  /** Checks and repairs rows of a kind. */
  async repair(kind: NodeKind, nodes: readonly FoundNode[]): Promise<RepairedRows> {
    const keys = nodes.map(({ key }) => key);
    const [found, steps] = await Promise.all([
      this.relationships(kind, keys),
      this.steps(kind, keys),
      this.removeUnknown(kind, keys),
    ]);
    const rows = await inTurns(nodes, (node) => {
      const at = found.get(node.key) ?? [];
      const check = new RowCheck(
        this.state,
        kind,
        node,
        at,
        steps.get(node.key) ?? null,
        this.find,
      );
      return check.run();
    });
    await this.write(kind, rows);
    const relationships = [...found.values()].flat();
    await this.removeUndeclared(relationships);
    return {
      hashes: rows.flatMap(({ hash }) => (hash === null ? [] : [hash])),
      shared: await this.repairShared(relationships),
    };
  }

  private async removeUndeclared(
    relationships: readonly (FoundAtRow & { readonly key: string })[],
  ): Promise<void> {
    const rows = relationships.flatMap(({ key, id, undeclared }) => {
      const names = Object.keys(undeclared);
      return names.length === 0
        ? []
        : [{ key, id, set: Object.fromEntries(names.map((name) => [name, null])) }];
    });
    await this.pipeline.send(RESTORE_RELATIONSHIPS_AT, 'rows', rows);
  }

  private async write(kind: NodeKind, rows: readonly CheckedRow[]): Promise<void> {
    const added = rows.filter(({ hash }) => hash === null).map(({ node }) => node.key);
    await this.pipeline.send(REMOVE_NODES, 'keys', added);
    const dropped = rows
      .filter(({ relationships }) => relationships.length > 0)
      .map(({ node, relationships }) => ({
        key: node.key,
        ids: relationships.map(({ id }) => id),
      }));
    await this.pipeline.send(REMOVE_RELATIONSHIPS_AT, 'rows', dropped);
    const restored = rows
      .filter(
        ({ set, labels, lacksLabels }) =>
          lacksLabels || labels.length > 0 || Object.keys(set).length > 0,
      )
      .map(({ node, set, labels }) => ({ key: node.key, set: toGraph(set), labels }));
    await this.pipeline.send(RESTORE_NODES, 'rows', restored, labelsIn(kind));
    await this.pipeline.drain();
  }

  private async relationships(
    kind: NodeKind,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly (FoundAtRow & { readonly key: string })[]>> {
    const asked = kindsOwnedBy(kind).map(async (relationship) => {
      const end = otherEnd(relationship);
      const records = await this.pipeline.ask<{
        key: string;
        other: string | null;
        properties: Record<string, unknown>;
        id: string;
      }>(foundRelationships(relationship), 'keys', keys, { label: [end.label] });
      return inTurns(records, (record) => {
        const { since, ...all } = fromGraph(record.get('properties'));
        const [properties, undeclared] = [true, false].map((isMeant) =>
          Object.fromEntries(
            Object.entries(all).filter(([name]) => carries(relationship, name) === isMeant),
          ),
        ) as [PropertyValues, PropertyValues];
        const other = record.get('other') ?? '';
        return {
          key: record.get('key'),
          other,
          id: record.get('id'),
          stated: stated(relationship, localKey(this.state.id, end, other), properties),
          isTag: end === Tag,
          isDated: since instanceof Instant,
          undeclared,
        };
      });
    });
    return grouped((await Promise.all(asked)).flat(), ({ key }) => key);
  }

  private async steps(
    kind: NodeKind,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Steps>> {
    if (kind !== Resource) return new Map();
    const records = await this.pipeline.ask<Steps & { key: string }>(RESOURCE_STEPS, 'keys', keys);
    return new Map(records.map((record) => [record.get('key'), record.toObject()]));
  }

  /** Removes relationships that no row states and no rule derives. */
  private async removeUnknown(kind: NodeKind, keys: readonly string[]): Promise<void> {
    const records = await this.pipeline.ask<{
      key: string;
      type: string;
      start: string | null;
      end: string | null;
      id: string;
    }>(UNKNOWN_RELATIONSHIPS, 'keys', keys, { ways: waysAt(kind) });
    for (const record of records) {
      this.find({
        what: 'RELATIONSHIP_ADDED',
        node: record.get('key'),
        relationship: {
          type: record.get('type'),
          from: record.get('start'),
          to: record.get('end'),
        },
        remedy: 'REPAIR',
      });
    }
    const rows = [...grouped(records, (record) => record.get('key'))].map(([key, group]) => ({
      key,
      ids: group.map((record) => record.get('id')),
    }));
    await this.pipeline.send(REMOVE_RELATIONSHIPS_AT, 'rows', rows);
  }

  /**
   * Checks and repairs the shared nodes at these relationships: a shared node must say what its key
   * says.
   */
  private async repairShared(relationships: readonly FoundAtRow[]): Promise<readonly SharedNode[]> {
    const shared: SharedNode[] = [];
    const keys = new Map<NodeKind, Set<string>>();
    for (const {
      stated: { kind },
      other,
    } of relationships) {
      const end = otherEnd(kind);
      if (end.keeper !== 'shared') continue;
      keys.set(end, (keys.get(end) ?? new Set()).add(other));
    }
    for (const [kind, mentioned] of keys) {
      const records = await this.pipeline.ask<Stored>(SHARED_NODES, 'keys', [...mentioned].sort());
      const rows = await inTurns(records, (record) => {
        const node = foundNode(record.toObject());
        const repair = checkShared(kind, node, this.find);
        const { key, properties } = node;
        shared.push({ kind, key, properties: setIn(properties, repair?.set ?? {}) });
        return repair === null
          ? []
          : [{ key: node.key, set: toGraph(repair.set), labels: repair.labels }];
      });
      await this.pipeline.send(RESTORE_NODES, 'rows', rows.flat(), labelsIn(kind));
    }
    await this.pipeline.drain();
    return shared;
  }
}
