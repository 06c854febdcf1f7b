import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Filter } from '../../contract/filter';
import type { EventAnswer } from '../../contract/answers/events';
import type { AsOf } from '../../contract/answers/page';
import { isOutage, toFailure } from '../../neo4j/failure';
import { type EventFeed, streamFilter } from './event-feed';
import { badField, badRequest, type Failure } from '../../problem';
import type { EventWatch, Watcher } from './event-watch';
import { open, seal } from '../../secrets/seal';

/**
 * Seals a place of the live stream for a reader with a limited key. Places count the events of
 * everybody. So two bare places would show how many events others had in between. Sealed places
 * show nothing, not even whether two are the same.
 */
export const sealPlace = (place: number, secret: string): string =>
  // All numbers have the same length, so the length of the sealed text shows nothing.
  seal(String(place).padStart(16, '0'), secret);

/** Opens a sealed place; `null` if the text was not sealed with this secret. */
export const openPlace = (text: string, secret: string): number | null => {
  const opened = open(text, secret);
  return opened !== null && /^\d{16}$/.test(opened) ? Number(opened) : null;
};

/** What a reader of a stream may see; `null` once the reader may see nothing any more. */
export type StreamAccess = { readonly providers: readonly string[] | null } | null;

/** A request for a live stream of events (docs/rules.md: Live events). */
export interface OpenStream {
  readonly filter: Filter;
  /** The id of the reader's key. One key has a share of the streams. */
  readonly owner: string;
  /** The id after which the stream goes on. With `''` it begins with the next event. */
  readonly after: string;
  /** The providers whose events the reader may see now; `null` means all. */
  readonly providers: readonly string[] | null;
  /**
   * Returns what the reader may see. The stream checks this again before each event, since a key
   * may be revoked.
   */
  readonly access: () => Promise<StreamAccess>;
}

/** What a stream sends. */
export type StreamItem =
  | { readonly _tag: 'Event'; readonly id: string; readonly event: EventAnswer }
  /** The stream has sent every event up to this id that the reader may see. */
  | { readonly _tag: 'Place'; readonly id: string }
  /**
   * The stream has sent nothing for a while. Changes of access are counted up to this push; `null`
   * before the first, and for readers with limited keys.
   */
  | { readonly _tag: 'Quiet'; readonly counted: AsOf | null };

/**
 * A live stream. Its reader must end it. The stream reads events from the graph when the reader
 * takes them, so a slow reader costs no memory.
 */
export interface EventStream {
  readonly items: AsyncGenerator<StreamItem, void>;
  /** Aborted when nothing more will come. */
  readonly ended: AbortSignal;
  readonly end: () => void;
}

/** What streams depend on. */
export interface EventStreamDependencies {
  readonly feed: EventFeed;
  /** The secret that seals ids of limited streams and cursors of exports. All processes share it. */
  readonly placeSecret: () => Promise<string>;
  readonly watch: EventWatch;
  readonly heartbeatSeconds: number;
}

const MOST_AT_ONCE = 100;

const TOO_MANY = {
  'all busy': {
    _tag: 'Exhausted',
    message:
      'As many streams of events are open as the service allows: close one, or try again later.',
  },
  'owner busy': {
    _tag: 'Exhausted',
    message:
      'The key has as many streams of events open as one key may have (LIMIT_STREAMS_OF_KEY): close one.',
  },
} as const satisfies Record<string, Failure>;

const NO_ID: Failure = badField('/last_event_id', 'OUT_OF_RANGE', 'is no id of this stream');

/**
 * The place that an id means; `null` for an empty id. A reader with a limited key must send sealed
 * ids; only the start of all events, 0, may come unsealed.
 */
const placeOf = (
  { after, providers }: Pick<OpenStream, 'after' | 'providers'>,
  secret: string,
): E.Either<Failure, number | null> => {
  if (after === '') return E.right(null);
  const isPlain = /^\d{1,15}$/.test(after) && (providers === null || Number(after) === 0);
  const place = isPlain ? Number(after) : openPlace(after, secret);
  return place === null ? E.left(NO_ID) : E.right(place);
};

/**
 * Opens a live stream of events. A reader can resume it at any place and neither loses an event nor
 * gets one twice (docs/rules.md: Live events).
 */
export const openEventStream =
  (dependencies: EventStreamDependencies) =>
  (asked: OpenStream): TE.TaskEither<Failure, EventStream> =>
    pipe(
      TE.fromEither(streamFilter(asked.filter)),
      TE.mapLeft(badRequest),
      TE.bindTo('filter'),
      TE.bind('secret', () => TE.tryCatch(() => dependencies.placeSecret(), toFailure)),
      TE.bind('after', ({ secret }) => TE.fromEither(placeOf(asked, secret))),
      TE.flatMap((stream): TE.TaskEither<Failure, EventStream> => {
        const watcher = dependencies.watch.open(asked.owner);
        if (typeof watcher === 'string') return TE.left(TOO_MANY[watcher]);
        const items = sentEvents(dependencies, watcher, { ...stream, ...of(asked) });
        return TE.right({ items, ended: watcher.ended, end: watcher.end });
      }),
    );

/** What the generator of a stream needs. */
interface StreamSource extends Pick<OpenStream, 'providers' | 'access'> {
  readonly filter: Parameters<EventFeed['some']>[2]['filter'];
  readonly secret: string;
  readonly after: number | null;
}

const of = ({ providers, access }: OpenStream): Pick<OpenStream, 'providers' | 'access'> => ({
  providers,
  access,
});

async function* sentEvents(
  { feed, heartbeatSeconds }: EventStreamDependencies,
  watcher: Watcher,
  { after, access, filter, providers: atFirst, secret }: StreamSource,
): AsyncGenerator<StreamItem, void> {
  try {
    const now = await feed.newest();
    // A place beyond the newest one comes from another graph.
    let place = Math.min(after ?? now, now);
    let isLimited = atFirst !== null;
    const idOf = (of: number): string => (isLimited ? sealPlace(of, secret) : String(of));
    yield { _tag: 'Place', id: idOf(place) };
    let sentAt = performance.now();
    while (!watcher.ended.aborted) {
      // The heartbeat counts from the last item that this reader got. So a limited reader cannot
      // see when events of others come.
      const silence = (performance.now() - sentAt) / 1000;
      const newest = await watcher.beyond(place, Math.max(0, heartbeatSeconds - silence));
      const mayRead = await access();
      if (mayRead === null || watcher.ended.aborted) return;
      isLimited = mayRead.providers !== null;
      if (newest === null) {
        yield { _tag: 'Quiet', counted: isLimited ? null : await feed.countedUpTo() };
        sentAt = performance.now();
        continue;
      }
      const events = await feed.some(
        place,
        newest,
        { providers: mayRead.providers, filter },
        MOST_AT_ONCE,
      );
      for (const { place: at, event } of events) yield { _tag: 'Event', id: idOf(at), event };
      const last = events.at(-1)?.place ?? place;
      place = events.length < MOST_AT_ONCE ? newest : last;
      const isBeyond = place > last && !isLimited;
      if (isBeyond) yield { _tag: 'Place', id: idOf(place) };
      if (isBeyond || events.length > 0) sentAt = performance.now();
    }
  } catch (error) {
    // Neo4j is away. The stream ends; its reader connects again and resumes.
    if (!isOutage(error)) throw error;
  } finally {
    watcher.end();
  }
}
