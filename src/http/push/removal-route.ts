import { Router } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { UseCases } from '../../service/use-cases';
import { addressedDataSource } from '../exchange/addressed';
import type { Handle } from '../exchange/handle';
import type { Respond } from '../exchange/respond';

/** What the endpoint works with. */
export interface RemovalRouteDeps {
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<UseCases, 'findDataSource' | 'allowRemoval'>;
}

/** Lets the next push to a data source past the mass-delete fuse, for clients that cannot send headers (graph.md 6). */
export const removalRoute = ({ handle, respond, useCases }: RemovalRouteDeps): Router => {
  const router = Router();
  router
    .route('/api/v1/providers/custom/:providerId/datasources/:dataSourceId\\:allow-removal')
    .post(
      handle((req) =>
        pipe(
          addressedDataSource(useCases, req),
          TE.flatMap((source) => useCases.allowRemoval(source)),
          TE.map((until) => ({ value: { removal_allowed_until: until } })),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'POST'));
  return router;
};
