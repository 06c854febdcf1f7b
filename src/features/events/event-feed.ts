import type * as E from 'fp-ts/Either';
import * as Either from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import neo4j from 'neo4j-driver';

import type { Filter } from '../../contract/filter';
import type { EventAnswer } from '../../contract/answers/events';
import type { AsOf } from '../../contract/answers/page';
import type { LimitedViews } from '../../contract/answers/event-types';
import { Event } from '../../model/service-nodes';
import type { ProblemList } from '../../problem';
import {
  LOCK_EVENT_ORDER,
  NEWEST_PLACE,
  PLACE_EVENTS,
  placedEvents,
} from './event-stream-statements';
import type { Graph } from '../../neo4j/driver';
import { type Meaning, meaningsOf } from '../../graph/records/lists/filter-meaning';
import { toEvent } from '../../graph/records/lists/push-and-event-lists';
import { readUndeleted } from '../../graph/records/lists/undeleted';
import { runTransaction } from '../../neo4j/transaction';
import { fromGraph } from '../../neo4j/values';
import { readCounted } from '../../graph/records/past-facts';

/** An event and its place in the live stream. */
export interface PlacedEvent {
  readonly place: number;
  readonly event: EventAnswer;
}

/** The events that a stream requests. */
export interface WantedEvents {
  readonly filter: Meaning;
  /** Ids of the providers whose events the stream may see; `null` means all. */
  readonly providers: readonly string[] | null;
}

/** Compiles the filter of a stream. A stream uses the likeliest reading, compared exactly. */
export const streamFilter = (filter: Filter): E.Either<ProblemList, Meaning> =>
  pipe(
    meaningsOf(filter, Event),
    Either.map(([likeliest = []]) => likeliest),
  );

interface PlacedRecord {
  readonly place: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

const PLACED_AT_ONCE = 1_000;
const write = { mode: 'write' } as const;

/**
 * The live feed of events in the graph. A transaction may last for minutes, so events are not
 * committed in the order of their timestamps. An event therefore gets its place only after its
 * commit, when one process at a time numbers all events that have none. No event ever gets a
 * smaller place than one that a reader has already seen. `views`: what limited keys see of events.
 */
export const graphEventFeed = (graph: Graph, views: LimitedViews) => {
  const look = () =>
    runTransaction(graph, write, async (tx) => {
      const { records } = await tx.run<{ newest: unknown; isOneWaiting: boolean }>(NEWEST_PLACE);
      const [record] = records;
      return {
        newest: Number(record?.get('newest') ?? 0),
        isOneWaiting: record?.get('isOneWaiting') ?? false,
      };
    });
  const place = () =>
    runTransaction(graph, write, async (tx) => {
      await tx.run(LOCK_EVENT_ORDER);
      // This must be a second statement: events that another process numbered while we waited for
      // the lock are visible only now.
      await tx.run(PLACE_EVENTS, { most: neo4j.int(PLACED_AT_ONCE) });
    });
  return {
    /** Gives a place to each committed event that has none; resolves with the newest place. */
    newest: async (): Promise<number> => {
      let seen = await look();
      while (seen.isOneWaiting) {
        await place();
        seen = await look();
      }
      return seen.newest;
    },

    /** Up to which push changes of access are counted; `null` before the first. */
    countedUpTo: (): Promise<AsOf | null> =>
      runTransaction(graph, { mode: 'read' }, async (tx) => (await readCounted(tx)).newest),

    /** Reads at most `most` events with a place after `after` and up to `newest`. */
    some: (
      after: number,
      newest: number,
      { filter, providers }: WantedEvents,
      most: number,
    ): Promise<readonly PlacedEvent[]> =>
      runTransaction(graph, write, async (tx) => {
        const statement = placedEvents(
          filter.map(({ text }) => text),
          providers !== null,
        );
        const parameters = {
          ...Object.fromEntries(filter.map(({ parameter }) => parameter)),
          after: neo4j.int(after),
          newest: neo4j.int(newest),
          most: neo4j.int(most),
          ...(providers === null ? {} : { providers, types: [...views.keys()] }),
        };
        const records = await readUndeleted(
          async () => (await tx.run<PlacedRecord>(statement, parameters)).records,
          (record) => record.get('place') === null,
        );
        return records.map((record) => ({
          place: Number(record.get('place')),
          event: toEvent(fromGraph(record.get('properties')), providers === null ? null : views),
        }));
      }),
  };
};

/** The events in the order of the live stream (docs/rules.md: Live events). */
export type EventFeed = ReturnType<typeof graphEventFeed>;
