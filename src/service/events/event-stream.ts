import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Filter } from '../../contract/filter';
import type { ToldEvent } from '../../contract/answers/events';
import { isOutage, toFailure } from '../../graph/connection/failure';
import { type EventFeed, streamFilter } from '../../graph/records/event-feed';
import { type Failure, invalid, oneProblem } from '../../problem';
import type { EventWatch, Watcher } from './event-watch';
import { openPlace, sealPlace } from './sealed-place';

/** What a stream may show its reader; `null` once it may show nothing any more. */
export type StreamAccess = { readonly providers: readonly string[] | null } | null;

/** A live stream of events that is asked for (docs/rules.md: Live events). */
export interface OpenStream {
  readonly filter: Filter;
  /** The id after which it goes on; `''`: with what comes from now on. */
  readonly after: string;
  /** What its reader may see now. */
  readonly providers: readonly string[] | null;
  /** The same, asked again and again: keys are revoked. */
  readonly access: () => Promise<StreamAccess>;
}

/** What a stream says. */
export type StreamItem =
  | { readonly _tag: 'Event'; readonly id: string; readonly event: ToldEvent }
  /** All up to this id has been told, or is of no interest to the reader. */
  | { readonly _tag: 'Place'; readonly id: string }
  /** The reader has been told nothing for a while. */
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
  message:
    'As many streams of events are open as the service allows: close one, or try again later.',
};

const NO_ID: Failure = invalid(
  'The request is not valid.',
  oneProblem('/last_event_id', 'OUT_OF_RANGE', 'is no id of this stream'),
);

/** The place after an id; `null` without one. A reader that may not see all events has no use for the places themselves, but for the start. */
const placeOf = (
  { after, providers }: Pick<OpenStream, 'after' | 'providers'>,
  secret: string,
): E.Either<Failure, number | null> => {
  if (after === '') return E.right(null);
  const isPlain = /^\d{1,15}$/.test(after) && (providers === null || Number(after) === 0);
  const place = isPlain ? Number(after) : openPlace(after, secret);
  return place === null ? E.left(NO_ID) : E.right(place);
};

/** Opens a live stream of events, resumable at any place without loss or repetition (docs/rules.md: Live events). */
export const openEventStream =
  (dependencies: EventStreamDependencies) =>
  (asked: OpenStream): TE.TaskEither<Failure, EventStream> =>
    pipe(
      TE.fromEither(streamFilter(asked.filter)),
      TE.mapLeft((problems) => invalid('The request is not valid.', problems)),
      TE.bindTo('filter'),
      TE.bind('secret', () => TE.tryCatch(() => dependencies.feed.secret(), toFailure)),
      TE.bind('after', ({ secret }) => TE.fromEither(placeOf(asked, secret))),
      TE.flatMap((stream): TE.TaskEither<Failure, EventStream> => {
        const watcher = dependencies.watch.open();
        if (watcher === null) return TE.left(TOO_MANY);
        const items = told(dependencies, watcher, { ...stream, ...of(asked) });
        return TE.right({ items, ended: watcher.ended, end: watcher.end });
      }),
    );

/** A stream as it is read. */
interface Told extends Pick<OpenStream, 'providers' | 'access'> {
  readonly filter: Parameters<EventFeed['some']>[2]['filter'];
  readonly secret: string;
  readonly after: number | null;
}

const of = ({ providers, access }: OpenStream): Pick<OpenStream, 'providers' | 'access'> => ({
  providers,
  access,
});

async function* told(
  { feed, heartbeatSeconds }: EventStreamDependencies,
  watcher: Watcher,
  { after, access, filter, providers: atFirst, secret }: Told,
): AsyncGenerator<StreamItem, void> {
  try {
    const now = await feed.newest();
    // A place beyond the newest is of another graph.
    let place = Math.min(after ?? now, now);
    let isLimited = atFirst !== null;
    const idOf = (of: number): string => (isLimited ? sealPlace(of, secret) : String(of));
    yield { _tag: 'Place', id: idOf(place) };
    let toldAt = performance.now();
    while (!watcher.ended.aborted) {
      // Counted from what this reader was told: when others' events come is nothing that it should see.
      const silence = (performance.now() - toldAt) / 1000;
      const newest = await watcher.beyond(place, Math.max(0, heartbeatSeconds - silence));
      const mayRead = await access();
      if (mayRead === null || watcher.ended.aborted) return;
      isLimited = mayRead.providers !== null;
      if (newest === null) {
        yield { _tag: 'Quiet' };
        toldAt = performance.now();
        continue;
      }
      const events = await feed.some(place, newest, { ...mayRead, filter }, MOST_AT_ONCE);
      for (const { place: at, event } of events) yield { _tag: 'Event', id: idOf(at), event };
      const last = events.at(-1)?.place ?? place;
      place = events.length < MOST_AT_ONCE ? newest : last;
      const isBeyond = place > last && !isLimited;
      if (isBeyond) yield { _tag: 'Place', id: idOf(place) };
      if (isBeyond || events.length > 0) toldAt = performance.now();
    }
  } catch (error) {
    // The stream ends, and its reader comes back and goes on where it was.
    if (!isOutage(error)) throw error;
  } finally {
    watcher.end();
  }
}
