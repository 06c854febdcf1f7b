import { randomUUID } from 'node:crypto';

import { BUILD } from '../../build';
import {
  BEGIN_HISTORY,
  END_HISTORY,
  FORGET_FORMER_LEASES,
  LOCK_STORE,
  READ_STORE,
  RECORD_STORE,
} from './store-statements';
import type { NodeKind } from '../../model/table';
import type { Graph } from '../../neo4j/driver';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { makeSchema } from './schema';

/** Brings a graph from one store version to the next. It may run again after a crash. */
export type Migration = (graph: Graph, stillHolds: () => Promise<void>) => Promise<void>;

/** The store version of release 1.0.0. */
const FIRST_VERSION = 1;

/** A migration that is one statement, which changes few nodes. */
const oneStatement =
  (statement: string): Migration =>
  async (graph) => {
    await runTransaction(graph, { mode: 'write' }, (tx) => tx.run(statement));
  };

/** The first migration leads from the first version to the next one, and so on. */
const MIGRATIONS: readonly Migration[] = [oneStatement(FORGET_FORMER_LEASES)];

/** The store version that this release writes. */
export const STORE_VERSION = FIRST_VERSION + MIGRATIONS.length;

/** How a graph was written. */
export interface WrittenStore {
  readonly version: number;
  /** The release that brought the graph to this version; `null` if none did. */
  readonly release: string | null;
}

/** Another release wrote the graph, and this one does not read it. The message says what to do. */
export abstract class UnreadableStore extends Error {}

/** A version before release 1.0.0 wrote the graph. No release reads it. */
export class StoreTooOld extends UnreadableStore {
  constructor() {
    super(
      'A version before 1.0.0 wrote this graph, and no release reads it: ' +
        'begin with an empty Neo4j, and push everything again.',
    );
  }
}

/** A newer release wrote the graph. This release cannot read it safely. */
export class StoreTooNew extends UnreadableStore {
  constructor(version: number, release: string) {
    super(
      `Release ${release} wrote this graph, in store version ${version}, and release ${BUILD.version} reads ` +
        `versions up to ${STORE_VERSION}: use release ${release}, or a newer one.`,
    );
  }
}

/** Throws `StoreTooOld` or `StoreTooNew`. */
export const checkStore = ({ version, release }: WrittenStore): void => {
  // Version numbers before release 1.0.0 mean something else.
  if (release === null || release.startsWith('0.')) throw new StoreTooOld();
  if (version > STORE_VERSION) throw new StoreTooNew(version, release);
};

/** A restore into the graph is not finished. Until then the graph is incomplete. */
export class RestoreUnfinished extends Error {
  constructor() {
    super(
      'A restore into this graph is not finished. Wait for its end; if it was interrupted, ' +
        'run `grantgraph restore` again.',
    );
  }
}

/** A release before this one wrote the graph, and nobody has migrated it yet. */
export class StoreNotMigrated extends Error {
  constructor(version: number | 'unused') {
    super(
      version === 'unused'
        ? 'The graph in Neo4j is empty: nobody has used it yet.'
        : `The graph in Neo4j is of store version ${version}, and this release writes version ` +
            `${STORE_VERSION}: use the release that wrote the graph, or start this one once.`,
    );
  }
}

/**
 * The store version of the graph. `unused` means that nobody has used the graph yet. Rejects with
 * `UnreadableStore` or `RestoreUnfinished`.
 */
export const readStoreVersion = async (tx: Runner): Promise<number | 'unused'> => {
  const { records } = await tx.run<{
    version: unknown;
    release: string | null;
    is_used: boolean;
    is_restoring: boolean;
  }>(READ_STORE);
  const version = records[0]?.get('version') ?? null;
  if (records[0]?.get('is_restoring') === true) throw new RestoreUnfinished();
  if (version === null && records[0]?.get('is_used') !== true) return 'unused';
  const store = { version: Number(version), release: records[0]?.get('release') ?? null };
  checkStore(store);
  return store.version;
};

/**
 * The store version of a graph that this release can read as it is. Rejects with
 * `UnreadableStore`, `StoreNotMigrated` or `RestoreUnfinished`.
 */
export const readMigratedVersion = async (tx: Runner): Promise<number> => {
  const version = await readStoreVersion(tx);
  if (version !== STORE_VERSION) throw new StoreNotMigrated(version);
  return version;
};

const migrateData = async (graph: Graph): Promise<void> => {
  // One process migrates at a time. A process that waited for the lock finds the work done. If a
  // process dies, Neo4j frees its lock.
  await runTransaction(
    graph,
    { mode: 'write', timeoutSeconds: 0, atMostSeconds: Infinity },
    async (lock) => {
      await lock.run(LOCK_STORE, { holder: randomUUID() });
      const version = await readStoreVersion(lock);
      const missing = version === 'unused' ? [] : MIGRATIONS.slice(version - FIRST_VERSION);
      const stillHolds = async (): Promise<void> => {
        await lock.run('RETURN 1');
      };
      for (const migration of missing) await migration(graph, stillHolds);
      await lock.run(RECORD_STORE, { version: STORE_VERSION, release: BUILD.version });
    },
  );
};

/**
 * Notes since when the graph stores facts that end, or that it does not (docs/rules.md: History).
 */
const noteHistory = (graph: Graph, keepsHistory: boolean): Promise<void> =>
  runTransaction(graph, { mode: 'write' }, async (tx) => {
    await tx.run(keepsHistory ? BEGIN_HISTORY : END_HISTORY);
  });

/**
 * Brings the graph to the state that this release needs: first the schema, then the data
 * (docs/rules.md: Store versions). Rejects with `UnreadableStore` before it writes anything.
 * Several processes may run it at once, and again. `keepsHistory`: whether pushes will store what
 * they end.
 */
export const migrate = async (
  graph: Graph,
  records: readonly NodeKind[],
  keepsHistory = true,
): Promise<void> => {
  const version = await runTransaction(graph, { mode: 'read' }, readStoreVersion);
  await makeSchema(graph, records);
  if (version !== STORE_VERSION) await migrateData(graph);
  await noteHistory(graph, keepsHistory);
};
