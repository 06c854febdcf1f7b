import { Router } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { TIMED_TOKEN_PLACES } from '../../contract/page';
import type { UseCases } from '../../service/use-cases';
import { addressedDataSource } from '../exchange/addressed';
import type { Handle } from '../exchange/handle';
import { type ListFields, listQuery } from '../exchange/list-query';
import type { Respond } from '../exchange/respond';

/** What the endpoints of push records work with. */
export interface PushRecordRoutesDeps {
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<UseCases, 'findDataSource' | 'listPushes' | 'findPush'>;
}

const PUSH_FIELDS: ListFields = {
  filtered: ['id', 'at', 'outcome', 'digest', 'warning_count', 'problem_count', 'request_id'],
  ordered: ['at'],
  usual: { field: 'at', isDescending: true },
  tokenPlaces: TIMED_TOKEN_PLACES,
};

const PUSHES = '/api/v1/providers/custom/:providerId/datasources/:dataSourceId/pushes';

/** Tells of the pushes to a data source: all of them newest first, and of one what it said (api.md 7). */
export const pushRecordRoutes = ({ handle, respond, useCases }: PushRecordRoutesDeps): Router => {
  const router = Router();

  router
    .route(PUSHES)
    .get(
      handle((req) =>
        pipe(
          addressedDataSource(useCases, req),
          TE.flatMap((source) =>
            pipe(
              TE.fromEither(listQuery(req, PUSH_FIELDS)),
              TE.flatMap((wanted) => useCases.listPushes(source, wanted)),
            ),
          ),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'GET'));

  router
    .route(`${PUSHES}/:pushId`)
    .get(
      handle((req) =>
        pipe(
          addressedDataSource(useCases, req),
          TE.flatMap((source) => useCases.findPush(source, String(req.params.pushId))),
          TE.map((value) => ({ value })),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'GET'));

  return router;
};
