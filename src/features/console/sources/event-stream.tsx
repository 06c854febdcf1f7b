import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { renderToString } from 'preact-render-to-string';

import { struct } from '../../../codec/struct';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { oneText } from '../../../contract/parameters/query-parameters';
import { callerOf } from '../../../web/admission/caller';
import { stillAdmitted } from '../../../web/exchange/still-admitted';
import { queryOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { eventStreamsOf, sendEvents, type StreamItem } from '../../events/contract';
import { page } from '../../sign-in/contract';
import { PATHS } from '../frame/address';
import { EVENT_READERS } from '../frame/reader';
import { askProvidersOf, EventItem } from './events';

const QUERY = struct('the query of the live events', {}, { last_event_id: oneText });

/** An item as the script of the page reads it: an event is the markup that the list has. */
const textOf =
  (context: Context) =>
  (item: StreamItem): TE.TaskEither<Failure, string> => {
    switch (item._tag) {
      case 'Event': {
        const { id, event } = item;
        return pipe(
          askProvidersOf(context, [event]),
          TE.map((providers) => {
            const html = renderToString(<EventItem of={event} providers={providers} />);
            // A line break would end the data.
            return `id: ${id}\ndata: ${html.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
          }),
        );
      }
      case 'Place':
        return TE.right(`id: ${item.id}\nevent: place\ndata: -\n\n`);
      case 'Quiet':
        return TE.right(': nothing new\n\n');
    }
  };

/**
 * The events of the console, live (docs/console.md: Sources). It ends with the session, and counts in
 * the limits of streams as those of keys do. It does not use the session, which would never be idle.
 */
export const eventStreamRoute = (
  { log, respond, running }: Pick<Web, 'log' | 'respond' | 'running'>,
  context: Context,
): Route =>
  page({
    path: PATHS.events,
    summary: 'What happens as it happens, for the list on Sources.',
    people: EVENT_READERS,
    mediaTypes: ['text/event-stream'],
    query: QUERY,
    headers: ['Last-Event-ID'],
    handler: async (req, res) => {
      const stream = await pipe(
        TE.fromEither(queryOf(QUERY, req)),
        TE.flatMap(({ last_event_id }) =>
          eventStreamsOf(context)({
            filter: [],
            owner: callerOf(res).keyId ?? '',
            after: req.get('last-event-id') || (last_event_id ?? ''),
            providers: null,
            access: () => stillAdmitted(res),
          }),
        ),
      )();
      if (E.isLeft(stream)) respond.failure(res, stream.left);
      else await running.track(sendEvents(res, stream.right, textOf(context), log));
    },
  });
