import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { LIST_TOKEN_PLACES } from '../../contract/page';
import { isTrue } from '../../contract/parameters/query-parameters';
import { sameId } from '../../push/receive/contract';
import { actOf } from '../../web/admission/caller';
import { addressedDataSource, addressedProvider } from '../../web/exchange/addressed';
import { decodeBody } from '../../web/bodies/decode-body';
import { confirmedRemoval } from '../../web/admission/confirmed-removal';
import { type ListFields, listQuery, queryOf } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { registryOf } from '../contract';
import { providersOf } from '../../graph/records/registry';
import { CreateDataSourceRequest, endpoints } from '../endpoints';

const DATA_SOURCE_FIELDS: ListFields = {
  filtered: ['id', 'name', 'status', 'provider_id'],
  ordered: ['name', 'status'],
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

/** Creates, lists, reads and deletes data sources (docs/rules.md: Requests, Lists). */
export const dataSourceRoutes = ({ handle, question }: Web, context: Context): readonly Route[] => [
  route({
    ...endpoints.listDataSources,
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
    ...endpoints.createDataSource,
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
    ...endpoints.readDataSource,
    handler: handle((req) =>
      pipe(
        addressedDataSource(providersOf(context), req),
        TE.map(({ dataSource }) => ({ value: dataSource })),
      ),
    ),
  }),
  route({
    ...endpoints.removeDataSource,
    handler: handle((req, res) =>
      pipe(
        addressedDataSource(providersOf(context), req),
        TE.bindTo('source'),
        TE.bind('asked', () => TE.fromEither(queryOf(endpoints.removeDataSource.query, req))),
        TE.flatMap(({ source, asked }) =>
          registryOf(context).deleteDataSource(source, {
            ...actOf(res),
            erases: isTrue(asked.erase),
            confirmedRemoval: confirmedRemoval(req),
          }),
        ),
        TE.map(() => ({})),
      ),
    ),
  }),
];
