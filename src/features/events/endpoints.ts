import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { deprecated, exact, has } from '../../codec/exact';
import { struct } from '../../codec/struct';
import { EventAnswer } from '../../contract/answers/events';
import { pageEnd } from '../../contract/answers/page';
import { formatText, ListParameters, oneText } from '../../contract/parameters/query-parameters';
import type { Access, Endpoint, Endpoints } from '../../web/routing/route';

/** A page of events (docs/rules.md: Lists). */
const EventPage = exact('page of events', {
  values: has(list(EventAnswer), 'The page, newest first.'),
  events: deprecated(list(EventAnswer), 'The same as `values`.'),
  ...pageEnd,
});
export type EventPage = t.TypeOf<typeof EventPage>;

const READS: Access = { scopes: ['read'], limitedKeys: 'shown in part' };

const LIST = {
  method: 'get',
  path: '/api/v1/events',
  access: READS,
  summary: 'Lists what happened, newest first.',
  query: struct('the query of events', {}, { ...ListParameters.optional, format: formatText }),
  ignoresOtherParameters: true,
  alsoAs: 'text/csv',
  answer: EventPage,
} as const satisfies Endpoint;

/** The endpoints of events, without their handlers. */
export const endpoints = {
  list: LIST,
  preview: { ...LIST, path: '/api/preview/events' },
  stream: {
    method: 'get',
    path: '/api/v1/events\\:stream',
    access: READS,
    summary: 'Tells what happens as it happens, as server-sent events.',
    more: 'api#pushes-and-events',
    query: struct('the query of the event stream', {}, { filter: oneText, last_event_id: oneText }),
    headers: ['Last-Event-ID'],
    answer: { mediaTypes: ['text/event-stream'], event: EventAnswer },
  },
} as const satisfies Endpoints;
