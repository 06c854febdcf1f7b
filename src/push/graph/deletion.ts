import neo4j, { type DateTime } from 'neo4j-driver';

import { DifferenceBuilder } from '../../difference/difference';
import type { Instant } from '../../model/instant';
import { keyStart } from '../../model/key';
import { rowKinds } from '../../templates/graph/nodes';
import { removalOrder } from '../../templates/graph/removal-order';
import {
  LOCK_BINDING,
  RECORD_TYPES,
  TAKE_TURN,
} from '../../graph/statements/data-source-statements';
import {
  COUNT_ROWS,
  DATA_SOURCES_OF,
  DELETING_DATA_SOURCES,
  DELETING_PROVIDERS,
  ERASE_HISTORY,
  LOCK_DATA_SOURCES_OF,
  MARK_DATA_SOURCE,
  MARK_PROVIDER,
  READ_PROVIDER_STATE,
  REMOVE_DATA_SOURCE,
  REMOVE_EVENTS,
  REMOVE_PROVIDER,
  REMOVE_PUSHES,
} from '../statements/deletion-statements';
import { SOME_ROWS } from '../../graph/rows/existing-statements';
import { KEEP_PROPERTY_NAMES } from '../statements/property-name-statements';
import { LOCK_PROVIDER } from '../../graph/statements/provider-lock';
import type { NodeKind } from '../../model/table';
import { removeRecordsOf } from '../../graph/statements/record-statements';
import type { Graph } from '../../neo4j/driver';
import {
  type Actor,
  type EventRecord,
  storedActor,
  writeEvent,
} from '../../graph/records/event-record';
import { forgetSomeCommits } from '../../graph/records/forgotten-commits';
import { removeSome } from '../../graph/records/remove-some';
import { takeNumberOfRecord } from '../../graph/write/write-difference';
import { type DataSourceState, DataSourceGone, isSettled, readState } from './data-source-state';
import { pushInstant } from '../../graph/records/push-instant';
import { holdDataSource, type PushLimits, waitFor } from './store';
import { runTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime, toInstant } from '../../neo4j/values';
import { removeSomeUploads } from './uploads';

/** The request that asked for a deletion, and the owner of its key. */
export interface DeletionAct {
  readonly requestId: string;
  readonly by?: Actor | undefined;
  /** Whether the history goes too (docs/rules.md: History). */
  readonly erases?: boolean;
  /** The token with which the request confirmed a large removal, if it did. */
  readonly confirmedRemoval?: string | null | undefined;
}

/** What the removal guard needs to know of a data source before it is deleted. */
export interface HeldRows {
  readonly id: string;
  readonly rows: number;
  readonly digest: string | null;
  /** Whether somebody allows the next push to pass the removal guard. */
  readonly isRemovalAllowed: boolean;
}

/**
 * Checks a deletion by what it would remove. Throws to stop it. A deletion that has begun is not
 * checked a second time.
 */
export type JudgeDeletion = (held: readonly HeldRows[]) => void;

/**
 * The provider has trusts, or those of others name it. If it were removed, anybody could claim a
 * domain, or another provider could use its name.
 */
export class ProviderTrusted extends Error {
  constructor(
    /** Names of the other providers whose trusts name it. */
    readonly meantBy: readonly string[],
  ) {
    super('the provider has trusts');
  }
}

type ProviderState = { state: string; has_trusts: boolean; meant_by: readonly string[] };

const judgeTrusts = (
  read: { get<K extends keyof ProviderState>(key: K): ProviderState[K] } | undefined,
): void => {
  const meantBy = read?.get('meant_by') ?? [];
  if (read?.get('has_trusts') === true || meantBy.length > 0) throw new ProviderTrusted(meantBy);
};

/** What the service deleted, for the event of the deletion. */
export interface Deleted extends DeletionAct {
  readonly id: string;
  readonly name: string;
  /** The provider of a deleted data source. */
  readonly providerId: string;
  /** Rows that the data source held when its deletion began. */
  readonly rows: number;
  /** When the facts of a data source ended. */
  readonly endedAt?: Instant;
}

/** Makes the event of a deletion. */
export type TellDeleted = (deleted: Deleted) => EventRecord;

/** A data source that is being deleted, and the request for its deletion. */
export interface Deleting extends DeletionAct {
  readonly id: string;
}

/** Rows that one transaction removes. Pushes wait no longer than that for the derivation lock. */
const ROWS_AT_ONCE = 2_000;
const PUSHES_AT_ONCE = 10_000;
const PAST_FACTS_AT_ONCE = 10_000;
const EVENTS_AT_ONCE = 10_000;
const RECORDS_AT_ONCE = 10_000;

const someKeys = async (
  tx: Runner,
  { id, provider }: DataSourceState,
  most: number,
): Promise<readonly string[]> => {
  const keys: string[] = [];
  for (const kind of removalOrder(rowKinds[provider.template])) {
    if (keys.length >= most) break;
    const { records } = await tx.run<{ key: string }>(SOME_ROWS, {
      prefix: `${id}|${keyStart(kind.label)}`,
      most: neo4j.int(most - keys.length),
    });
    for (const record of records) keys.push(record.get('key').slice(id.length + 1));
  }
  return keys;
};

/**
 * Reads what a data source holds. Counts its rows if a chunked push has left the recorded number
 * behind.
 */
const heldRows = async (tx: Runner, state: DataSourceState): Promise<HeldRows> => {
  const { id, digest, isRemovalAllowed } = state;
  if (isSettled(state)) return { id, rows: state.rows, digest, isRemovalAllowed };
  const { records } = await tx.run<{ rows: unknown }>(COUNT_ROWS, { prefix: `${id}|` });
  return { id, rows: Number(records[0]?.get('rows') ?? 0), digest, isRemovalAllowed };
};

/**
 * What the graph stores of a deletion: the request, the owner of its key, and the number of rows.
 */
const storedAct = ({ requestId, by, confirmedRemoval }: DeletionAct, rows: number): object => ({
  deleting_request: requestId,
  deleting_key_id: by?.keyId ?? null,
  deleting_key_name: by?.name ?? null,
  deleting_address: by?.address ?? null,
  deleting_confirmed: confirmedRemoval ?? null,
  deleting_rows: neo4j.int(rows),
});

interface StoredAct {
  readonly request: string | null;
  readonly key_id: string | null;
  readonly key_name: string | null;
  readonly address: string | null;
  readonly confirmed: string | null;
}

const actOf = (record: { get<K extends keyof StoredAct>(key: K): StoredAct[K] }): DeletionAct => {
  const by = storedActor(record.get('key_id'), record.get('key_name'), record.get('address'));
  return { requestId: record.get('request') ?? '', by, confirmedRemoval: record.get('confirmed') };
};

/** Removes some events of a data source or provider. Gives whether there may be more. */
const removeSomeEvents = (tx: Runner, id: string, most: number): Promise<boolean> =>
  removeSome(tx, [REMOVE_EVENTS], { id }, most);

/** Erases some ended facts of a data source. Gives whether there may be more. */
const eraseSomeHistory = (tx: Runner, id: string, most: number): Promise<boolean> =>
  removeSome(tx, ERASE_HISTORY, { prefix: `${id}|` }, most);

/** A data source that is marked as being deleted. */
interface Marked {
  readonly size: number;
  readonly rows: number;
  readonly act: DeletionAct;
  /** When its facts end. */
  readonly moment: Instant;
  readonly erases: boolean;
}

/** Deletions in a graph. */
export const graphDeletions = (
  graph: Graph,
  limits: PushLimits,
  records: readonly NodeKind[],
  rowsAtOnce = ROWS_AT_ONCE,
  eventsAtOnce = EVENTS_AT_ONCE,
) => {
  const write = { mode: 'write' } as const;
  /** Removes some records of an owner. Returns whether there may be more. */
  const removeSomeRecords = (tx: Runner, of: 'provider' | 'data source', owner: string) =>
    removeSome(tx, removeRecordsOf(of, records), { owner }, RECORDS_AT_ONCE);
  const mark = async (
    tx: Runner,
    { id, lastPushAt }: DataSourceState,
    act: DeletionAct,
    held: number,
  ): Promise<Marked> => {
    const { records } = await tx.run<
      { size: unknown; rows: unknown; moment: DateTime; erases: boolean } & StoredAct
    >(MARK_DATA_SOURCE, {
      data_source: id,
      act: storedAct(act, held),
      // Later than every fact that ends.
      moment: toDateTime(pushInstant(lastPushAt)),
      erases: act.erases ?? false,
    });
    const [record] = records;
    if (record === undefined) throw new DataSourceGone();
    return {
      size: Number(record.get('size')),
      rows: Number(record.get('rows') ?? 0),
      act: actOf(record),
      moment: toInstant(record.get('moment')),
      erases: record.get('erases'),
    };
  };
  return {
    /**
     * Judges and marks a data source. Waits for a running push. Gives how much there is to remove.
     */
    markDataSource: (id: string, act: DeletionAct, judge: JudgeDeletion): Promise<number> =>
      holdDataSource(graph, limits, id, act.requestId, async ({ state }, tx) => {
        const held = await heldRows(tx, state);
        if (!isBeingDeleted(state)) judge([held]);
        return (await mark(tx, state, act, held.rows)).size;
      }),

    /**
     * Judges and marks a provider. Waits for running pushes to its data sources. Gives how much there
     * is to remove.
     */
    markProvider: (id: string, act: DeletionAct, judge: JudgeDeletion): Promise<number> =>
      runTransaction(graph, { ...write, timeoutSeconds: limits.pushSeconds }, async (tx) => {
        // Takes the locks in the same order as a push: data sources first.
        await waitFor(limits, [
          tx.run(LOCK_DATA_SOURCES_OF, { provider: id, request: act.requestId }),
        ]);
        await tx.run(LOCK_PROVIDER, { provider: id });
        const { records: states } = await tx.run<ProviderState>(READ_PROVIDER_STATE, {
          provider: id,
        });
        const { records: sources } = await tx.run<{ key: string }>(DATA_SOURCES_OF, {
          provider: id,
        });
        const held: HeldRows[] = [];
        for (const source of sources) {
          const state = await readState(tx, source.get('key'));
          if (!isBeingDeleted(state)) held.push(await heldRows(tx, state));
        }
        if (states[0]?.get('state') !== 'DELETING') {
          judgeTrusts(states[0]);
          judge(held);
        }
        const rows = held.reduce((sum, source) => sum + source.rows, 0);
        const { records } = await tx.run<{ size: unknown }>(MARK_PROVIDER, {
          provider: id,
          act: storedAct(act, rows),
          erases: act.erases ?? false,
        });
        return Number(records[0]?.get('size') ?? 0);
      }),

    dataSources: (): Promise<readonly Deleting[]> =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string; erases: boolean } & StoredAct>(
          DELETING_DATA_SOURCES,
        );
        return records.map((record) => ({
          id: record.get('key'),
          ...actOf(record),
          erases: record.get('erases'),
        }));
      }),

    /** Ids of a provider's data sources. */
    dataSourcesOf: (provider: string): Promise<readonly string[]> =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string }>(DATA_SOURCES_OF, { provider });
        return records.map((record) => record.get('key'));
      }),

    providers: (): Promise<readonly string[]> =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ key: string }>(DELETING_PROVIDERS);
        return records.map((record) => record.get('key'));
      }),

    /**
     * Removes some rows of a data source, and the data source itself at last. Gives whether there is
     * more.
     */
    removeSome: async ({ id, ...act }: Deleting, tell: TellDeleted): Promise<boolean> => {
      const { requestId } = act;
      try {
        return await holdDataSource(graph, limits, id, requestId, async (held, tx) => {
          const begun = await mark(tx, held.state, act, held.state.rows);
          const keys = await someKeys(tx, held.state, rowsAtOnce);
          if (keys.length > 0) {
            const builder = new DifferenceBuilder();
            for (const row of (await held.rows(keys)).values()) builder.remove(row);
            const { moment, erases } = begun;
            await held.write(builder.difference, new Map(), moment, { isPart: true, erases });
            return true;
          }
          if (begun.erases && (await eraseSomeHistory(tx, id, PAST_FACTS_AT_ONCE))) return true;
          if (await removeSomeUploads(tx, id)) return true;
          const { records } = await tx.run<{ removed: unknown }>(REMOVE_PUSHES, {
            data_source: id,
            most: neo4j.int(PUSHES_AT_ONCE),
          });
          if (Number(records[0]?.get('removed') ?? 0) === PUSHES_AT_ONCE) return true;
          // The event of the deletion stays: it is written below.
          if (await removeSomeEvents(tx, id, eventsAtOnce)) return true;
          if (await removeSomeRecords(tx, 'data source', id)) return true;
          if (begun.erases && (await forgetSomeCommits(tx))) return true;
          const { name, provider } = held.state;
          await tx.run(LOCK_BINDING, { push: requestId });
          if (!begun.erases) {
            // Nothing of access changes, but the newest push may be another one.
            await takeNumberOfRecord(tx, requestId, begun.moment);
          } else {
            // Processes that hold the access graph in memory must forget its history too.
            await tx.run(TAKE_TURN);
            await forgetSomeCommits(tx);
          }
          await tx.run(KEEP_PROPERTY_NAMES, { data_source: id });
          await tx.run(REMOVE_DATA_SOURCE, { data_source: id });
          await tx.run(RECORD_TYPES, { provider: provider.id });
          await writeEvent(
            tx,
            tell({
              id,
              name,
              providerId: provider.id,
              rows: begun.rows,
              ...begun.act,
              erases: begun.erases,
              endedAt: begun.moment,
            }),
          );
          return false;
        });
      } catch (error) {
        // Another process has finished the deletion.
        if (error instanceof DataSourceGone) return false;
        throw error;
      }
    },

    /** Removes a provider whose data sources are gone. */
    removeProvider: async (id: string, tell: TellDeleted): Promise<void> => {
      const removeSome = (): Promise<boolean> =>
        runTransaction(graph, write, async (tx) => {
          // The lock has a statement of its own, because the next statement must read what other
          // transactions wrote while this one waited.
          await tx.run(LOCK_PROVIDER, { provider: id });
          const { records: states } = await tx.run<ProviderState>(READ_PROVIDER_STATE, {
            provider: id,
          });
          // Another process has finished the deletion. Its event must stay.
          if (states[0]?.get('state') !== 'DELETING') return false;
          if (await removeSomeEvents(tx, id, eventsAtOnce)) return true;
          if (await removeSomeRecords(tx, 'provider', id)) return true;
          const { records } = await tx.run<
            { id: string; name: string; rows: unknown; erases: boolean } & StoredAct
          >(REMOVE_PROVIDER, { provider: id });
          for (const record of records) {
            const [name, rows] = [record.get('name'), Number(record.get('rows') ?? 0)];
            const erases = record.get('erases');
            const deleted = { id, name, providerId: id, rows, ...actOf(record), erases };
            await writeEvent(tx, tell(deleted));
          }
          return false;
        });
      while (await removeSome());
    },
  };
};

/**
 * Deletes in steps of one transaction each. Any process may finish a deletion that is marked
 * (docs/rules.md: Requests).
 */
export type Deletions = ReturnType<typeof graphDeletions>;

const isBeingDeleted = ({ status, provider }: DataSourceState): boolean =>
  status === 'DELETING' || provider.state === 'DELETING';
