import { randomBytes } from 'node:crypto';

import type * as E from 'fp-ts/Either';
import * as Either from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import neo4j from 'neo4j-driver';

import type { Filter } from '../../contract/filter';
import type { ToldEvent } from '../../contract/answers/events';
import { Event } from '../../model/service-nodes';
import type { ProblemList } from '../../problem';
import {
  LOCK_EVENT_ORDER,
  NEWEST_PLACE,
  PLACE_EVENTS,
  placedEvents,
  STREAM_SECRET,
} from '../../translate/records/event-stream-statements';
import type { Graph } from '../connection/driver';
import { type Meaning, meaningsOf } from './filter-meaning';
import { toEvent } from './history';
import { runTransaction } from '../connection/transaction';
import { fromGraph } from '../connection/values';

/** An event and its place in the live stream. */
export interface PlacedEvent {
  readonly place: number;
  readonly event: ToldEvent;
}

/** Which events a stream wants. */
export interface WantedEvents {
  readonly filter: Meaning;
  /** Of these providers; `null`: of all. */
  readonly providers: readonly string[] | null;
}

/** The events in the order of the live stream (docs/rules.md: Live events). */
export interface EventFeed {
  /** Gives each event that has come a place; resolves with the newest one. */
  newest(): Promise<number>;
  /** What seals the ids of streams that do not show all events; the same for all processes. */
  secret(): Promise<string>;
  /** Events after a place and up to another, at most so many. */
  some(
    after: number,
    newest: number,
    wanted: WantedEvents,
    most: number,
  ): Promise<readonly PlacedEvent[]>;
}

/** What a stream's filter means; of several readings the likeliest, exactly. */
export const streamFilter = (filter: Filter): E.Either<ProblemList, Meaning> =>
  pipe(
    meaningsOf(filter, Event.properties),
    Either.map(([likeliest = []]) => likeliest),
  );

const PLACED_AT_ONCE = 1_000;
const write = { mode: 'write' } as const;

/**
 * The feed of events. Transactions commit in another order than that of their timestamps, and may last for minutes: so events get their places
 * only when they can be seen, one process at a time. What has a smaller place than another has been there before it, and none comes later.
 */
export const graphEventFeed = (graph: Graph): EventFeed => {
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
      // In a statement of its own: what waited for the lock must look again.
      await tx.run(PLACE_EVENTS, { most: neo4j.int(PLACED_AT_ONCE) });
    });
  const readSecret = () =>
    runTransaction(graph, write, async (tx) => {
      await tx.run(LOCK_EVENT_ORDER);
      const made = randomBytes(32).toString('base64url');
      const { records } = await tx.run<{ secret: string }>(STREAM_SECRET, { secret: made });
      return records[0]?.get('secret') ?? made;
    });
  let secret: string | null = null;
  return {
    secret: async () => {
      secret ??= await readSecret();
      return secret;
    },

    newest: async () => {
      let seen = await look();
      while (seen.isOneWaiting) {
        await place();
        seen = await look();
      }
      return seen.newest;
    },

    some: (after, newest, { filter, providers }, most) =>
      runTransaction(graph, write, async (tx) => {
        const { records } = await tx.run<{ place: unknown; properties: Record<string, unknown> }>(
          placedEvents(
            filter.map(({ text }) => text),
            providers !== null,
          ),
          {
            ...Object.fromEntries(filter.map(({ parameter }) => parameter)),
            after: neo4j.int(after),
            newest: neo4j.int(newest),
            most: neo4j.int(most),
            providers,
          },
        );
        return records.map((record) => ({
          place: Number(record.get('place')),
          event: toEvent(fromGraph(record.get('properties')), providers),
        }));
      }),
  };
};
