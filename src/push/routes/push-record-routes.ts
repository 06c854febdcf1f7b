import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ListedPush, PushPage, PushValue } from '../../contract/answers/pushes';
import { fieldColumns } from '../../contract/csv';
import { TIMED_TOKEN_PLACES } from '../../contract/page';
import { PushesParameters } from '../../contract/parameters/question-parameters';
import { seesKeys } from '../../web/admission/caller';
import { addressedDataSource } from '../../web/exchange/addressed';
import { listed } from '../../web/lists/listed';
import { type ListFields, listQuery, queryOf, takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { historyOf } from '../../features/events/contract';
import { providersOf } from '../../features/registry/contract';

const PUSH_FIELDS: ListFields = {
  filtered: ['id', 'at', 'outcome', 'digest', 'warning_count', 'problem_count', 'request_id'],
  ordered: ['at'],
  usual: { field: 'at', isDescending: true },
  tokenPlaces: TIMED_TOKEN_PLACES,
};

const COLUMNS = fieldColumns(...(Object.keys(ListedPush.fields) as (keyof ListedPush)[]));

const PUSHES = '/api/v1/providers/custom/:providerId/datasources/:dataSourceId/pushes';

/**
 * Lists the pushes to a data source, newest first, and reads one with its warnings or problems
 * (docs/rules.md: Lists).
 */
export const pushRecordRoutes = ({ handle, question }: Web, context: Context): readonly Route[] => [
  route({
    method: 'get',
    path: PUSHES,
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'own provider' },
    summary: 'Lists the pushes to a data source, newest first.',
    answer: PushPage,
    query: PushesParameters,
    alsoAs: 'text/csv',
    handler: question(
      listed(
        (asking, res) =>
          pipe(
            addressedDataSource(providersOf(context), asking),
            TE.tapEither(() => queryOf(PushesParameters, asking)),
            TE.flatMap((source) =>
              pipe(
                TE.fromEither(listQuery(asking, PUSH_FIELDS)),
                TE.flatMap((wanted) =>
                  historyOf(context).pushes(source.dataSource.id, wanted, seesKeys(res)),
                ),
              ),
            ),
          ),
        { columns: () => COLUMNS, rowsOf: ({ values }) => values },
      ),
    ),
  }),
  route({
    method: 'get',
    path: `${PUSHES}/:pushId`,
    access: { scopes: ['read'], orScope: 'push', limitedKeys: 'own provider' },
    summary: 'Reads a push with its warnings or problems.',
    answer: PushValue,
    handler: handle((req, res) =>
      pipe(
        addressedDataSource(providersOf(context), req),
        TE.flatMap((source) =>
          historyOf(context).push(source.dataSource.id, String(req.params.pushId), seesKeys(res)),
        ),
        TE.tapEither(() => takesNone(req)),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
];
