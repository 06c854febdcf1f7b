import { feature } from '../../feature';
import { eventRoutes } from './event-routes';
import { eventStreamRoute } from './event-stream-route';
import { Event } from '../../model/service-nodes';
import { EventOrder } from './records';
import { eventCatalog } from './statements';
import { eventWatchOf } from './contract';
import { events as eventsOfRequests } from '../../web/events';

/** What happened, as a list and live. */
export const events = feature({
  name: 'events',
  records: [Event, EventOrder],
  statements: eventCatalog,
  events: eventsOfRequests,
  routes: (web, context) => [
    {
      topic: { name: 'Events', about: 'What happened, as a list and live.' },
      routes: [...eventRoutes(web, context), eventStreamRoute(web, context)],
    },
  ],
  gauges: (context) => [
    {
      name: 'grantgraph_event_streams',
      help: 'Live streams of events that are open.',
      read: () => [{ value: eventWatchOf(context).count() }],
    },
  ],
  // Streams never end by themselves.
  leave: (context) => eventWatchOf(context).stop(),
});
