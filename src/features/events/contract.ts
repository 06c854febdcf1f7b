import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { oncePerContext } from '../../context';
import { limitedViews } from '../../contract/answers/event-types';
import { toFailure } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import type { Asking } from '../../web/lists/listed';
import { listQuery } from '../../web/lists/list-query';
import type { EventPage } from './endpoints';
import { EVENT_FIELDS } from './event-fields';
import { graphEventFeed } from './event-feed';
import { graphEventWriter } from '../../graph/records/event-record';
import { graphHistory } from '../../graph/records/lists/push-and-event-lists';
import { sealingKeyOf } from '../../secrets/vault-key';
import { derivedSecret } from '../../secrets/vault';
import { openEventStream } from './event-stream';
import { watchEvents } from './event-watch';

/** Writes events. */
export const eventWriterOf = oncePerContext(({ graph }) => graphEventWriter(graph));

/** The secret that seals places in streams and exports. All processes have the same. */
export const placeSecretOf = oncePerContext(
  (context) => async (): Promise<string> => derivedSecret(await sealingKeyOf(context)(), 'places'),
);

/** What limited keys see of events. */
const viewsOf = oncePerContext(({ eventTypes }) => limitedViews(eventTypes));

/** The events in the order of the live stream. */
const feedOf = oncePerContext((context) => graphEventFeed(context.graph, viewsOf(context)));

/** Looks for new events, for all streams of this process. */
export const eventWatchOf = oncePerContext((context) =>
  watchEvents(
    feedOf(context),
    {
      everySeconds: context.config.events.pollSeconds,
      most: context.config.limits.eventStreams,
      mostOfOwner: context.config.limits.streamsOfKey,
    },
    context.log,
  ),
);

/** Lists of pushes and events. */
export const historyOf = oncePerContext((context) => graphHistory(context.asked, viewsOf(context)));

/** Lists events, newest first, as the interface answers them (docs/rules.md: Lists, Events). */
export const eventAnswersOf = oncePerContext(
  (context) =>
    (asking: Asking, providers: readonly string[] | null): TE.TaskEither<Failure, EventPage> =>
      pipe(
        TE.fromEither(listQuery(asking, EVENT_FIELDS)),
        TE.flatMap((wanted) => historyOf(context).events(wanted, providers)),
        TE.map(({ values, ...page }) => ({ values, events: values, ...page })),
      ),
);

/** The place of the newest event: a stream that begins there sends all later ones. */
export const newestPlaceOf = oncePerContext(
  (context) => (): TE.TaskEither<Failure, number> =>
    TE.tryCatch(() => feedOf(context).newest(), toFailure),
);

/** Opens a live stream of events. */
export const eventStreamsOf = oncePerContext((context) =>
  openEventStream({
    feed: feedOf(context),
    placeSecret: placeSecretOf(context),
    watch: eventWatchOf(context),
    heartbeatSeconds: context.config.events.heartbeatSeconds,
  }),
);

export type { StreamItem } from './event-stream';
export { sendEvents } from './send-events';
