import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ListedPush } from '../../contract/answers/pushes';
import { fieldColumns } from '../../contract/csv';
import { TIMED_TOKEN_PLACES } from '../../contract/page';
import { seesKeys } from '../../web/admission/caller';
import { addressedDataSource } from '../../web/exchange/addressed';
import { type Asking, listed } from '../../web/lists/listed';
import { type ListFields, listQuery, queryOf, takesNone } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Failure } from '../../problem';
import type { Web } from '../../web/routing/web';
import { historyOf } from '../../graph/records/lists/push-and-event-lists';
import { providersOf } from '../../graph/records/registry';
import { endpoints, type PushPage, type PushValue } from '../endpoints';

const PUSH_FIELDS: ListFields = {
  filtered: ['id', 'at', 'outcome', 'digest', 'warning_count', 'problem_count', 'request_id'],
  ordered: ['at'],
  usual: { field: 'at', isDescending: true },
  tokenPlaces: TIMED_TOKEN_PLACES,
};

const COLUMNS = fieldColumns(...(Object.keys(ListedPush.fields) as (keyof ListedPush)[]));

/** A list of pushes as a table. */
export const pushTable = {
  columns: () => COLUMNS,
  rowsOf: ({ values }: PushPage) => values,
};

/**
 * The pushes to a data source, newest first, and one of them, for the parameters of a request
 * (docs/rules.md: Lists).
 */
export const pushAnswers = (context: Context) => ({
  list: (asking: Asking, seesKeys: boolean): TE.TaskEither<Failure, PushPage> =>
    pipe(
      addressedDataSource(providersOf(context), asking),
      TE.tapEither(() => queryOf(endpoints.list.query, asking)),
      TE.flatMap((source) =>
        pipe(
          TE.fromEither(listQuery(asking, PUSH_FIELDS)),
          TE.flatMap((wanted) => historyOf(context).pushes(source.dataSource.id, wanted, seesKeys)),
        ),
      ),
    ),

  one: (asking: Asking, seesKeys: boolean): TE.TaskEither<Failure, PushValue> =>
    pipe(
      addressedDataSource(providersOf(context), asking),
      TE.flatMap((source) =>
        historyOf(context).push(source.dataSource.id, String(asking.params.pushId), seesKeys),
      ),
      TE.tapEither(() => takesNone(asking)),
      TE.map((value) => ({ value })),
    ),
});

/** The routes of these answers. */
export const pushRecordRoutes = ({ handle, question }: Web, context: Context): readonly Route[] => [
  route({
    ...endpoints.list,
    handler: question(
      listed((asking, res) => pushAnswers(context).list(asking, seesKeys(res)), pushTable),
    ),
  }),
  route({
    ...endpoints.read,
    handler: handle((req, res) => pushAnswers(context).one(req, seesKeys(res))),
  }),
];
