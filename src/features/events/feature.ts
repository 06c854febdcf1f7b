import { feature } from '../../feature';
import { eventStreamRoute } from './event-stream-route';
import { Event } from '../../model/service-nodes';
import { EventOrder } from './records';
import { eventCatalog } from './statements';
import { eventWatchOf, eventAnswersOf } from './contract';
import { events as eventsOfRequests } from '../../web/events';
import { EventAnswer } from '../../contract/answers/events';
import { fieldColumns } from '../../contract/csv';
import { callerOf } from '../../web/admission/caller';
import { listed } from '../../web/lists/listed';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints } from './endpoints';

const COLUMNS = fieldColumns(...(Object.keys(EventAnswer.fields) as (keyof EventAnswer)[]));

/** Lists events, newest first (docs/rules.md: Lists, Events). */
const eventRoutes = ({ question }: Web, context: Context): readonly Route[] =>
  [endpoints.list, endpoints.preview].map((endpoint) =>
    route({
      ...endpoint,
      handler: question(
        listed((asking, res) => eventAnswersOf(context)(asking, callerOf(res).providers), {
          columns: () => COLUMNS,
          rowsOf: ({ values }) => values,
        }),
      ),
    }),
  );

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
