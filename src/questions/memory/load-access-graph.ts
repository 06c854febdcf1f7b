import type { Record as GraphRecord } from 'neo4j-driver';

import { AccessGraph, type NodeFacts } from '../../access/access-graph';
import { type Moment, NOW } from '../../access/instants';
import { bounded, NoMemory } from '../../access/memory';
import { ACCESS_TYPES, type AccessType } from '../../access/relationship-types';
import type { AsOf } from '../../contract/answers/page';
import { Instant, nanosOf, parseInstant } from '../../model/instant';
import { ENTITY, type NodeKind } from '../../model/table';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { instantBefore, readVersions, type Versions } from '../answering/versions';
import { saidByKey } from '../instant/stage';
import { kindOfKey } from '../instant/walk';
import {
  accessKinds,
  FACTS,
  NODES_ENDED,
  NODES_NEEDED,
  nodesOf,
  RELATIONSHIPS_ENDED,
  RELATIONSHIPS_NEEDED,
  relationshipsOf,
} from '../statements/access-graph-statements';

/** What to load. */
export interface Loading {
  /** The keys of the principals whose access is wanted; `null` means everybody's. */
  readonly only: readonly string[] | null;
  /** Whether it also loads everything that ended, so that the graph answers about instants. */
  readonly isWithHistory: boolean;
  /** How many bytes the graph may use. */
  readonly memoryBytes: number;
  /** How long one attempt may last. */
  readonly timeoutSeconds: number;
  /** Aborted when nobody wants it any more. */
  readonly unwanted?: AbortSignal | undefined;
}

/** An access graph as of one push. */
export interface LoadedAccess {
  readonly graph: AccessGraph;
  /** The moment about which to ask it, so that no later push counts. */
  readonly moment: Moment;
  readonly asOf: AsOf | null;
  /** The versions of the data sources of which it is. */
  readonly versions: Versions;
}

type Row = readonly unknown[];

/** Nothing is older. */
const BEFORE_ALL = '1970-01-01T00:00:00Z';

/** How many rows Neo4j sends at once. */
const FETCHED = 5_000;

/** How often the service loads, if pushes come and the history does not show what they changed. */
const ATTEMPTS = 5;

/** Calls `take` for each row as it comes. */
const eachRow = (
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
          // The driver must not see it, or it breaks. The caller ends the transaction.
          failure = error;
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      },
      onCompleted: () => resolve(),
      onError: reject,
    });
  });

/** Reads rows of statements into an access graph. */
class Loader {
  readonly graph: AccessGraph;
  private readonly kinds = new Map(accessKinds.map((kind) => [kind.label, kind]));
  private readonly times = new Map<string, bigint>();

  constructor(
    private readonly tx: Runner,
    { memoryBytes }: Loading,
  ) {
    this.graph = new AccessGraph(bounded(memoryBytes));
  }

  /** Everything that exists now. */
  async everything(): Promise<void> {
    for (const kind of accessKinds) {
      await eachRow(this.tx, nodesOf(kind), {}, (record) =>
        this.addNode(kind, record.get('row') as Row, null),
      );
    }
    for (const type of ACCESS_TYPES) {
      await eachRow(this.tx, relationshipsOf(type), {}, (record) =>
        this.addRelationship(type, record.get('row') as Row, null),
      );
    }
  }

  /** What exists now and is needed for the access of some principals. */
  async needed(only: readonly string[]): Promise<void> {
    await eachRow(this.tx, NODES_NEEDED, { only }, (record) => {
      const labels = record.get('labels') as readonly string[];
      const kind = labels.flatMap((label) => this.kinds.get(label) ?? [])[0];
      if (kind !== undefined) this.addNode(kind, record.get('row') as Row, null);
    });
    await eachRow(this.tx, RELATIONSHIPS_NEEDED, { only }, (record) =>
      this.addRelationship(record.get('type') as AccessType, record.get('row') as Row, null),
    );
  }

  /**
   * What ended after an instant. Returns whether the graph knows all nodes between which it
   * happened: of a shared node that is gone nobody stored a version.
   */
  async endedAfter(instant: Instant): Promise<boolean> {
    const at = { at: toDateTime(instant) };
    await eachRow(this.tx, NODES_ENDED, at, (record) => {
      const kind = this.kinds.get(record.get('label') as string);
      if (kind === undefined) return;
      this.addNode(kind, record.get('row') as Row, this.nanos(record.get('until')));
    });
    let isComplete = true;
    await eachRow(this.tx, RELATIONSHIPS_ENDED, at, (record) => {
      const row = record.get('row') as Row;
      const [from, to] = row as readonly [string, string];
      this.addRelationship(record.get('type') as AccessType, row, this.nanos(record.get('until')));
      if ([from, to].some((key) => this.graph.kind(this.graph.find(key)) === null)) {
        isComplete = false;
      }
    });
    return isComplete;
  }

  /**
   * Everything that ended. Of a shared node that is gone nobody stored a version, but its key has
   * what it said.
   */
  async allEnded(): Promise<void> {
    await this.endedAfter(new Instant(BEFORE_ALL));
    for (let node = 0; node < this.graph.nodeCount; node += 1) {
      if (this.graph.kind(node) !== null) continue;
      const key = this.graph.key(node);
      const kind = kindOfKey(key);
      if (kind?.keeper !== 'shared') continue;
      const said = Object.values(saidByKey(kind, key));
      this.addNode(kind, [key, null, said.at(-1) ?? ''], null);
    }
  }

  private addNode({ label, also, keeper }: NodeKind, row: Row, until: bigint | null): void {
    const [key, since, ...values] = row as readonly [string, string | null, ...unknown[]];
    const facts = Object.fromEntries(
      values.map((value, at) => [FACTS[at] ?? '', value]),
    ) as unknown as NodeFacts;
    this.graph.addNode({
      ...{ key, label, labels: [ENTITY, label, ...also] },
      // Nobody knows since when a shared node exists that was created again.
      since: keeper === 'shared' ? null : this.nanos(since),
      until,
      facts: { ...facts, deactivated_at: this.nanos(facts.deactivated_at) },
    });
  }

  private addRelationship(type: AccessType, row: Row, until: bigint | null): void {
    const [from, to, since] = row as readonly [string, string, string | null];
    this.graph.addRelationship({ type, from, to, since: this.nanos(since), until });
  }

  /** The nanoseconds of a time. Few pushes brought all facts, so few times are read. */
  private nanos(text: unknown): bigint | null {
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

/** One attempt; `null` if a push came, and it is not certain what the graph was before it. */
export const loadOnce = async (tx: Runner, loading: Loading): Promise<LoadedAccess | null> => {
  const { only } = loading;
  const before = await readVersions(tx);
  const loader = new Loader(tx, loading);
  await (only === null ? loader.everything() : loader.needed(only));
  if (loading.isWithHistory) await loader.allEnded();
  const after = await readVersions(tx);
  const { graph } = loader;
  const loaded = (moment: Moment): LoadedAccess => ({
    ...{ graph, moment, asOf: before.asOf, versions: before },
  });
  if (before.text === after.text) return loaded(NOW);
  // What is needed follows from what exists, so a push may have hidden some of it.
  if (only !== null) return null;
  const at = await instantBefore(tx, before, after);
  if (at === null) return null;
  if (!loading.isWithHistory && !(await loader.endedAfter(at))) return null;
  return loaded(graph.instants.moment(nanosOf(at)));
};

/** Pushes came each time, and it is not certain what they changed. */
export const RESTLESS_LOAD = 'restless';
/** The graph needs more memory than it may use. */
export const TOO_LARGE_LOAD = 'too large';

/**
 * Loads the access graph as of the newest push (docs/architecture.md: Access in memory). Pushes may
 * come while it reads: what they end, the history still has, and what they begin does not count.
 */
export const loadAccessGraph = async (
  graph: Graph,
  loading: Loading,
): Promise<LoadedAccess | typeof RESTLESS_LOAD | typeof TOO_LARGE_LOAD> => {
  const { timeoutSeconds, unwanted } = loading;
  try {
    return await runTransaction(
      graph,
      { mode: 'read', timeoutSeconds, unwanted, fetchSize: FETCHED },
      async (tx) => {
        for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
          const loaded = await loadOnce(tx, loading);
          if (loaded !== null) return loaded;
        }
        return RESTLESS_LOAD;
      },
    );
  } catch (error) {
    if (error instanceof NoMemory) return TOO_LARGE_LOAD;
    throw error;
  }
};
