import { randomUUID } from 'node:crypto';

import {
  BEGIN_HISTORY,
  END_HISTORY,
  LOCK_STORE,
  READ_STORE,
  RECORD_STORE,
} from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import { runTransaction, type Runner } from '../connection/transaction';
import { makeSchema } from './schema';

/** Brings a graph from one store version to the next. It may run again after a crash. */
export type Migration = (graph: Graph, stillHolds: () => Promise<void>) => Promise<void>;

/** The oldest store version that this release migrates. Nothing older was ever released. */
const OLDEST_VERSION = 7;

/** The first migration leads from the oldest version to the next one, and so on. */
const MIGRATIONS: readonly Migration[] = [];

/** The store version that this release writes. */
export const STORE_VERSION = OLDEST_VERSION + MIGRATIONS.length;

/** Another release wrote the graph, and this one does not read it. The message says what to do. */
export abstract class UnreadableStore extends Error {}

/** A version before the first release wrote the graph. This release does not read it. */
export class StoreTooOld extends UnreadableStore {
  constructor(version: number) {
    super(
      `The store is of version ${version}, and this release reads version ${OLDEST_VERSION} or newer: ` +
        'begin with an empty Neo4j, and push everything again.',
    );
  }
}

/** Rejects with `StoreTooOld` or `StoreTooNew`. */
export const checkStoreVersion = (version: number): void => {
  if (version < OLDEST_VERSION) throw new StoreTooOld(version);
  if (version > STORE_VERSION) throw new StoreTooNew(version);
};

/** A newer release wrote the graph. This release cannot read it safely. */
export class StoreTooNew extends UnreadableStore {
  constructor(version: number) {
    super(
      `The graph in Neo4j is of version ${version}, and this release knows versions up to ${STORE_VERSION}: ` +
        'start the release that wrote it, or a newer one.',
    );
  }
}

/** A restore into the graph is not finished. Until then the graph is not whole. */
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
        : `The graph in Neo4j is of version ${version}, and this release writes version ` +
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
    version: number | null;
    is_used: boolean;
    is_restoring: boolean;
  }>(READ_STORE);
  const version = records[0]?.get('version') ?? null;
  if (records[0]?.get('is_restoring') === true) throw new RestoreUnfinished();
  if (version === null && records[0]?.get('is_used') !== true) return 'unused';
  // The first versions had no node that tells theirs.
  const known = version === null ? 1 : Number(version);
  checkStoreVersion(known);
  return known;
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
      const missing = version === 'unused' ? [] : MIGRATIONS.slice(version - OLDEST_VERSION);
      const stillHolds = async (): Promise<void> => {
        await lock.run('RETURN 1');
      };
      for (const migration of missing) await migration(graph, stillHolds);
      await lock.run(RECORD_STORE, { version: STORE_VERSION });
    },
  );
};

/** Notes since when the graph keeps facts that end, or that it does not (docs/rules.md: History). */
const noteHistory = (graph: Graph, keepsHistory: boolean): Promise<void> =>
  runTransaction(graph, { mode: 'write' }, async (tx) => {
    await tx.run(keepsHistory ? BEGIN_HISTORY : END_HISTORY);
  });

/**
 * Brings the graph to the state that this release needs: first the schema, then the data
 * (docs/rules.md: Store versions). Rejects with `UnreadableStore` before it writes anything. Several
 * processes may run it at once, and again. `keepsHistory`: whether pushes will keep what they end.
 */
export const migrate = async (graph: Graph, keepsHistory = true): Promise<void> => {
  const version = await runTransaction(graph, { mode: 'read' }, readStoreVersion);
  await makeSchema(graph);
  if (version !== STORE_VERSION) await migrateData(graph);
  await noteHistory(graph, keepsHistory);
};
