import { randomUUID } from 'node:crypto';

import { isDateTime, type RecordShape } from 'neo4j-driver';

import { BindingLock, LargePush, Upload, UploadPart, UploadSlice } from '../../../push/records';
import { DataSource, Push } from '../../../model/service-nodes';
import { EventOrder } from '../../events/records';
import { Store } from '../../../graph/migration/store-record';
import type { NodeKind } from '../../../model/table';
import { nodeKinds } from '../../../templates/graph/nodes';
import { LOCK_BINDING, READ_TURNS } from '../../../graph/statements/data-source-statements';
import { READ_HISTORY_SINCE } from '../../../graph/statements/past-statements';
import {
  COUNT_NODES,
  COUNT_RELATIONSHIPS,
  LOCK_BACKUP,
  READ_SERVER,
  readNodes,
  readRelationships,
  readServiceNodes,
} from '../statements';
import { LOCK_ALL_DATA_SOURCES } from '../../../graph/statements/data-source-statements';
import type { Graph } from '../../../neo4j/driver';
import { runTransaction, type Runner } from '../../../neo4j/transaction';
import { DataSourceBusy, waitFor } from '../../../push/graph/contract';
import { readMigratedVersion } from '../../../graph/migration/migrate';
import type { BackedUpGraph, GraphPart, LeftOut, RelationshipLine } from './backup-line';
import { toStoredProperties } from './stored-value';

/** A graph that nobody changes while it is read. */
export interface HeldGraph {
  readonly about: BackedUpGraph;
  /** Reads the graph part by part: first all nodes, then all relationships. */
  parts(): AsyncGenerator<GraphPart>;
  /** What the parts did not hold. Known once all parts are read. */
  leftOut(): LeftOut;
}

/** A backup failed after it had begun to write its file. */
class InterruptedBackup extends Error {}

/** A push held its data source longer than the backup waits. */
export class GraphBusy extends Error {
  constructor(seconds: number) {
    super(
      `A push has held its data source for longer than ${seconds} s, so the backup could not begin. ` +
        'Try again later.',
    );
  }
}

/** A backup lasted longer than it may hold the graph. */
export class BackupTooSlow extends Error {
  constructor(seconds: number) {
    super(
      `The backup took longer than ${seconds} s, so it was given up, since pushes wait meanwhile. ` +
        'No file was written. Back up when Neo4j is less busy, or allow more (--at-most).',
    );
  }
}

/** How long a backup waits for its locks, and how long it may hold them. */
export interface BackupPatience {
  readonly waitSeconds: number;
  readonly mostSeconds: number;
}

/**
 * So long after both times of `BackupPatience`, Neo4j ends the transaction by itself, in case no
 * process is left that could end it.
 */
const GRACE_SECONDS = 60;

/**
 * Holds the graph while `work` reads it: the locks of all data sources, the derivation lock, and the lock
 * of backups (docs/architecture.md: Locks). So no push, chunk, deletion, repair or act on a review
 * commits in between. The transaction is rolled back at the end, so it writes nothing. Rejects with
 * `GraphBusy` or `BackupTooSlow`.
 */
export const holdGraph = async <A>(
  graph: Graph,
  records: readonly NodeKind[],
  { waitSeconds, mostSeconds }: BackupPatience,
  work: (held: HeldGraph) => Promise<A>,
): Promise<A> => {
  const holder = randomUUID();
  const over = new AbortController();
  const options = {
    mode: 'write',
    timeoutSeconds: waitSeconds + mostSeconds + GRACE_SECONDS,
    atMostSeconds: Infinity,
    end: 'rollback',
    unwanted: over.signal,
  } as const;
  try {
    return await runTransaction(graph, options, async (tx) => {
      const version = await readMigratedVersion(tx);
      const [locked] = await waitFor({ waitSeconds, pushSeconds: 0 }, [
        tx.run(LOCK_ALL_DATA_SOURCES, { holder }),
        tx.run(LOCK_BINDING, { push: holder }),
        tx.run(LOCK_BACKUP),
      ]);
      const sources = new Set((locked?.records ?? []).map((record) => String(record.get('key'))));
      const held = new Reading(tx, records, sources, await aboutGraph(tx, version));
      const timer = setTimeout(() => over.abort(), mostSeconds * 1000);
      try {
        return await work(held);
      } catch (error) {
        // The file has begun, so the transaction must not run again.
        throw new InterruptedBackup(error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      } finally {
        clearTimeout(timer);
      }
    });
  } catch (error) {
    if (over.signal.aborted) throw new BackupTooSlow(mostSeconds);
    if (error instanceof DataSourceBusy) throw new GraphBusy(waitSeconds);
    throw error instanceof InterruptedBackup ? error.cause : error;
  }
};

const aboutGraph = async (tx: Runner, version: number): Promise<BackedUpGraph> => {
  const [server] = (await tx.run<{ version: string; now: string }>(READ_SERVER)).records;
  const [turns] = (await tx.run<{ turns: unknown }>(READ_TURNS)).records;
  const [history] = (await tx.run<{ since: string | null }>(READ_HISTORY_SINCE)).records;
  const since = history?.get('since') ?? null;
  return {
    store_version: version,
    neo4j: server?.get('version') ?? 'unknown',
    as_of: server?.get('now') ?? '',
    commit_sequence: Number(turns?.get('turns') ?? 0),
    ...(since !== null && { history_since: since }),
  };
};

/** A transaction sets these properties to acquire a lock. They mean nothing afterwards. */
const OF_LOCKS: ReadonlyMap<NodeKind, readonly string[]> = new Map([
  [DataSource, ['lock']],
  [Upload, ['lock']],
  [BindingLock, ['push', 'epoch']],
]);

type Link = readonly [
  type: string,
  toLabels: readonly string[],
  to: string | null,
  properties: Readonly<Record<string, unknown>>,
];

interface ReadNode extends RecordShape {
  readonly labels: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

interface ReadServiceNode extends ReadNode {
  readonly links: readonly Link[];
}

interface ReadRelationship extends RecordShape {
  readonly from_labels: readonly string[];
  readonly from: string | null;
  readonly from_source: string | null;
  readonly type: string;
  readonly to_labels: readonly string[];
  readonly to: string | null;
  readonly to_source: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Whether an upload has ended, and only waits for its removal. */
const hasEnded = ({ since }: Readonly<Record<string, unknown>>): boolean =>
  isDateTime(since) && Number(since.year) === 1970;

/**
 * Reads a held graph. The locks do not stop others from registering a data source, or from
 * recording events, refused pushes and uses of keys. So it leaves out what belongs to a data source
 * that did not exist when the locks were acquired.
 */
class Reading implements HeldGraph {
  /** The keys that are read, of kinds which the locks do not protect. */
  private readonly serviceKeys = new Map<string, Set<string>>();
  private readonly serviceLinks: (readonly [label: string, line: RelationshipLine])[] = [];
  /** Uploads that hold the payload of an unfinished chunked push. */
  private readonly uploadsToKeep = new Set<string>();
  private left: LeftOut = { uploads: 0, foreign_nodes: 0, foreign_relationships: 0 };
  private nodes = 0;
  private relationships = 0;

  /** Events are read before the node that counts their places, so that no place is given twice. */
  private readonly serviceKinds: readonly NodeKind[];
  private readonly pastKinds: readonly NodeKind[];
  /** The answers of `ownLabel`. There are few, and each relationship needs three of them. */
  private readonly ownLabels = new Map<string, string | undefined>();

  constructor(
    private readonly tx: Runner,
    private readonly records: readonly NodeKind[],
    private readonly sources: ReadonlySet<string>,
    readonly about: BackedUpGraph,
  ) {
    this.serviceKinds = [
      ...records.filter(
        (kind) => kind.keeper === 'service' && kind !== Store && kind !== EventOrder,
      ),
      EventOrder,
    ];
    this.pastKinds = records.filter(({ keeper }) => keeper === 'past');
  }

  leftOut(): LeftOut {
    return this.left;
  }

  async *parts(): AsyncGenerator<GraphPart> {
    for (const kind of this.serviceKinds) yield* this.serviceNodes(kind);
    for (const kind of nodeKinds) yield* this.ownNodes(kind);
    for (const kind of this.pastKinds) yield* this.pastFacts(kind);
    yield* this.linksOfService();
    for (const kind of nodeKinds) yield* this.ownRelationships(kind);
    // The node `Store` is not among the parts, because `about` has its version.
    const foreign = (all: number, read: number): number => Math.max(0, all - read);
    this.left = {
      ...this.left,
      foreign_nodes: foreign(await this.count(COUNT_NODES), this.nodes + 1),
      foreign_relationships: foreign(await this.count(COUNT_RELATIONSHIPS), this.relationships),
    };
  }

  private async *serviceNodes(kind: NodeKind): AsyncGenerator<GraphPart> {
    const { label } = kind;
    const keys = new Set<string>();
    this.serviceKeys.set(label, keys);
    yield { section: { nodes: label } };
    for await (const record of this.tx.stream(readServiceNodes(kind))) {
      const { labels, properties, links } = record.toObject() as ReadServiceNode;
      const { key } = properties;
      if (typeof key !== 'string' || this.ownLabel(labels) !== label) continue;
      this.nodes += 1;
      this.relationships += links.length;
      if (!this.belongs(kind, key, properties, links)) continue;
      keys.add(key);
      if (kind === LargePush) this.uploadsToKeep.add(String(properties.payload));
      for (const [type, toLabels, to, ofLink] of links) {
        const toLabel = this.ownLabel(toLabels);
        if (toLabel === undefined || to === null) this.relationships -= 1;
        else {
          const line = [key, type, toLabel, to, toStoredProperties(ofLink)] as const;
          this.serviceLinks.push([label, line]);
        }
      }
      yield { node: [labels, toStoredProperties(properties, OF_LOCKS.get(kind))] };
    }
  }

  private belongs(
    kind: NodeKind,
    key: string,
    properties: Readonly<Record<string, unknown>>,
    links: readonly Link[],
  ): boolean {
    switch (kind) {
      case DataSource:
        return this.sources.has(key);
      case Push:
        return links.some(([type, , to]) => type === 'FROM' && to !== null && this.sources.has(to));
      case Upload: {
        const isKept = this.uploadsToKeep.has(key);
        if (!isKept && !hasEnded(properties))
          this.left = { ...this.left, uploads: this.left.uploads + 1 };
        return isKept;
      }
      case UploadPart:
      case UploadSlice:
        return this.uploadsToKeep.has(key.split('|')[0] ?? '');
      default: {
        const { of, by, isLeftOutOfBackups } = kind.holds ?? {};
        if (isLeftOutOfBackups) return false;
        if (of !== 'data source' || typeof by !== 'string') return true;
        return this.sources.has(String(properties[by]));
      }
    }
  }

  private async *ownNodes(kind: NodeKind): AsyncGenerator<GraphPart> {
    yield { section: { nodes: kind.label } };
    for await (const record of this.tx.stream(readNodes(kind))) {
      const { labels, properties } = record.toObject() as ReadNode;
      if (typeof properties.key !== 'string' || this.ownLabel(labels) !== kind.label) continue;
      this.nodes += 1;
      if (!this.isThere(properties.data_source)) continue;
      yield { node: [labels, toStoredProperties(properties)] };
    }
  }

  /** Facts that ended. They outlast their data sources, and no fact ends while the graph is held. */
  private async *pastFacts({ label }: NodeKind): AsyncGenerator<GraphPart> {
    yield { section: { nodes: label } };
    for await (const record of this.tx.stream(readNodes({ label }))) {
      const { labels, properties } = record.toObject() as ReadNode;
      if (this.ownLabel(labels) !== label) continue;
      this.nodes += 1;
      yield { node: [labels, toStoredProperties(properties)] };
    }
  }

  private *linksOfService(): Generator<GraphPart> {
    for (const { label } of this.serviceKinds) {
      const links = this.serviceLinks.filter(([from]) => from === label);
      if (links.length === 0) continue;
      yield { section: { relationships: label } };
      for (const [, relationship] of links) {
        if (this.isRead(relationship[2], relationship[3])) yield { relationship };
      }
    }
  }

  private async *ownRelationships(kind: NodeKind): AsyncGenerator<GraphPart> {
    yield { section: { relationships: kind.label } };
    for await (const record of this.tx.stream(readRelationships(kind))) {
      const read = record.toObject() as ReadRelationship;
      const { from, to } = read;
      const toLabel = this.ownLabel(read.to_labels);
      if (from === null || to === null || toLabel === undefined) continue;
      if (this.ownLabel(read.from_labels) !== kind.label) continue;
      this.relationships += 1;
      if (!this.isThere(read.from_source) || !this.isThere(read.to_source)) continue;
      if (!this.isRead(toLabel, to)) continue;
      const properties = toStoredProperties(read.properties);
      yield { relationship: [from, read.type, toLabel, to, properties] };
    }
  }

  /** The declared label of a node: the first one, if somebody gave it several by hand. */
  private ownLabel(labels: readonly string[]): string | undefined {
    const all = labels.join('|');
    if (!this.ownLabels.has(all)) {
      const kinds = [...nodeKinds, ...this.records];
      this.ownLabels.set(all, kinds.find(({ label }) => labels.includes(label))?.label);
    }
    return this.ownLabels.get(all);
  }

  /** Whether a row belongs to a data source that is held. Shared nodes belong to none. */
  private isThere(source: unknown): boolean {
    return typeof source !== 'string' || this.sources.has(source);
  }

  private isRead(label: string, key: string): boolean {
    return this.serviceKeys.get(label)?.has(key) ?? true;
  }

  private async count(statement: string): Promise<number> {
    const { records } = await this.tx.run<{ number: unknown }>(statement);
    return Number(records[0]?.get('number') ?? 0);
  }
}
