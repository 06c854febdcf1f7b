import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type * as t from 'io-ts';

import type { Entity, EntityList, EntityValue } from '../../contract/answers/questions/entities';
import { entityColumns } from '../../contract/tables/entities';
import { answerPageSize, type PageToken, readToken, writeToken } from '../../contract/page';
import { instantOf, isTrue } from '../../contract/parameters/query-parameters';
import { parseSearchFilter } from '../../contract/filters/search-filter';
import { badRequest, type Failure, oneProblem, type ProblemList } from '../../problem';
import type { Answered } from '../access/ask-access';
import {
  type FoundEntities,
  type SearchPlace,
  searchProperties,
  searchOrder,
  type WantedEntities,
} from '../entity-search';
import { type Asking, type AsTable, listed } from '../../web/lists/listed';
import { parameterOf, queryOf } from '../../web/lists/list-query';
import { withCypher } from './with-cypher';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints } from '../endpoints';
import { answersOf, cypherOf, entityPageOf } from '../in-context';

// A page token holds the meaning of the filter, the order, its direction, and the value and key of
// the last entity.
const TOKEN_PLACES = 5;

/** What a search lists, apart from the place where the page begins. */
type Listed = Omit<WantedEntities, 'after'>;

type Parameters = t.TypeOf<typeof endpoints.search.query>;

const listedIn = (asked: Parameters): E.Either<ProblemList, Listed> =>
  pipe(
    parseSearchFilter(asked.filter ?? ''),
    E.map((filter) => {
      const [field = '', direction = ''] = (asked.order_by ?? '').trim().split(/\s+/);
      return {
        filter,
        label: asked.label || null,
        order: searchOrder(field),
        isDescending: direction.toLowerCase() === 'desc',
        size: answerPageSize(asked.page_size),
      };
    }),
  );

const placeOf = (
  token: PageToken | null,
  { order, isDescending }: Listed,
): E.Either<ProblemList, SearchPlace | null> => {
  if (token === null) return E.right(null);
  const [meaning = '', field, direction, value = '', key = ''] = token;
  return /^[01]$/.test(meaning) && field === order.field && direction === String(isDescending)
    ? E.right({ meaning: Number(meaning), value, key })
    : E.left(oneProblem('/page_token', 'BAD_PAGE_TOKEN', 'is no token of this list'));
};

const wantedEntities = (req: Asking): E.Either<Failure, WantedEntities> =>
  pipe(
    queryOf(endpoints.search.query, req),
    E.flatMap((asked) =>
      pipe(
        E.Do,
        E.bind('listed', () => listedIn(asked)),
        E.bind('token', () => readToken(asked.page_token ?? '', TOKEN_PLACES)),
        E.bind('after', ({ listed, token }) => placeOf(token, listed)),
        E.map(({ listed, after }) => ({ ...listed, after })),
        E.mapLeft(badRequest),
      ),
    ),
  );

const listAnswer = (
  { answer: { entities, total, next }, asOf }: Answered<FoundEntities>,
  { order, isDescending }: WantedEntities,
): EntityList => ({
  values: entities,
  has_more: next !== null,
  next_page_token:
    next === null
      ? ''
      : writeToken([String(next.meaning), order.field, String(isDescending), next.value, next.key]),
  total,
  as_of: asOf,
});

/** Finds entities, and one of them, for the parameters of a request (docs/rules.md: Searches). */
export const entityAnswers = (context: Context) => ({
  search: (asking: Asking): TE.TaskEither<Failure, EntityList> =>
    pipe(
      TE.fromEither(wantedEntities(asking)),
      TE.flatMap((wanted) =>
        pipe(
          answersOf(context).search(wanted),
          TE.flatMap((settled) =>
            pipe(
              listAnswer(settled, wanted),
              withCypher(asking, () =>
                TE.fromEither(cypherOf(context).search(wanted, settled.answer.meaning)),
              ),
            ),
          ),
        ),
      ),
    ),

  one: (asking: Asking): TE.TaskEither<Failure, t.TypeOf<typeof EntityValue>> =>
    pipe(
      TE.fromEither(queryOf(endpoints.readEntity.query, asking)),
      TE.flatMap(({ at, everybody }) =>
        entityPageOf(context)(String(asking.params.entityId), instantOf(at), isTrue(everybody)),
      ),
      TE.map(({ answer: value, asOf }) => ({ value, as_of: asOf })),
    ),
});

/** A list of entities as a table. */
export const entityTable: AsTable<EntityList, Entity> = {
  columns: (asking) => entityColumns(searchProperties(parameterOf(asking, 'label'))),
  rowsOf: ({ values }) => values,
};

/** The routes of these answers. */
export const entityRoutes = ({ question }: Web, context: Context): readonly Route[] => {
  const answers = entityAnswers(context);
  return [
    route({
      ...endpoints.search,
      handler: question(listed(answers.search, entityTable)),
    }),
    route({
      ...endpoints.readEntity,
      handler: question(answers.one),
    }),
  ];
};
