import { oncePerContext } from '../../context';
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

/** Opens a live stream of events. */
export const eventStreamsOf = oncePerContext((context) =>
  openEventStream({
    feed: graphEventFeed(context.graph),
    placeSecret: placeSecretOf(context),
    watch: eventWatchOf(context),
    heartbeatSeconds: context.config.events.heartbeatSeconds,
  }),
);
