import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../../contract/answers/page';
import { DataSourcePage, DataSourceValue } from '../../../contract/answers/registry';
import { CreateDataSourceRequest } from '../../../contract/envelopes';
import { LIST_TOKEN_PLACES } from '../../../contract/page';
import {
  DeletionParameters,
  ListParameters,
} from '../../../contract/parameters/question-parameters';
import { sameId } from '../../../push/receive/contract';
import { actOf } from '../../../web/admission/caller';
import { addressedDataSource, addressedProvider } from '../../../web/exchange/addressed';
import { decodeBody } from '../../../web/bodies/decode-body';
import { CONFIRM_REMOVAL } from '../../../contract/parameters/confirm-removal';
import { confirmedRemoval } from '../../../web/admission/confirmed-removal';
import { erasesHistory, type ListFields, listQuery } from '../../../web/lists/list-query';
import { route, type Route } from '../../../web/routing/route';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { providersOf, registryOf } from '../contract';

const DATA_SOURCE_FIELDS: ListFields = {
  filtered: ['id', 'name', 'status', 'provider_id'],
  ordered: ['name', 'status'],
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

/** Creates, lists, reads and deletes data sources (docs/rules.md: Requests, Lists). */
export const dataSourceRoutes = ({ handle, question }: Web, context: Context): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/providers/custom/:providerId/datasources',
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'own provider' },
    summary: 'Lists the data sources of a provider.',
    answer: DataSourcePage,
    query: ListParameters,
    handler: question((req) =>
      pipe(
        addressedProvider(providersOf(context), req),
        TE.flatMap((provider) =>
          pipe(
            TE.fromEither(listQuery(req, DATA_SOURCE_FIELDS)),
            TE.flatMap((wanted) => registryOf(context).listDataSources(provider, wanted)),
          ),
        ),
      ),
    ),
  }),
  route({
    method: 'post',
    path: '/api/v1/providers/custom/:providerId/datasources',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Creates a data source.',
    answer: DataSourceValue,
    body: [CreateDataSourceRequest],
    handler: handle((req, res) =>
      pipe(
        // The service looks for the provider first, so 404 comes before 400 (docs/rules.md:
        // Requests).
        addressedProvider(providersOf(context), req),
        TE.flatMap((provider) =>
          pipe(
            decodeBody(CreateDataSourceRequest, req, res),
            TE.tapEither(({ id }) => sameId('id', id, provider.id)),
            TE.flatMap(({ name }) =>
              registryOf(context).createDataSource({ provider, name, ...actOf(res) }),
            ),
          ),
        ),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
  route({
    method: 'get',
    path: '/api/v1/providers/custom/:providerId/datasources/:dataSourceId',
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'own provider' },
    summary: 'Reads a data source.',
    answer: DataSourceValue,
    handler: handle((req) =>
      pipe(
        addressedDataSource(providersOf(context), req),
        TE.map(({ dataSource }) => ({ value: dataSource })),
      ),
    ),
  }),
  route({
    method: 'delete',
    path: '/api/v1/providers/custom/:providerId/datasources/:dataSourceId',
    access: { scopes: ['push'], limitedKeys: 'own provider' },
    summary: 'Deletes a data source with its graph.',
    answer: Done,
    query: DeletionParameters,
    headers: [CONFIRM_REMOVAL],
    handler: handle((req, res) =>
      pipe(
        addressedDataSource(providersOf(context), req),
        TE.bindTo('source'),
        TE.bind('erases', () => TE.fromEither(erasesHistory(req))),
        TE.flatMap(({ source, erases }) =>
          registryOf(context).deleteDataSource(source, {
            ...actOf(res),
            erases,
            confirmedRemoval: confirmedRemoval(req),
          }),
        ),
        TE.map(() => ({})),
      ),
    ),
  }),
];
