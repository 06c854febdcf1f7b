import type { Record as GraphRecord } from 'neo4j-driver';

import type { NodeRow, RelationshipRow } from '../../access/access-graph';
import type { NodeFacts } from '../../access/columns/versions';
import type { HeldType } from '../../access/relationship-types';
import { accessKinds } from '../../graph/statements/access-kinds';
import { nanosOf, parseInstant } from '../../model/instant';
import { ENTITY, type NodeKind } from '../../model/table';
import type { Runner } from '../../neo4j/transaction';
import { kindOfKey, propertiesInKey } from '../../templates/graph/kind-of-key';
import { FACTS, isShown } from '../statements/access-graph-statements';

/** A list of values, as statements about the access graph return it. */
export type Row = readonly unknown[];

/** How many rows Neo4j sends at once. */
export const FETCHED = 5_000;

/** Calls `take` for each row as it comes. */
export const eachRow = (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
  take: (record: GraphRecord) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: unknown = null;
    tx.stream(statement, parameters).subscribe({
      onNext: (record) => {
        if (failure !== null) return;
        try {
          take(record);
        } catch (error) {
          // An error thrown into the driver breaks its connection, so it is stored here. The caller ends the transaction.
          failure = error;
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      },
      onCompleted: () => resolve(),
      onError: reject,
    });
  });

const kinds = new Map(accessKinds.map((kind) => [kind.label, kind]));

/** The kind of nodes with a label; `null` if effective access does not depend on them. */
export const kindOfLabel = (label: string): NodeKind | null => kinds.get(label) ?? null;

/** The same by the key of a node. */
export const accessKindOfKey = (key: string): NodeKind | null =>
  kindOfLabel(kindOfKey(key)?.label ?? '');

/** What receives nodes and relationships: an access graph, or a digest of it. */
export interface RowTarget {
  readonly addNode: (row: NodeRow) => void;
  readonly addRelationship: (row: RelationshipRow) => void;
}

/** Reads rows of statements about the access graph. */
export class GraphRows {
  private readonly times = new Map<string, bigint>();

  constructor(private readonly target: RowTarget) {}

  node(kind: NodeKind, row: Row, until: unknown): void {
    this.target.addNode(this.nodeOf(kind, row, until));
  }

  /** The node of a row. */
  nodeOf(kind: NodeKind, row: Row, until: unknown): NodeRow {
    const { label, also, keeper } = kind;
    const [key, since, ...values] = row as readonly [string, string | null, ...unknown[]];
    // Versions that ended have all facts, whatever their kind.
    const shown = isShown(kind) ? values : values.slice(0, 1);
    const facts = Object.fromEntries(
      shown.map((value, at) => [FACTS[at] ?? '', value]),
    ) as unknown as NodeFacts;
    return {
      key,
      label,
      labels: [ENTITY, label, ...also],
      // Nobody knows since when a shared node exists that was created again.
      since: keeper === 'shared' ? null : this.nanos(since),
      until: this.nanos(until),
      facts: { ...facts, deactivated_at: this.nanos(facts.deactivated_at) },
    };
  }

  relationship(type: HeldType, row: Row, until: unknown): void {
    const [from, to, since] = row as readonly [string, string, string | null];
    this.target.addRelationship({
      type,
      from,
      to,
      since: this.nanos(since),
      until: this.nanos(until),
    });
  }

  /**
   * Makes a shared node that is gone. Nobody stored a version of it, but its key has what it said.
   * Returns whether it is one.
   */
  goneShared(key: string): boolean {
    const kind = accessKindOfKey(key);
    if (kind?.keeper !== 'shared') return false;
    const names = Object.values(propertiesInKey(kind, key));
    this.node(kind, [key, null, names.at(-1) ?? ''], null);
    return true;
  }

  /** The nanoseconds of a time. Few pushes brought all facts, so few times are read. */
  nanos(text: unknown): bigint | null {
    if (typeof text !== 'string') return null;
    const known = this.times.get(text);
    if (known !== undefined) return known;
    // Neo4j leaves out seconds that are zero.
    const instant = parseInstant(text) ?? parseInstant(text.replace(/(T\d\d:\d\d)/, '$1:00'));
    if (instant === null) throw new Error(`Neo4j sent ${text}, which is no time`);
    const nanos = nanosOf(instant);
    this.times.set(text, nanos);
    return nanos;
  }
}
