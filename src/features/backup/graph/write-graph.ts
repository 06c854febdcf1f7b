import neo4j from 'neo4j-driver';

import { BindingLock } from '../../../push/records';
import { EventOrder } from '../../events/records';
import type { NodeKind } from '../../../model/table';
import { nodeKinds } from '../../../templates/graph/nodes';
import {
  BEGIN_RESTORE,
  COUNT_OTHERS,
  CREATE_NODES,
  drawRelationships,
  READ_RESTORING,
  REMOVE_SOME_NODES,
  REMOVE_SOME_RELATIONSHIPS,
  setSingleNode,
} from '../statements';
import type { Graph } from '../../../neo4j/driver';
import { runTransaction } from '../../../neo4j/transaction';
import {
  checkStore,
  migrate,
  readStoreVersion,
  type WrittenStore,
} from '../../../graph/migration/migrate';
import { finishing, type FinishRestore } from './finish-restore';
import { makeSchema } from '../../../graph/migration/schema';
import type { GraphPart, NodeLine, RelationshipLine } from './backup-line';
import { fromStoredProperties } from './stored-value';

/** Receives which step of a restore is under way, and how much of it is done. */
export type RestoreProgress = (step: string, done: number) => void;

/** The graph that a restore was given is not empty. */
export class GraphNotEmpty extends Error {
  constructor(nodes: number) {
    super(
      `The graph is not empty: it holds ${nodes} nodes. Restore into an empty database: ` +
        'another one (NEO4J_URI, NEO4J_DATABASE), or another DATA_DIR.',
    );
  }
}

/** A backup names what this release does not know, or ends that it does not hold. */
export class UnfitBackup extends Error {}

const REMOVED_AT_ONCE = 20_000;
const ROWS_AT_ONCE = 5_000;
/** Characters of JSON that one transaction gets at most, since some properties are megabytes long. */
const CHARACTERS_AT_ONCE = 8_000_000;

const write = { mode: 'write' } as const;

const numberOf = (graph: Graph, statement: string, parameters = {}): Promise<number> =>
  runTransaction(graph, write, async (tx) => {
    const { records } = await tx.run(statement, parameters);
    return Number(records[0]?.get(0) ?? 0);
  });

const isUnfinished = (graph: Graph): Promise<boolean> =>
  runTransaction(graph, write, async (tx) => (await tx.run(READ_RESTORING)).records.length > 0);

const removeAll = async (graph: Graph): Promise<void> => {
  // Relationships first: nodes with many of them leave slowly with DETACH DELETE.
  for (const statement of [REMOVE_SOME_RELATIONSHIPS, REMOVE_SOME_NODES]) {
    const most = { most: neo4j.int(REMOVED_AT_ONCE) };
    while ((await numberOf(graph, statement, most)) > 0);
  }
};

const kindOf = (kinds: readonly NodeKind[], label: string): NodeKind => {
  const kind = kinds.find((one) => one.label === label);
  if (kind === undefined) {
    throw new UnfitBackup(`The backup has nodes with the label ${label}, which nobody declares.`);
  }
  return kind;
};

/** Collects rows of one statement, and writes them some at a time. */
class Batch {
  private rows: unknown[] = [];
  private characters = 0;

  constructor(
    private readonly graph: Graph,
    private readonly statement: string,
  ) {}

  async add(row: unknown, characters: number): Promise<void> {
    this.rows.push(row);
    this.characters += characters;
    if (this.rows.length === ROWS_AT_ONCE || this.characters > CHARACTERS_AT_ONCE) {
      await this.flush();
    }
  }

  async flush(): Promise<void> {
    const { rows } = this;
    if (rows.length === 0) return;
    [this.rows, this.characters] = [[], 0];
    const written = await numberOf(this.graph, this.statement, { rows });
    if (written !== rows.length) {
      throw new UnfitBackup('The backup has relationships between nodes that it does not hold.');
    }
  }
}

/** Writes the parts of a graph to an empty one. */
class Writing {
  private readonly batches = new Map<string, Batch>();
  private label = '';

  constructor(
    private readonly graph: Graph,
    private readonly kinds: readonly NodeKind[],
  ) {}

  async take(part: GraphPart, characters: number): Promise<void> {
    if ('section' in part) {
      // Relationships need all nodes, and a section ends with its last row.
      await this.flush();
      this.label = 'nodes' in part.section ? part.section.nodes : part.section.relationships;
    } else if ('node' in part) await this.node(part.node, characters);
    else await this.relationship(part.relationship, characters);
  }

  async flush(): Promise<void> {
    for (const batch of this.batches.values()) await batch.flush();
    this.batches.clear();
  }

  private node([labels, properties]: NodeLine, characters: number): Promise<void> {
    const kind = kindOf(this.kinds, this.label);
    const isSingle = kind === BindingLock || kind === EventOrder;
    const statement = isSingle ? setSingleNode(kind) : CREATE_NODES;
    return this.batch(kind.label, statement).add(
      [labels, fromStoredProperties(properties)],
      characters,
    );
  }

  private relationship(line: RelationshipLine, characters: number): Promise<void> {
    const [from, type, toLabel, to, properties] = line;
    const statement = drawRelationships(
      kindOf(this.kinds, this.label),
      kindOf(this.kinds, toLabel),
    );
    return this.batch(toLabel, statement).add(
      [from, type, to, fromStoredProperties(properties)],
      characters,
    );
  }

  private batch(name: string, statement: string): Batch {
    const existing = this.batches.get(name);
    if (existing !== undefined) return existing;
    const batch = new Batch(this.graph, statement);
    this.batches.set(name, batch);
    return batch;
  }
}

/**
 * Refuses a graph that a restore would spoil: one that holds something, or that a newer release
 * prepared. What an unfinished restore left does not count, since the next one removes it.
 */
export const requireEmpty = async (graph: Graph): Promise<void> => {
  if (await isUnfinished(graph)) return;
  await runTransaction(graph, { mode: 'write' }, (tx) => readStoreVersion(tx));
  const others = await numberOf(graph, COUNT_OTHERS);
  if (others > 0) throw new GraphNotEmpty(others);
};

/**
 * Writes a graph to an empty one, and migrates it if a release before this one wrote it (`store`).
 * Until the end the graph says that the restore is unfinished, so no service uses it. After a crash
 * the next restore begins again. `historySince`: since when the graph has kept ended facts.
 * `finish`: says that it is finished, and what waits since.
 */
export const writeGraph = async (
  graph: Graph,
  records: readonly NodeKind[],
  store: WrittenStore,
  parts: AsyncIterable<{ readonly part: GraphPart; readonly characters: number }>,
  historySince: string | null = null,
  finish: FinishRestore = finishing(null),
  progress: RestoreProgress = () => undefined,
): Promise<void> => {
  checkStore(store);
  await requireEmpty(graph);
  const isAgain = await isUnfinished(graph);
  progress('constraints and indexes', 0);
  await makeSchema(graph, records);
  await runTransaction(graph, write, (tx) =>
    tx.run(BEGIN_RESTORE, { version: neo4j.int(store.version), release: store.release }),
  );
  if (isAgain) await removeAll(graph);
  const writing = new Writing(graph, [...nodeKinds, ...records]);
  let written = 0;
  for await (const { part, characters } of parts) {
    await writing.take(part, characters);
    if (!('section' in part)) progress('nodes and relationships', (written += 1));
  }
  await writing.flush();
  await runTransaction(graph, write, (tx) => finish(tx, historySince));
  await migrate(graph, records);
};
