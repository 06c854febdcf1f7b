import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Page } from '../../../contract/page';
import type {
  AccessFactors,
  AccessNotCounted,
  ListedPush,
  PushDetails,
} from '../../../contract/answers/pushes';
import type { EventError, EventAnswer } from '../../../contract/answers/events';
import { type LimitedViews, limitedViews } from '../../../contract/answers/event-types';
import type { Failure, Problem } from '../../../problem';
import type { PropertyValues } from '../../../rows/row/row';
import {
  EVENTS,
  EVENTS_OF_PROVIDERS,
  FIND_PUSH,
  PUSHES,
} from '../../statements/timed-list-statements';
import type { Graph } from '../../../neo4j/driver';
import { type EventRecord, storedActor, actorAnswer } from '../event-record';
import type { PushRecord } from '../push-record';
import { readWarnings } from '../push-warnings';
import { readPage, type WantedPage } from './timed-list';
import { oncePerContext } from '../../../context';
import { inTransaction } from '../../../neo4j/transaction';
import { fromGraph, utcOf } from '../../../neo4j/values';

const noPush: Failure = {
  _tag: 'NotFound',
  message: 'There is no push with this id to this data source.',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const time = (value: unknown): string => utcOf(value) ?? '';
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
const json = (value: unknown): unknown =>
  typeof value === 'string' ? (JSON.parse(value) as unknown) : null;

/** What a key that is limited to providers sees of an event, as its type declares. */
const limitedEvent = (event: EventAnswer, views: LimitedViews): EventAnswer => {
  const view = views.get(event.event_type);
  // The statements read none of these.
  if (view === undefined) throw new Error(`A limited key may not see ${event.event_type}.`);
  // Each event has the request; none has the acting key.
  const seen = new Set(['request_id', ...view.metadata]);
  const metadata = Object.fromEntries(
    Object.entries(event.metadata).filter(([field]) => seen.has(field)),
  );
  return { ...event, metadata, error: view.error ? event.error : null };
};

const wholeEvent = (stored: PropertyValues): EventAnswer => ({
  id: text(stored.id),
  timestamp: time(stored.timestamp),
  category: stored.category as EventRecord['category'],
  severity: stored.severity as EventRecord['severity'],
  name: text(stored.name),
  message: text(stored.message),
  event_type: text(stored.event_type),
  entity: stored.entity as EventRecord['entity'],
  entity_id: text(stored.entity_id),
  entity_name: text(stored.entity_name),
  provider_id: text(stored.provider_id),
  metadata: (json(stored.metadata) ?? {}) as EventAnswer['metadata'],
  error: json(stored.error) as EventError | null,
});

/**
 * Turns a stored event into one that a client sees. `views` say what a limited key sees; `null`
 * means that the caller's key is not limited.
 */
export const toEvent = (stored: PropertyValues, views: LimitedViews | null): EventAnswer => {
  const event = wholeEvent(stored);
  return views === null ? event : limitedEvent(event, views);
};

const SECONDS = 'seconds_';

/** Who pushed, for callers that may see it. */
const pusherOf = (stored: PropertyValues, seesKeys: boolean): ListedPush['by'] => {
  const by = storedActor(stored.key_id, stored.key_name, stored.client_address);
  return seesKeys && by !== undefined ? actorAnswer(by) : null;
};

/** What a push changed in effective access, once that is counted. */
const accessOf = (stored: PropertyValues): ListedPush['access'] => {
  if (typeof stored.access_state === 'string')
    return { state: stored.access_state as AccessNotCounted['state'] };
  return typeof stored.access_gained === 'number'
    ? {
        gained: stored.access_gained,
        lost: count(stored.access_lost),
        principals: count(stored.access_principals),
        resources: count(stored.access_resources),
        people: typeof stored.access_people === 'number' ? stored.access_people : null,
      }
    : null;
};

/** Turns a stored push into one that a client sees. */
export const toPush = (
  stored: PropertyValues,
  dataSource: string,
  seesKeys: boolean,
): ListedPush => ({
  id: text(stored.id),
  data_source_id: dataSource,
  at: time(stored.at),
  outcome: stored.outcome as PushRecord['outcome'],
  put: { nodes: count(stored.nodes_put), relationships: count(stored.relationships_put) },
  removed: {
    nodes: count(stored.nodes_removed),
    relationships: count(stored.relationships_removed),
  },
  digest: text(stored.digest) || null,
  seconds: Object.fromEntries(
    Object.entries(stored)
      .filter(([name]) => name.startsWith(SECONDS))
      .map(([name, value]) => [name.slice(SECONDS.length), count(value)]),
  ),
  access: seesKeys ? accessOf(stored) : null,
  warning_count: count(stored.warning_count),
  problem_count: count(stored.problem_count),
  request_id: text(stored.request_id),
  by: pusherOf(stored, seesKeys),
});

const toWholePush = (
  stored: PropertyValues,
  dataSource: string,
  seesKeys: boolean,
): PushDetails => ({
  ...toPush(stored, dataSource, seesKeys),
  access_factors: seesKeys ? ((json(stored.access_factors) ?? null) as AccessFactors | null) : null,
  warnings: readWarnings(
    (stored.warnings ?? []) as readonly string[],
    stored.warning_details as string | undefined,
  ),
  problems: (json(stored.problems) ?? []) as readonly Problem[],
});

const read = <A>(page: Page<PropertyValues>, from: (stored: PropertyValues) => A): Page<A> => ({
  ...page,
  values: page.values.map(from),
});

/** The lists of the events and pushes that the graph stores. `views`: what limited keys see of events. */
const graphHistory = (graph: Graph, views: LimitedViews) => ({
  /** Lists events. If `providers` is given, only events of these providers. */
  events: (
    wanted: WantedPage,
    providers: readonly string[] | null,
  ): TE.TaskEither<Failure, Page<EventAnswer>> =>
    pipe(
      providers === null
        ? readPage(graph, EVENTS, wanted)
        : readPage(graph, EVENTS_OF_PROVIDERS, wanted, { providers, types: [...views.keys()] }),
      TE.map((page) => read(page, (stored) => toEvent(stored, providers === null ? null : views))),
    ),

  /** Lists the pushes to a data source. `seesKeys`: whether the caller may see who pushed. */
  pushes: (
    dataSource: string,
    wanted: WantedPage,
    seesKeys: boolean,
  ): TE.TaskEither<Failure, Page<ListedPush>> =>
    pipe(
      readPage(graph, PUSHES, wanted, { data_source: dataSource }),
      TE.map((page) => read(page, (stored) => toPush(stored, dataSource, seesKeys))),
    ),

  /** Finds one push to a data source. */
  push: (dataSource: string, id: string, seesKeys: boolean): TE.TaskEither<Failure, PushDetails> =>
    pipe(
      inTransaction(graph, { mode: 'write' }, async (tx) => {
        const { records } = await tx.run<{ push: Record<string, unknown> }>(FIND_PUSH, {
          push: id,
          data_source: dataSource,
        });
        const [record] = records;
        return record === undefined
          ? null
          : toWholePush(fromGraph(record.get('push')), dataSource, seesKeys);
      }),
      TE.flatMap((push) => (push === null ? TE.left(noPush) : TE.right(push))),
    ),
});

/** What limited keys see of events. */
export const viewsOf = oncePerContext(({ eventTypes }) => limitedViews(eventTypes));

/** Lists of pushes and events. */
export const historyOf = oncePerContext((context) => graphHistory(context.asked, viewsOf(context)));
