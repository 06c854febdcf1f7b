import { IS_PAUSED } from '../../graph/statements/paused-statements';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import type { Failure } from '../../problem';
import { STAYING_PROVIDER } from '../../graph/statements/provider-lock';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST, runTransaction } from '../../neo4j/transaction';
import { fromGraph, utcOf } from '../../neo4j/values';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { changeWithEvent, orNoProvider } from '../../graph/records/of-provider';
import { endedLease, heldLease, isLeased, prolongedLease, takenLease } from '../lease';

/** What settings of an import say. */
export interface ImportSettings {
  /** Id of the data source to which it is pushed. */
  readonly data_source: string;
  /** How often; null: by call only. */
  readonly every_seconds: number | null;
  readonly whole_every_seconds: number;
  readonly leave_out: string | null;
}

/** How far an import is. */
export interface ImportProgress {
  /** JSON; null: the next reading is complete. */
  readonly accounts_since: string | null;
  readonly groups_since: string | null;
  readonly finds_changes: boolean;
  /** Whether a complete reading found something new that readings of changes had missed. */
  readonly misses_changes: boolean;
  /** When the newest complete reading began, as RFC 3339; null: there was none. */
  readonly whole_at: string | null;
}

/** An import as the graph holds it. */
export interface StoredImport extends ImportSettings, ImportProgress {
  /** RFC 3339. */
  readonly next_at: string | null;
  readonly failures: number;
  /** JSON. */
  readonly last: string | null;
  /** Whether somebody holds its lease. */
  readonly is_running: boolean;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339. */
  readonly changed: string;
}

/** How an import ended. */
export interface ImportEnd {
  /** `changed` of the settings with which it began. Progress counts only for these. */
  readonly settingsOf: string;
  readonly failures: number;
  /** After how many seconds the next one is due; null: by call only. */
  readonly nextSeconds: number | null;
  /** JSON. */
  readonly last: string | null;
  /** Null if it stays as it was. */
  readonly progress: ImportProgress | null;
  readonly event: EventRecord | null;
}

/** An import, and whether it runs. */
const RETURNED = `RETURN import {.*, is_running: ${isLeased('import')}} AS import`;

const FIND = `MATCH (import:ScimImport {key: $provider})
${RETURNED}`;

const SET = `${STAYING_PROVIDER}
MERGE (import:ScimImport {key: provider.key})
ON CREATE SET import.since = datetime($at), import.failures = 0, import.finds_changes = false
WITH import, import.data_source = $settings.data_source AND coalesce(import.leave_out, '') = coalesce($settings.leave_out, '') AS is_same
SET import.accounts_since = CASE WHEN is_same THEN import.accounts_since END,
  import.groups_since = CASE WHEN is_same THEN import.groups_since END,
  import += $settings, import.changed = datetime($at), import.failures = 0,
  import.misses_changes = false,
  import.next_at = CASE WHEN $settings.every_seconds IS NULL THEN null ELSE datetime() END
${RETURNED}`;

const REMOVE = `MATCH (import:ScimImport {key: $provider})
DELETE import
RETURN $provider AS provider`;

const CLAIM = `MATCH (import:ScimImport {key: $provider})
${takenLease('import')}
${RETURNED}`;

const RENEW = `MATCH (import:ScimImport {key: $provider})
${prolongedLease('import')}
RETURN import.key AS key`;

const END = `MATCH (import:ScimImport {key: $provider})
${heldLease('import')}
WITH import, import.changed = datetime($settings_of) AS is_same
SET import += CASE WHEN is_same THEN $progress ELSE {} END, import += $ended,
  import.whole_at = CASE WHEN is_same AND $whole_at IS NOT NULL THEN datetime($whole_at) ELSE import.whole_at END,
  import.next_at = CASE WHEN $next IS NULL OR import.every_seconds IS NULL THEN null ELSE datetime() + duration({seconds: $next}) END
${endedLease('import')}
RETURN import.key AS key`;

const DUE = `MATCH (import:ScimImport)
USING INDEX SEEK import:ScimImport(next_at)
WHERE import.next_at <= datetime() AND NOT ${isLeased('import')} AND NOT ${IS_PAUSED}
  AND EXISTS { MATCH (connection:ScimConnection {key: import.key}) }
RETURN import.key AS provider
ORDER BY import.next_at
LIMIT $most`;

type Stored = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toImport = (stored: Stored): StoredImport => {
  const read = fromGraph(stored) as Stored;
  return {
    data_source: String(read.data_source),
    every_seconds: read.every_seconds === undefined ? null : Number(read.every_seconds),
    whole_every_seconds: Number(read.whole_every_seconds),
    leave_out: textOf(read.leave_out),
    accounts_since: textOf(read.accounts_since),
    groups_since: textOf(read.groups_since),
    finds_changes: read.finds_changes === true,
    misses_changes: read.misses_changes === true,
    whole_at: utcOf(read.whole_at),
    next_at: utcOf(read.next_at),
    failures: Number(read.failures),
    last: textOf(read.last),
    is_running: read.is_running === true,
    since: utcOf(read.since) ?? '',
    changed: utcOf(read.changed) ?? '',
  };
};

const seconds = (value: number | null): unknown => (value === null ? null : neo4j.int(value));

/** The imports of the graph. */
export const graphScimImports = (graph: Graph) => {
  const one = async (
    statement: string,
    parameters: Stored,
    event?: EventRecord,
  ): Promise<Stored | null> =>
    runTransaction(graph, LATEST, async (tx) => {
      const [record] = (await tx.run(statement, parameters)).records;
      if (record === undefined) return null;
      if (event !== undefined) await writeEvent(tx, event);
      return record.toObject();
    });
  const importIn = (row: Stored | null): StoredImport | null =>
    row === null ? null : toImport(row.import as Stored);
  return {
    /** The import of a provider; null if it has none. */
    find: (provider: string): TE.TaskEither<Failure, StoredImport | null> =>
      inTransaction(graph, LATEST, async (tx) => {
        const [record] = (await tx.run(FIND, { provider })).records;
        return importIn(record?.toObject() ?? null);
      }),

    /**
     * Sets the import of a provider. If it names another data source, or leaves out others, the next
     * reading is complete. Fails if the provider is gone.
     */
    set: (
      provider: string,
      settings: ImportSettings,
      event: EventRecord,
    ): TE.TaskEither<Failure, StoredImport> => {
      const { every_seconds, whole_every_seconds } = settings;
      const stored = {
        ...settings,
        every_seconds: seconds(every_seconds),
        whole_every_seconds: seconds(whole_every_seconds),
      };
      return pipe(
        changeWithEvent(graph, SET, { provider, at: event.timestamp, settings: stored }, event),
        TE.flatMap(orNoProvider),
        TE.map((record) => toImport(record.get('import') as Stored)),
      );
    },

    /** Removes the import of a provider; gives whether there was one. */
    remove: (provider: string, event: EventRecord): TE.TaskEither<Failure, boolean> =>
      pipe(
        changeWithEvent(graph, REMOVE, { provider }, event),
        TE.map((record) => record !== null),
      ),

    /**
     * Begins an import, unless another one of the provider runs. Returns its state then, or else
     * null.
     */
    claim: async (
      provider: string,
      holder: string,
      lasting: number,
    ): Promise<StoredImport | null> =>
      importIn(await one(CLAIM, { provider, holder, seconds: seconds(lasting) })),

    /** Records that an import still runs; false if another one has replaced it. */
    renew: async (provider: string, holder: string, lasting: number): Promise<boolean> =>
      (await one(RENEW, { provider, holder, seconds: seconds(lasting) })) !== null,

    /** Ends an import; false if another one has replaced it. */
    end: async (provider: string, holder: string, end: ImportEnd): Promise<boolean> => {
      const { whole_at = null, ...rest } = end.progress ?? {};
      const parameters = {
        provider,
        holder,
        whole_at,
        next: seconds(end.nextSeconds),
        settings_of: end.settingsOf,
        progress: rest,
        ended: { failures: neo4j.int(end.failures), last: end.last },
      };
      return (await one(END, parameters, end.event ?? undefined)) !== null;
    },

    /** Providers whose imports are due, the one that waits longest first. */
    due: async (most: number): Promise<readonly string[]> => {
      const { records } = await runTransaction(graph, LATEST, (tx) =>
        tx.run<{ provider: string }>(DUE, { most: neo4j.int(most) }),
      );
      return records.map((record) => record.get('provider'));
    },
  };
};

/** The imports of applications. */
export type ScimImports = ReturnType<typeof graphScimImports>;
