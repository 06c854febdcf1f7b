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

/** Looks for new events, for all streams of this process. */
export const eventWatchOf = oncePerContext(({ config, graph, log }) =>
  watchEvents(
    graphEventFeed(graph),
    {
      everySeconds: config.events.pollSeconds,
      most: config.limits.eventStreams,
      mostOfOwner: config.limits.streamsOfKey,
    },
    log,
  ),
);

/** Lists of pushes and events. */
export const historyOf = oncePerContext(({ asked }) => graphHistory(asked));

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
  ({ graph }) =>
    (): TE.TaskEither<Failure, number> =>
      TE.tryCatch(() => graphEventFeed(graph).newest(), toFailure),
);

/** Opens a live stream of events. */
export const eventStreamsOf = oncePerContext((context) =>
  openEventStream({
    feed: graphEventFeed(context.graph),
    placeSecret: placeSecretOf(context),
    watch: eventWatchOf(context),
    heartbeatSeconds: context.config.events.heartbeatSeconds,
  }),
);

export type { StreamItem } from './event-stream';
export { sendEvents } from './send-events';
