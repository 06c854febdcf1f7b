import { Router } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { UseCases } from '../../service/use-cases';
import { callerOf } from '../admission/caller';
import { addressedDataSource } from '../exchange/addressed';
import type { Handle } from '../exchange/handle';
import { parameterOf } from '../exchange/list-query';
import { requestIdOf } from '../exchange/request-id';
import type { Respond } from '../exchange/respond';
import { notDeleting } from './push-answer';

/** What the endpoint works with. */
export interface VerifyRouteDeps {
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<UseCases, 'findDataSource' | 'verifyDataSource'>;
}

/** Tells what was changed by hand in a data source's part of the graph, and repairs it with `?repair=true` (api.md 7: verify). */
export const verifyRoute = ({ handle, respond, useCases }: VerifyRouteDeps): Router => {
  const router = Router();
  router
    .route('/api/v1/providers/custom/:providerId/datasources/:dataSourceId\\:verify')
    .post(
      handle((req, res) =>
        pipe(
          addressedDataSource(useCases, req),
          TE.tapEither(notDeleting),
          TE.flatMap((source) =>
            useCases.verifyDataSource({
              source,
              requestId: requestIdOf(res),
              // Some clients spell it `True` (api.md 1).
              isRepairing: parameterOf(req, 'repair').toLowerCase() === 'true',
              seesOthers: callerOf(res).providers === null,
            }),
          ),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'POST'));
  return router;
};
