import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { oncePerContext } from '../../context';
import { toFailure } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import type { Asking } from '../../web/lists/listed';
import { listQuery } from '../../web/lists/list-query';
import type { EventPage } from './endpoints';
import { EVENT_FIELDS } from './event-fields';
import { graphEventFeed } from './event-feed';
import { historyOf, viewsOf } from '../../graph/records/lists/push-and-event-lists';
import { placeSecretOf } from '../../secrets/vault-key';
import { openEventStream } from './event-stream';
import { watchEvents } from './event-watch';

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
