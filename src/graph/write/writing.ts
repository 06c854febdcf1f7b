import { addFoldedTexts, changedByFolding, FOLDED_PROVIDER } from '../../model/folded-texts';
import {
  type Difference,
  type HashedRow,
  isOwn,
  type Link,
  type LinkChange,
} from '../../difference/difference';
import { grouped } from '../../model/grouped';
import type { Instant } from '../../model/instant';
import { hasProperties, type NodeKind, type RelationshipKind } from '../../model/table';
import { kindsMentioning } from '../../templates/graph/relationships';
import type { Row, SharedNode, Value } from '../../rows/row/row';
import { UNKNOWN_HASH } from '../../rows/row/row-hash';
import {
  CREATE_MISSING,
  createRowNodes,
  END_VERSIONS,
  placesOf,
  PROVE_ROW_NODES,
  REMOVE_NODES,
  UPDATE_LOOKUPS,
  UPDATE_ROW_NODES,
} from '../rows/node-statements';
import {
  createRelationships,
  removeMentions,
  removeRelationships,
  updateRelationships,
} from '../rows/relationship-statements';
import type { Pipeline } from '../../neo4j/pipeline';
import { endsOf } from './access-changes';
import { graphKey } from './current-rows';
import { toDateTime, toGraph, toGraphValue } from '../../neo4j/values';

/** What all statements of one push share. */
export interface PushStamp {
  readonly dataSource: string;
  readonly provider: string;
  readonly at: Instant;
  /** Whether facts that end are stored (docs/rules.md: History). */
  readonly keepsHistory: boolean;
}

/** When the facts end that a push ends; nothing if they are not stored. */
export const endOf = ({
  at,
  keepsHistory,
}: Pick<PushStamp, 'at' | 'keepsHistory'>): readonly ReturnType<typeof toDateTime>[] =>
  keepsHistory ? [toDateTime(at)] : [];

/** Whether changes touch the content of a node, and not only look-ups. */
const isStated = (name: string): boolean => !name.startsWith('fold_');

// An incomplete row gets no hash. The service reads a missing hash as the unknown one.
const provenBy = (hash: string): string | null => (hash === UNKNOWN_HASH ? null : hash);

function* each<A, B>(list: readonly A[], make: (item: A) => B): Generator<B, void> {
  for (const item of list) yield make(item);
}

/**
 * Writes a diff step by step. The statements of one step may still run when the next step begins.
 */
export class Writer {
  private readonly constants: Readonly<Record<string, unknown>>;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly words: PushStamp,
  ) {
    this.constants = {
      data_source: words.dataSource,
      provider: words.provider,
      // A list of a text would have another type than a list of null.
      [FOLDED_PROVIDER]: [[changedByFolding(words.provider)]],
      at: toDateTime(words.at),
      until: endOf(words),
    };
  }

  /**
   * Creates the new nodes of the data source, with the relationships among them. No other push sees
   * these nodes, so this needs no derivation lock. A push that waits for that lock must hold no
   * lock that its holder may need, or the two would deadlock. Gives the relationships between own
   * nodes that are still to be drawn.
   */
  async putNew({ created, linked }: Difference): Promise<readonly Link[]> {
    for (const [kind, rows] of grouped(created, ({ row }) => row.kind)) {
      const nodes = each(rows, this.node(kind));
      await this.pipeline.send(createRowNodes(kind), 'rows', nodes, this.constants);
    }
    const isNew = new Set(created.map(({ row }) => row.key));
    const areNew = ({ row, stated }: Link): boolean => isNew.has(row) && isNew.has(stated.other);
    await this.link(linked.filter((link) => isOwn(link) && areNew(link)));
    return linked.filter((link) => isOwn(link) && !areNew(link));
  }

  /**
   * Changes the current nodes of the data source, and the relationships between its own nodes. The
   * caller holds the derivation lock.
   */
  async putStanding(
    { changed, followed, proven, relabelled, unlinked }: Difference,
    linked: readonly Link[],
  ): Promise<void> {
    await this.end(
      changed
        .filter(({ changes }) => Object.keys(changes).some(isStated))
        .map(({ after }) => after),
    );
    const nodes = each(changed, ({ after, changes }) => ({
      key: this.key(after.row),
      set: { ...toGraph(changes), row_hash: provenBy(after.hash) },
    }));
    await this.pipeline.send(UPDATE_ROW_NODES, 'rows', nodes, this.constants);
    const lookups = each(followed, ({ row, changes }) => ({
      key: this.key(row),
      set: toGraph(changes),
    }));
    await this.pipeline.send(UPDATE_LOOKUPS, 'rows', lookups);
    const pairs = each(proven, ({ row, hash }) => [this.key(row), hash]);
    await this.pipeline.send(PROVE_ROW_NODES, 'pairs', pairs);
    await this.unlink(unlinked.filter(isOwn));
    await this.link(linked);
    await this.relabel(relabelled.filter(isOwn));
  }

  /**
   * Creates the mentioned shared nodes that do not exist yet, and gives them. Sends all statements
   * at once.
   */
  async putShared(
    links: readonly Link[],
    shared: ReadonlyMap<string, SharedNode>,
  ): Promise<readonly SharedNode[]> {
    const mentioned = new Map<string, SharedNode>();
    for (const link of links) {
      if (isOwn(link)) continue;
      const node = shared.get(link.stated.other);
      if (node !== undefined) mentioned.set(node.key, node);
    }
    const groups = [...grouped(mentioned.values(), (node) => node.kind)];
    const created = await Promise.all(groups.map(([kind, nodes]) => this.create(kind, nodes)));
    return created.flat();
  }

  /** Draws, changes and removes the stated relationships to shared nodes. */
  async linkShared({ linked, relabelled, unlinked }: Difference): Promise<void> {
    await this.unlink(unlinked.filter((link) => !isOwn(link)));
    await this.link(linked.filter((link) => !isOwn(link)));
    await this.relabel(relabelled.filter((link) => !isOwn(link)));
  }

  /**
   * Removes the nodes of removed rows. `isPart`: rows that will be removed later may still refer to
   * them.
   */
  async removeOwn({ removed }: Difference, isPart: boolean): Promise<void> {
    await this.end(removed);
    if (isPart) await this.unlinkAt(removed);
    await this.pipeline.send(
      REMOVE_NODES,
      'keys',
      each(removed, ({ row }) => this.key(row)),
    );
  }

  /** Removes the relationships by which other rows refer to rows, as Neo4j would with the nodes. */
  private async unlinkAt(removed: readonly HashedRow[]): Promise<void> {
    if (!this.words.keepsHistory) return;
    for (const [kind, rows] of grouped(removed, ({ row }) => row.kind)) {
      const keys = rows.map(({ row }) => this.key(row));
      for (const mention of kindsMentioning(kind)) {
        await this.pipeline.send(removeMentions(mention), 'keys', keys, this.inKind(mention));
      }
    }
  }

  /** Keeps the versions of rows' nodes that are about to end (docs/rules.md: History). */
  private async end(rows: readonly HashedRow[]): Promise<void> {
    if (!this.words.keepsHistory) return;
    const ending = each(rows, ({ row }) => [this.key(row), row.kind.label]);
    await this.pipeline.send(END_VERSIONS, 'rows', ending, this.constants);
  }

  /** The values of new rows of a kind, in the order that `createRowNodes` expects. */
  private node(kind: NodeKind): (hashed: HashedRow) => readonly unknown[] {
    const { declared, lookups } = placesOf(kind);
    return ({ row, hash }) => {
      const { properties } = row;
      const columns = [
        ...declared.map((name) => toGraphValue(properties[name] ?? null)),
        ...lookups.map((name) => row.lookups[name] ?? null),
        this.key(row),
        provenBy(hash),
      ];
      if (!kind.custom) return columns;
      const more = Object.entries(properties).filter(([name]) => !(name in kind.properties));
      return [...columns, toGraph(Object.fromEntries(more))];
    };
  }

  private async create(
    kind: NodeKind,
    nodes: readonly SharedNode[],
  ): Promise<readonly SharedNode[]> {
    // Sorted, because other pushes acquire the locks in the same order.
    const rows = nodes
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, properties }) => {
        const folded: Record<string, string | readonly string[]> = {};
        addFoldedTexts(kind, properties, folded);
        return { ...toGraph(properties), ...folded, key };
      });
    const records = await this.pipeline.ask<{ keys: string[] }>(CREATE_MISSING, 'rows', rows, {
      labels: [[kind.label, ...kind.also]],
    });
    const missing = new Set(records.flatMap((record) => record.get('keys')));
    return nodes.filter(({ key }) => missing.has(key));
  }

  private async link(links: readonly Link[]): Promise<void> {
    for (const [type, ofType] of grouped(links, ({ stated }) => stated.kind.type)) {
      const pairs = each(ofType, ({ row, stated: { kind, other, properties } }) => {
        const ends = this.ends(kind, row, other);
        return hasProperties(kind) ? [...ends, toGraph(properties)] : ends;
      });
      const [first] = ofType;
      if (first === undefined) continue;
      const statement = createRelationships(first.stated.kind);
      await this.pipeline.send(statement, 'pairs', pairs, { ...this.constants, type: [type] });
    }
  }

  private async relabel(changes: readonly LinkChange[]): Promise<void> {
    for (const [kind, list] of grouped(changes, ({ stated }) => stated.kind)) {
      const pairs = list.map((change) => [...this.identity(kind, change), toGraph(change.changes)]);
      await this.pipeline.send(updateRelationships(kind), 'pairs', pairs, this.inKind(kind));
    }
  }

  private async unlink(links: readonly Link[]): Promise<void> {
    for (const [kind, list] of grouped(links, ({ stated }) => stated.kind)) {
      const pairs = list.map((link) => this.identity(kind, link));
      await this.pipeline.send(removeRelationships(kind), 'pairs', pairs, this.inKind(kind));
    }
  }

  /** What statements about relationships of a kind share. */
  private inKind({ from, to }: RelationshipKind): Readonly<Record<string, unknown>> {
    return { ...this.constants, start_label: [from.label], end_label: [to.label] };
  }

  private key({ kind, key }: Row): string {
    return graphKey(this.words.dataSource, kind, key);
  }

  private identity(kind: RelationshipKind, { row, stated }: Link): readonly unknown[] {
    const apart = kind.distinguishedBy.map((name): Value | null => stated.properties[name] ?? null);
    return [...this.ends(kind, row, stated.other), ...apart];
  }

  private ends(kind: RelationshipKind, row: string, other: string): readonly string[] {
    return endsOf(this.words.dataSource, kind, row, other);
  }
}
