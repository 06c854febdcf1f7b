import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { parseFilter } from '../../contract/filter';
import { badRequest, type Failure } from '../../problem';
import type { EventStream, StreamItem } from './event-stream';
import { callerOf } from '../../web/admission/caller';
import { stillAdmitted } from '../../web/exchange/still-admitted';
import { queryOf } from '../../web/lists/list-query';
import type { Route } from '../../web/routing/route';
import { EVENT_FIELDS } from './event-fields';
import { sendEvents } from './send-events';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { eventStreamsOf } from './contract';
import { endpoints } from './endpoints';

const textOf = (item: StreamItem): string => {
  switch (item._tag) {
    case 'Event':
      return `id: ${item.id}\ndata: ${JSON.stringify(item.event)}\n\n`;
    case 'Place':
      // A message without data is no event, but the reader can resume from its id.
      return `id: ${item.id}\n\n`;
    case 'Quiet':
      // A comment, which readers of events pass over.
      return item.counted === null
        ? ': nothing new\n\n'
        : `: nothing new; access counted up to push ${item.counted.push} of ${item.counted.at}\n\n`;
  }
};

/**
 * The live stream of events; readers resume it with `Last-Event-ID` (docs/rules.md: Live events).
 */
export const eventStreamRoute = ({ log, respond, running }: Web, context: Context): Route => {
  const open = (req: Request, res: Response): TE.TaskEither<Failure, EventStream> =>
    pipe(
      TE.fromEither(queryOf(endpoints.stream.query, req)),
      TE.bindTo('asked'),
      TE.bind('filter', ({ asked }) =>
        pipe(
          TE.fromEither(parseFilter(asked.filter ?? '', EVENT_FIELDS.filtered)),
          TE.mapLeft(badRequest),
        ),
      ),
      TE.flatMap(({ asked, filter }) =>
        eventStreamsOf(context)({
          filter,
          owner: callerOf(res).keyId ?? '',
          // Browsers send the header by themselves when they resume, so it wins over the parameter.
          after: req.get('last-event-id') || (asked.last_event_id ?? ''),
          providers: callerOf(res).providers,
          access: () => stillAdmitted(res),
        }),
      ),
    );

  return {
    ...endpoints.stream,
    handler: async (req, res) => {
      const stream = await open(req, res)();
      if (E.isLeft(stream)) respond.failure(res, stream.left);
      else
        await running.track(sendEvents(res, stream.right, (item) => TE.right(textOf(item)), log));
    },
  };
};
