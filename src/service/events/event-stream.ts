import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import type { Filter } from '../../contract/filter';
import { type EventFeed, type PlacedEvent, streamFilter } from '../../graph/records/event-feed';
import { type Failure, invalid } from '../../problem';
import type { EventWatch, Watcher } from './event-watch';

/** What a stream may show its reader; `null` once it may show nothing any more. */
export type StreamAccess = { readonly providers: readonly string[] | null } | null;

/** A live stream of events that is asked for (api.md 6). */
export interface OpenStream {
  readonly filter: Filter;
  /** The place after which it goes on; `null`: with what comes from now on. */
  readonly after: number | null;
  /** What its reader may see, asked again and again: keys are revoked. */
  readonly access: () => Promise<StreamAccess>;
}

/** What a stream says. */
export type StreamItem =
  | ({ readonly _tag: 'Event' } & PlacedEvent)
  /** All up to this place has been told, or is of no interest to the reader. */
  | { readonly _tag: 'Place'; readonly place: number }
  /** Nothing has happened for a while. */
  | { readonly _tag: 'Quiet' };

/** A stream; whoever reads it ends it. Items are read from the graph as they are taken, so that a slow reader holds no memory. */
export interface EventStream {
  readonly items: AsyncGenerator<StreamItem, void>;
  /** Is aborted when nothing more will come. */
  readonly ended: AbortSignal;
  readonly end: () => void;
}

/** What streams need. */
export interface EventStreamDependencies {
  readonly feed: EventFeed;
  readonly watch: EventWatch;
  readonly heartbeatSeconds: number;
}

const MOST_AT_ONCE = 100;

const TOO_MANY: Failure = {
  _tag: 'Exhausted',
  message: 'As many streams of events are open as may be (LIMIT_EVENT_STREAMS).',
};

/** Opens a live stream of events, resumable at any place without loss or repetition (api.md 6). */
export const openEventStream =
  (dependencies: EventStreamDependencies) =>
  (asked: OpenStream): E.Either<Failure, EventStream> =>
    pipe(
      streamFilter(asked.filter),
      E.mapLeft((problems) => invalid('The request is not valid.', problems)),
      E.flatMap((filter) => {
        const watcher = dependencies.watch.open();
        if (watcher === null) return E.left(TOO_MANY);
        const items = told(dependencies, watcher, asked, filter);
        return E.right({ items, ended: watcher.ended, end: watcher.end });
      }),
    );

async function* told(
  { feed, heartbeatSeconds }: EventStreamDependencies,
  watcher: Watcher,
  { after, access }: OpenStream,
  filter: Parameters<EventFeed['some']>[2]['filter'],
): AsyncGenerator<StreamItem, void> {
  try {
    const now = await feed.newest();
    // A place beyond the newest is of another graph.
    let place = Math.min(after ?? now, now);
    yield { _tag: 'Place', place };
    while (!watcher.ended.aborted) {
      const newest = await watcher.beyond(place, heartbeatSeconds);
      const mayRead = await access();
      if (mayRead === null || watcher.ended.aborted) return;
      if (newest === null) {
        yield { _tag: 'Quiet' };
        continue;
      }
      const events = await feed.some(place, newest, { ...mayRead, filter }, MOST_AT_ONCE);
      for (const event of events) yield { _tag: 'Event', ...event };
      const last = events.at(-1)?.place ?? place;
      place = events.length < MOST_AT_ONCE ? newest : last;
      if (place > last) yield { _tag: 'Place', place };
    }
  } finally {
    watcher.end();
  }
}
