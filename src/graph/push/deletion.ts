import neo4j from 'neo4j-driver';
import type { TaskEither } from 'fp-ts/TaskEither';

import { DifferenceBuilder } from '../../difference/difference';
import { Instant } from '../../model/instant';
import { rowKinds } from '../../templates/graph/nodes';
import { removalOrder } from '../../templates/graph/removal-order';
import type { Failure } from '../../problem';
import { LOCK_BINDING, RECORD_TYPES } from '../../translate/data-source-statements';
import {
  DATA_SOURCES_OF,
  DELETING_DATA_SOURCES,
  DELETING_PROVIDERS,
  LOCK_PROVIDER,
  MARK_DATA_SOURCE,
  MARK_PROVIDER,
  REMOVE_DATA_SOURCE,
  REMOVE_EVENTS,
  REMOVE_PROVIDER,
  REMOVE_PUSHES,
  someRows,
} from '../../translate/deletion-statements';
import { REMOVE_LANES } from '../../translate/large-push-statements';
import type { Graph } from '../connection/driver';
import { lanePrefix } from './large-push';
import { type EventRecord, writeEvent } from '../records/event-record';
import { type DataSourceState, DataSourceGone } from './data-source-state';
import { holdDataSource, type PushLimits } from './store';
import { inTransaction, runTransaction, type Runner } from '../connection/transaction';
import { removeSomeUploads } from '../records/uploads';

/** What was deleted, for the event that tells of it. */
export interface Deleted {
  readonly id: string;
  readonly name: string;
  /** Of a data source. */
  readonly providerId: string;
  /** The request that asked for it. */
  readonly requestId: string;
}

/** Tells of a deletion. */
export type TellDeleted = (deleted: Deleted) => EventRecord;

/** A data source being deleted, and by which request. */
export interface Deleting {
  readonly id: string;
  readonly requestId: string;
}

/** Deletion step by step, each step a transaction: what is marked is finished by whichever process comes to it (api.md 1). */
export interface Deletions {
  /** Marks a data source, waiting for a push that runs; gives how much there is to remove. */
  markDataSource(id: string, requestId: string): Promise<number>;
  /** Marks a provider; gives how much there is to remove. */
  markProvider(id: string, requestId: string): TaskEither<Failure, number>;
  dataSources(): Promise<readonly Deleting[]>;
  /** Ids of a provider's data sources. */
  dataSourcesOf(provider: string): Promise<readonly string[]>;
  providers(): Promise<readonly string[]>;
  /** Removes some of a data source, and at last itself; gives whether there is more. */
  removeSome(deleting: Deleting, tell: TellDeleted): Promise<boolean>;
  /** Removes a provider whose data sources are gone. */
  removeProvider(id: string, tell: TellDeleted): Promise<void>;
}

/** Rows that one transaction removes: pushes wait for the binding lock no longer than that takes. */
const ROWS_AT_ONCE = 2_000;
const PUSHES_AT_ONCE = 10_000;
const EVENTS_AT_ONCE = 10_000;

const someKeys = async (
  tx: Runner,
  { id, provider }: DataSourceState,
  most: number,
): Promise<readonly string[]> => {
  const keys: string[] = [];
  for (const kind of removalOrder(rowKinds[provider.template])) {
    if (keys.length >= most) break;
    const { records } = await tx.run<{ key: string }>(someRows(kind), {
      prefix: `${id}|`,
      most: neo4j.int(most - keys.length),
    });
    for (const record of records) keys.push(record.get('key').slice(id.length + 1));
  }
  return keys;
};

/** Removes some events of what is deleted; gives whether there may be more. */
const removeSomeEvents = async (tx: Runner, id: string, most: number): Promise<boolean> => {
  const { records } = await tx.run<{ removed: unknown }>(REMOVE_EVENTS, {
    id,
    most: neo4j.int(most),
  });
  return Number(records[0]?.get('removed') ?? 0) === most;
};

/** Deletion in the graph. */
export const graphDeletions = (
  graph: Graph,
  limits: PushLimits,
  rowsAtOnce = ROWS_AT_ONCE,
  eventsAtOnce = EVENTS_AT_ONCE,
): Deletions => {
  const write = { mode: 'write' } as const;
  const mark = async (tx: Runner, id: string, requestId: string): Promise<number> => {
    const { records } = await tx.run<{ size: unknown }>(MARK_DATA_SOURCE, {
      data_source: id,
      request: requestId,
    });
    return Number(records[0]?.get('size') ?? 0);
  };
  return {
    markDataSource: (id, requestId) =>
      holdDataSource(graph, limits, id, requestId, (_held, tx) => mark(tx, id, requestId)),

    markProvider: (id, requestId) =>
      inTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ size: unknown }>(MARK_PROVIDER, {
          provider: id,
          request: requestId,
        });
        return Number(records[0]?.get('size') ?? 0);
      }),

    dataSources: () =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string; request: string | null }>(
          DELETING_DATA_SOURCES,
        );
        return records.map((record) => ({
          id: record.get('key'),
          requestId: record.get('request') ?? '',
        }));
      }),

    dataSourcesOf: (provider) =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string }>(DATA_SOURCES_OF, { provider });
        return records.map((record) => record.get('key'));
      }),

    providers: () =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string }>(DELETING_PROVIDERS);
        return records.map((record) => record.get('key'));
      }),

    removeSome: async ({ id, requestId }, tell) => {
      try {
        return await holdDataSource(graph, limits, id, requestId, async (held, tx) => {
          await mark(tx, id, requestId);
          const keys = await someKeys(tx, held.state, rowsAtOnce);
          if (keys.length > 0) {
            const builder = new DifferenceBuilder();
            for (const row of (await held.rows(keys)).values()) builder.remove(row);
            await held.write(builder.difference, new Map(), new Instant(new Date().toISOString()));
            return true;
          }
          if (await removeSomeUploads(tx, id)) return true;
          const { records } = await tx.run<{ removed: unknown }>(REMOVE_PUSHES, {
            data_source: id,
            most: neo4j.int(PUSHES_AT_ONCE),
          });
          if (Number(records[0]?.get('removed') ?? 0) === PUSHES_AT_ONCE) return true;
          // But the one that tells of the deletion, written below.
          if (await removeSomeEvents(tx, id, eventsAtOnce)) return true;
          await tx.run(REMOVE_LANES, { prefix: lanePrefix(id) });
          await tx.run(REMOVE_DATA_SOURCE, { data_source: id });
          const { name, provider } = held.state;
          await tx.run(LOCK_BINDING, { push: requestId });
          await tx.run(RECORD_TYPES, { provider: provider.id });
          await writeEvent(tx, tell({ id, name, providerId: provider.id, requestId }));
          return false;
        });
      } catch (error) {
        // Another process has finished it.
        if (error instanceof DataSourceGone) return false;
        throw error;
      }
    },

    removeProvider: async (id, tell) => {
      const removeSome = () =>
        runTransaction(graph, write, (tx) => removeSomeEvents(tx, id, eventsAtOnce));
      while (await removeSome());
      await runTransaction(graph, write, async (tx) => {
        // In a statement of its own: what waited for the lock must look again.
        await tx.run(LOCK_PROVIDER, { provider: id });
        const { records } = await tx.run<{ id: string; name: string; request: string | null }>(
          REMOVE_PROVIDER,
          { provider: id },
        );
        for (const record of records) {
          const [name, requestId] = [record.get('name'), record.get('request') ?? ''];
          await writeEvent(tx, tell({ id, name, providerId: id, requestId }));
        }
      });
    },
  };
};
