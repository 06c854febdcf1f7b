import { Router } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { CreateDataSourceRequest } from '../../contract/envelopes';
import { LIST_TOKEN_PLACES } from '../../contract/page';
import { sameId } from '../../service/push/same-id';
import type { UseCases } from '../../service/use-cases';
import { addressedDataSource, addressedProvider } from '../exchange/addressed';
import { readSmallBody } from '../exchange/body';
import { decodeBody } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import { type ListFields, listQuery } from '../exchange/list-query';
import { requestIdOf } from '../exchange/request-id';
import type { Respond } from '../exchange/respond';

/** What the endpoints of data sources work with. */
export interface DataSourceRoutesDeps {
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<
    UseCases,
    'findProvider' | 'createDataSource' | 'listDataSources' | 'findDataSource' | 'deleteDataSource'
  >;
}

const DATA_SOURCE_FIELDS: ListFields = {
  filtered: ['id', 'name', 'status', 'provider_id'],
  ordered: ['name', 'status'],
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

/** Creates, lists, reads and deletes data sources (spec: Endpoints; api.md 1). */
export const dataSourceRoutes = ({ handle, respond, useCases }: DataSourceRoutesDeps): Router => {
  const router = Router();

  router
    .route('/api/v1/providers/custom/:providerId/datasources')
    .get(
      handle((req) =>
        pipe(
          addressedProvider(useCases, req),
          TE.flatMap((provider) =>
            pipe(
              TE.fromEither(listQuery(req, DATA_SOURCE_FIELDS)),
              TE.flatMap((wanted) => useCases.listDataSources(provider, wanted)),
            ),
          ),
        ),
      ),
    )
    .post(
      handle((req, res) =>
        pipe(
          // The provider first: 404 comes before 400 (api.md 3).
          addressedProvider(useCases, req),
          TE.flatMap((provider) =>
            pipe(
              decodeBody(CreateDataSourceRequest, readSmallBody, req, res),
              TE.tapEither(({ id }) => sameId('id', id, provider.id)),
              TE.flatMap(({ name }) =>
                useCases.createDataSource({ provider, name, requestId: requestIdOf(res) }),
              ),
            ),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'GET, POST'));

  router
    .route('/api/v1/providers/custom/:providerId/datasources/:dataSourceId')
    .get(
      handle((req) =>
        pipe(
          addressedDataSource(useCases, req),
          TE.map(({ dataSource }) => ({ value: dataSource })),
        ),
      ),
    )
    .delete(
      handle((req, res) =>
        pipe(
          addressedDataSource(useCases, req),
          TE.flatMap((source) => useCases.deleteDataSource(source, requestIdOf(res))),
          TE.map(() => ({})),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'GET, DELETE'));

  return router;
};
