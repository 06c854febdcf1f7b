import { AccessGraph } from '../../access/access-graph';
import { type Moment, NOW } from '../../access/instants';
import { bounded, NoMemory } from '../../access/memory';
import { ACCESS_TYPES, HELD_TYPES, type HeldType } from '../../access/relationship-types';
import type { AsOf } from '../../contract/answers/page';
import { Instant, nanosOf } from '../../model/instant';
import type { NodeKind } from '../../model/table';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import { instantBefore, readVersions } from '../answering/versions';
import { accessKinds } from '../../graph/statements/access-kinds';
import {
  ALL_NODES,
  allRelationships,
  NODES_ENDED,
  NODES_NEEDED,
  RELATIONSHIPS_ENDED,
  RELATIONSHIPS_NEEDED,
} from '../statements/access-graph-statements';
import { eachRow, FETCHED, GraphRows, kindOfLabel, type Row, type RowTarget } from './graph-rows';

/** What to load. */
export interface Loading {
  /** The keys of the principals whose access is wanted; `null` means everybody's. */
  readonly only: readonly string[] | null;
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
}

/** Nothing is older. */
const BEFORE_ALL = '1970-01-01T00:00:00Z';

/** How often the service loads, if pushes come and the history does not show what they changed. */
const ATTEMPTS = 5;

/** Sends the statements, and passes their rows on. */
class Loader {
  private readonly rows: GraphRows;

  constructor(
    private readonly tx: Runner,
    target: RowTarget,
  ) {
    this.rows = new GraphRows(target);
  }

  /** Everything that exists now, with relationships of some types. Neo4j gets all statements at once. */
  async everything(types: readonly HeldType[]): Promise<void> {
    await Promise.all([
      eachRow(this.tx, ALL_NODES, {}, (record) => {
        const kind = accessKinds[Number(record.get('of'))] as NodeKind;
        this.rows.node(kind, record.get('row') as Row, null);
      }),
      eachRow(this.tx, allRelationships(types), {}, (record) => {
        const from = record.get('from') as string;
        const facts = record.get('facts') as readonly (readonly [HeldType, string, string])[];
        for (const [type, to, since] of facts) {
          this.rows.relationship(type, [from, to, since], null);
        }
      }),
    ]);
  }

  /** What exists now and is needed for the access of some principals. */
  async needed(only: readonly string[]): Promise<void> {
    await eachRow(this.tx, NODES_NEEDED, { only }, (record) => {
      const labels = record.get('labels') as readonly string[];
      const kind = labels.flatMap((label) => kindOfLabel(label) ?? [])[0];
      if (kind !== undefined) this.rows.node(kind, record.get('row') as Row, null);
    });
    await eachRow(this.tx, RELATIONSHIPS_NEEDED, { only }, (record) =>
      this.rows.relationship(record.get('type') as HeldType, record.get('row') as Row, null),
    );
  }

  /** What ended after an instant. Calls `note` with the keys between which a relationship ended. */
  async endedAfter(instant: Instant, note: (key: string) => void = () => undefined): Promise<void> {
    const at = { at: toDateTime(instant) };
    await Promise.all([
      eachRow(this.tx, NODES_ENDED, at, (record) => {
        const kind = kindOfLabel(record.get('label') as string);
        if (kind !== null) this.rows.node(kind, record.get('row') as Row, record.get('until'));
      }),
      eachRow(this.tx, RELATIONSHIPS_ENDED, at, (record) => {
        const row = record.get('row') as Row;
        const [from, to] = row as readonly [string, string];
        this.rows.relationship(record.get('type') as HeldType, row, record.get('until'));
        for (const key of [from, to]) note(key);
      }),
    ]);
  }
}

/**
 * Reads everything with its history, except shared nodes that are gone. Commits may come while it
 * reads: the caller then applies those after the number that the commit sequence had before.
 */
export const readEverything = async (tx: Runner, target: RowTarget): Promise<void> => {
  const loader = new Loader(tx, target);
  await loader.everything(HELD_TYPES);
  await loader.endedAfter(new Instant(BEFORE_ALL));
};

/** Makes the shared nodes that are gone. */
export const addGoneNodes = (graph: AccessGraph): void => {
  const rows = new GraphRows(graph);
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (graph.kind(node) === null) rows.goneShared(graph.key(node));
  }
};

/** One attempt; `null` if a push came, and it is not certain what the graph was before it. */
export const loadOnce = async (tx: Runner, loading: Loading): Promise<LoadedAccess | null> => {
  const { only } = loading;
  const before = await readVersions(tx);
  const graph = new AccessGraph(bounded(loading.memoryBytes));
  const loader = new Loader(tx, graph);
  await (only === null ? loader.everything(ACCESS_TYPES) : loader.needed(only));
  const after = await readVersions(tx);
  const loaded = (moment: Moment): LoadedAccess => ({
    ...{ graph, moment, asOf: before.asOf },
  });
  if (before.text === after.text) return loaded(NOW);
  // What is needed follows from what exists, so a push may have hidden some of it.
  if (only !== null) return null;
  const at = await instantBefore(tx, before, after);
  if (at === null) return null;
  // Of a shared node that is gone nobody stored a version.
  let isComplete = true;
  await loader.endedAfter(at, (key) => {
    if (graph.kind(graph.find(key)) === null) isComplete = false;
  });
  if (!isComplete) return null;
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
