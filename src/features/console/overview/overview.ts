import neo4j from 'neo4j-driver';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { ListedPush } from '../../../contract/answers/pushes';
import type { Summary } from '../../../contract/answers/questions/access';
import type { DataSource } from '../../../contract/answers/registry';
import { type Provider, providerRecord } from '../../../contract/records/provider';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { type Stored, toDataSource } from '../../../graph/records/provider-record';
import { READ_HISTORY_SINCE } from '../../../graph/statements/past-statements';
import { toPush } from '../../../graph/records/lists/push-and-event-lists';
import { inTransaction, type Runner } from '../../../neo4j/transaction';
import { fromGraph, utcOf } from '../../../neo4j/values';
import { daysBetween, type PartOfTime } from '../words/days';
import {
  CHANGES_BY_SPAN,
  CHANGING_PUSHES,
  DEPARTMENTS,
  FAILED_SOURCES,
  LARGEST_PUSHES,
  NEWEST_CHANGING_PUSHES,
  OLDEST_SOURCES,
  ONE_SOURCE,
  PROVIDER_NAMES,
  PUSHES_BEGINNING,
  SOURCES_BY_TURNS,
  SUMMARIES,
  TROUBLED_PUSHES,
} from './statements';

/** A data source, and its provider. */
export interface SourceOfProvider {
  readonly source: DataSource;
  readonly provider: Provider;
}

/** A data source, and what somebody should look at there. */
export interface WatchedSource extends SourceOfProvider {
  /** When it was registered. */
  readonly since: string;
  /** The warnings of its newest accepted push. */
  readonly warnings: number;
  /** The imports that failed since the last that did not; 0 for those who may not know of them. */
  readonly failedImports: number;
  /** The actions of policies that failed or were given up; 0 for those who may not know of them. */
  readonly failedActions: number;
}

/** A push, and where it was sent to. */
export interface PushOfSource {
  readonly push: ListedPush;
  readonly sourceId: string;
  readonly source: string;
  readonly provider: string;
}

/** How a push changed access; `null`: nobody has counted it, or it changed too much to be counted. */
export const countedAccess = ({ access }: Pick<ListedPush, 'access'>) =>
  access === null || 'state' in access ? null : access;

/** How much access changed on a day of the reader, or in another part of a time. */
export interface DayOfChanges extends PartOfTime {
  readonly gained: number;
  readonly lost: number;
  /** The most people whose access one push changed; `null` if a push does not say how many. */
  readonly people: number | null;
  /** Pushes of which nobody knows how much they changed. */
  readonly uncounted: number;
}

/** The most days of which somebody sees how much changed on each. */
export const MOST_DAYS = 62;

/** The most data sources that a page lists. */
export const MOST_SOURCES = 1_000;

/** Reads the graph as a question does, within its deadline. */
export const reading = <A>(
  { asked, config }: Context,
  work: (tx: Runner) => Promise<A>,
): TaskEither<Failure, A> =>
  inTransaction(asked, { mode: 'read', timeoutSeconds: config.limits.answerSeconds }, work);

interface SourceRecord {
  readonly source: Stored;
  readonly provider: Stored;
}

const toSource = (stored: SourceRecord): SourceOfProvider => {
  const provider = providerRecord.read(stored.provider);
  return { provider, source: toDataSource(stored.source, provider.id) };
};

const watchedIn = (record: {
  toObject: () => object;
  get: (name: string) => unknown;
}): WatchedSource => ({
  ...toSource(record.toObject() as SourceRecord),
  since: String(utcOf(fromGraph(record.get('source') as Stored).since)),
  warnings: Number(record.get('warnings')),
  failedImports: Number(record.get('failed_imports')),
  failedActions: Number(record.get('failed_actions')),
});

/** How many data sources a list has at most, and whether an administrator sees it. */
interface Watching {
  readonly most: number;
  readonly administers: boolean;
}

const watchedBy = (
  context: Context,
  statement: string,
  { most, administers }: Watching,
): TaskEither<Failure, readonly WatchedSource[]> =>
  reading(context, async (tx) => {
    const { records } = await tx.run(statement, { most: neo4j.int(most), administers });
    return records.map(watchedIn);
  });

/**
 * Data sources by turns of their providers, the newest of each first, and those without a push last.
 * A list without room for all has the first of these.
 */
export const readSources = (
  context: Context,
  watching: Watching,
): TaskEither<Failure, readonly WatchedSource[]> => watchedBy(context, SOURCES_BY_TURNS, watching);

/** Data sources, those with the oldest push first; of those without a push the registration counts. */
export const readOldestSources = (
  context: Context,
  watching: Watching,
): TaskEither<Failure, readonly WatchedSource[]> => watchedBy(context, OLDEST_SOURCES, watching);

/** What people call a data source. */
export const nameOfSource = ({ source, provider }: SourceOfProvider): string =>
  `${provider.name}, ${source.name}`;

/** Data sources by their names. */
export const byName = <S extends SourceOfProvider>(of: readonly S[]): readonly S[] =>
  of.toSorted((one, other) => nameOfSource(one).localeCompare(nameOfSource(other), 'en'));

/** The first of some data sources, and how many there are. */
export interface FirstSources {
  readonly first: readonly WatchedSource[];
  readonly total: number;
}

/** Data sources whose newest push was refused, or of which an import or actions failed, by turns of their providers. */
export const readFailedSources = (
  context: Context,
  { most, administers }: Watching,
): TaskEither<Failure, FirstSources> =>
  reading(context, async (tx) => {
    const { records } = await tx.run(FAILED_SOURCES, { most: neo4j.int(most), administers });
    return { first: records.map(watchedIn), total: Number(records[0]?.get('total') ?? 0) };
  });

/** The data source with this id; `null` if there is none. */
export const readSource = (
  context: Context,
  id: string,
): TaskEither<Failure, SourceOfProvider | null> =>
  reading(context, async (tx) => {
    const { records } = await tx.run<{ [F in keyof SourceRecord]: Stored }>(ONE_SOURCE, { id });
    const [record] = records;
    return record === undefined ? null : toSource(record.toObject());
  });

/** The names of providers by their ids. Those that are gone have none. */
export const readProviderNames = (
  { graph }: Pick<Context, 'graph'>,
  ids: readonly string[],
): TaskEither<Failure, ReadonlyMap<string, string>> =>
  inTransaction(graph, { mode: 'read' }, async (tx) => {
    const { records } = await tx.run<{ id: string; name: string }>(PROVIDER_NAMES, {
      ids: [...new Set(ids)],
    });
    return new Map(records.map((record) => [record.get('id'), record.get('name')]));
  });

/** The departments of directory users as they are now, by their keys. */
export const readDepartments = (
  context: Context,
  keys: readonly string[],
): TaskEither<Failure, ReadonlyMap<string, string>> =>
  reading(context, async (tx) => {
    const { records } = await tx.run<{ key: string; department: unknown }>(DEPARTMENTS, { keys });
    return new Map(
      records.map((record) => [record.get('key'), [record.get('department')].flat().join(', ')]),
    );
  });

/** What lists say of those of some entities that exist, by their keys. */
export const readSummaries = (
  context: Context,
  keys: readonly string[],
): TaskEither<Failure, ReadonlyMap<string, Summary>> =>
  reading(context, async (tx) => {
    if (keys.length === 0) return new Map<string, Summary>();
    const { records } = await tx.run<{ summary: Summary }>(SUMMARIES, { keys });
    return new Map(
      records.map((record) => {
        const summary = record.get('summary');
        return [summary.id, summary];
      }),
    );
  });

interface PushRecord {
  readonly push: Stored;
  readonly source_id: string;
  readonly source: string;
  readonly provider: string;
}

const pushesIn = async (
  tx: Runner,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly PushOfSource[]> => {
  const { records } = await tx.run<{ [F in keyof PushRecord]: PushRecord[F] }>(
    statement,
    parameters,
  );
  return records.map((record) => {
    const { push, source_id, source, provider } = record.toObject();
    return {
      push: toPush(fromGraph(push), source_id, true),
      sourceId: source_id,
      source,
      provider,
    };
  });
};

const pushesBy = (
  context: Context,
  statement: string,
  parameters: Readonly<Record<string, unknown>>,
): TaskEither<Failure, readonly PushOfSource[]> =>
  reading(context, (tx) => pushesIn(tx, statement, parameters));

const historySince = async (tx: Runner): Promise<string | null> => {
  const { records } = await tx.run<{ since: string | null }>(READ_HISTORY_SINCE);
  return records[0]?.get('since') ?? null;
};

/** Since when ended facts are stored; `null`: none are. */
export const readHistorySince = (context: Context): TaskEither<Failure, string | null> =>
  reading(context, historySince);

/** Since when ended facts are stored, and the newest pushes since then that changed access. */
export interface RecentHistory {
  readonly since: string;
  readonly pushes: readonly PushOfSource[];
}

/** Reads the newest history; `null`: none is stored. */
export const readRecentHistory = (
  context: Context,
  looked: number,
  most: number,
): TaskEither<Failure, RecentHistory | null> =>
  reading(context, async (tx) => {
    const since = await historySince(tx);
    return since === null
      ? null
      : {
          since,
          pushes: await pushesIn(tx, NEWEST_CHANGING_PUSHES, {
            from: since,
            looked: neo4j.int(looked),
            most: neo4j.int(most),
          }),
        };
  });

/** The newest pushes with warnings or problems since a time. */
export const readTroubledPushes = (
  context: Context,
  since: string,
  most: number,
): TaskEither<Failure, readonly PushOfSource[]> =>
  pushesBy(context, TROUBLED_PUSHES, { since, most: neo4j.int(most) });

/** The pushes whose id begins so, at most two of them. */
export const readPushesBeginning = (
  context: Context,
  beginning: string,
): TaskEither<Failure, readonly PushOfSource[]> =>
  pushesBy(context, PUSHES_BEGINNING, { beginning });

/** The time that some pushes are from. */
export interface TimeOfPushes {
  readonly from: string;
  readonly to: string;
}

/** The newest pushes of a time that changed access, or may have. */
export const readChangingPushes = (
  context: Context,
  { from, to }: TimeOfPushes,
  most: number,
): TaskEither<Failure, readonly PushOfSource[]> =>
  pushesBy(context, CHANGING_PUSHES, { from, to, most: neo4j.int(most) });

/**
 * How much the pushes of a time changed access on each of its days, on clocks of a zone. Of a time of
 * more than `MOST_DAYS` days, and if nothing changed, there is one entry for all of it.
 */
export const readChangesByDay = (
  context: Context,
  time: TimeOfPushes,
  zone: string,
): TaskEither<Failure, readonly DayOfChanges[]> =>
  readChangesIn(
    context,
    daysBetween(time.from, time.to, zone, MOST_DAYS) ?? [{ since: time.from, until: time.to }],
  );

/** The pushes of a time that nobody has counted, and then those that changed most; the newest first. */
export const readLargestPushes = (
  context: Context,
  { from, to }: TimeOfPushes,
  most: number,
): TaskEither<Failure, readonly PushOfSource[]> =>
  pushesBy(context, LARGEST_PUSHES, { from, to, most: neo4j.int(most) });

/** How much pushes changed access in each of some spans, of which each begins where the one before it ends. */
export const readChangesIn = (
  context: Context,
  spans: readonly PartOfTime[],
): TaskEither<Failure, readonly DayOfChanges[]> =>
  reading(context, async (tx) => {
    const begins = spans.map(({ since }) => since);
    const [from, to] = [begins[0], spans.at(-1)?.until];
    const { records } = await tx.run(CHANGES_BY_SPAN, { from, to, begins });
    const counts = new Map(records.map((record) => [Number(record.get('span')), record]));
    return spans.map((span, at) => {
      const count = (name: string): number => Number(counts.get(at)?.get(name) ?? 0);
      return {
        ...span,
        gained: count('gained'),
        lost: count('lost'),
        people: counts.get(at)?.get('people') === null ? null : count('people'),
        uncounted: count('uncounted'),
      };
    });
  });
