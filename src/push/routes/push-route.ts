import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { PushAnswer } from '../../contract/answers/pushes';
import type { Failure } from '../../problem';
import type { AcceptedPush } from '../run/accepted-push';
import type { PushTarget } from '../receive/push-intent';
import { addressedDataSource } from '../../web/exchange/addressed';
import type { Handler } from '../../web/exchange/handle';
import { requestIdOf } from '../../web/exchange/request-id';
import { takesNone } from '../../web/lists/list-query';
import { notDeleting, pushAnswer } from './push-answer';
import { receivePush } from './receive-push';
import { runSent } from './run-sent';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { plannedMemoryOf } from '../../memory/memory-at-hand';
import { endpoints } from '../endpoints';

const pushHandler = (
  { handle }: Web,
  context: Context,
  holds: 'envelope' | 'csv',
): Handler<PushAnswer> => {
  const push = (
    source: PushTarget,
    req: Request,
    res: Response,
  ): TE.TaskEither<Failure, AcceptedPush> =>
    runSent(
      context,
      { source, requestId: requestIdOf(res) },
      pipe(
        receivePush(source, req, res, plannedMemoryOf(context).sizes.bodyBytes),
        TE.map((sent) => ({ ...sent, holds })),
      ),
    );

  return handle((req, res) =>
    pipe(
      // The service looks for the data source before it reads the body, so 404 comes before 400
      // and it receives no large body in vain (docs/rules.md: Requests).
      addressedDataSource(providersOf(context), req),
      TE.tapEither(notDeleting),
      // Public clients send parameters with envelopes that the service does not know.
      TE.tapEither(() => (holds === 'csv' ? takesNone(req) : E.right({}))),
      TE.flatMap((source) => push(source, req, res)),
      TE.map(pushAnswer),
    ),
  );
};

/** Takes pushes. The answer says that the payload is in the graph (docs/rules.md: Requests). */
export const pushRoute = (web: Web, context: Context): Route =>
  route({
    ...endpoints.push,
    handler: pushHandler(web, context, 'envelope'),
  });

/** Takes pushes of CSV files (docs/connectors.md: CSV files). */
export const pushCsvRoute = (web: Web, context: Context): Route =>
  route({
    ...endpoints.pushCsv,
    handler: pushHandler(web, context, 'csv'),
  });
