import type { Request } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type * as t from 'io-ts';

import type { AccessChangeList, ChangedRow } from '../../contract/answers/questions/access-changes';
import { answerPageSize, readToken, writeToken } from '../../contract/page';
import { pathOf } from '../../contract/parameters/path-of';
import { instantOf, isTrue, textsOf } from '../../contract/parameters/query-parameters';
import { changeColumns, type ChangeLine, changeLines } from '../../contract/tables/access-changes';
import { badField, badRequest, type Failure, type ProblemCode } from '../../problem';
import type { ChangeFilter, ChangePlace, ChangesPage, WantedPage } from '../changes/find-changes';
import { isPlaceOfPeopleFirst } from '../changes/people-first';
import type { Span } from '../changes/period';
import type { Instant } from '../../model/instant';
import { queryOf } from '../../web/lists/list-query';
import { narrowedTo } from './access-query';
import { type Asking, type AsTable, listed } from '../../web/lists/listed';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints } from '../endpoints';
import { accessChangesOf } from '../in-context';

type Asked = t.TypeOf<typeof endpoints.changes.query>;

const refused = (name: string, code: ProblemCode, message: string): E.Either<Failure, never> =>
  E.left(badField(`/${name}`, code, message));

const besidePush = (name: string): E.Either<Failure, never> =>
  refused(name, 'UNKNOWN_FIELD', 'is given together with push: a push has its own time');

/** The push, or the time between two instants. */
const spanOf = ({ push, ...period }: Asked): E.Either<Failure, Span> => {
  const [since, until] = [instantOf(period.since), instantOf(period.until)];
  if (push) {
    if (since !== null) return besidePush('since');
    return until !== null ? besidePush('until') : E.right({ push });
  }
  return since === null
    ? refused('push', 'MISSING_FIELD', 'one of push and since is needed')
    : E.right({ since, until });
};

const changeOf = (asked: Asked['change']): ChangeFilter['change'] =>
  asked === 'gained' || asked === 'lost' ? asked : null;

const filterOf = (asked: Asked): E.Either<Failure, ChangeFilter> =>
  pipe(
    narrowedTo(asked),
    E.map((principal) => ({
      principal,
      resource: asked.resource || null,
      contents: isTrue(asked.contents),
      application: asked.application || null,
      dataSource: asked.data_source || null,
      change: changeOf(asked.change),
    })),
  );

// A token holds the end of the period, and the place of the last row.
const TOKEN_PLACES = 3;

/** The place of a page, and the end of the period of its list. */
interface Place extends ChangePlace {
  readonly until: Instant;
}

const placeOf = (text: string, peopleFirst: boolean): E.Either<Failure, Place | null> =>
  pipe(
    readToken(text, TOKEN_PLACES),
    E.mapLeft(badRequest),
    E.flatMap((token): E.Either<Failure, Place | null> => {
      if (token === null) return E.right(null);
      const [at, principal = '', resource = ''] = token;
      const until = instantOf(at);
      return until === null || isPlaceOfPeopleFirst(principal) !== peopleFirst
        ? refused('page_token', 'BAD_PAGE_TOKEN', 'is no token of this list')
        : E.right({ until, principal, resource });
    }),
  );

const changesQuery = (req: Pick<Request, 'query'>): E.Either<Failure, WantedPage> =>
  pipe(
    queryOf(endpoints.changes.query, req),
    E.flatMap((asked) =>
      pipe(
        E.Do,
        E.bind('peopleFirst', () =>
          isTrue(asked.people_first) && textsOf(asked.principal).length > 0
            ? refused('people_first', 'UNKNOWN_FIELD', 'goes without principal')
            : E.right(isTrue(asked.people_first)),
        ),
        E.bind('after', ({ peopleFirst }) => placeOf(asked.page_token ?? '', peopleFirst)),
        E.bind('span', () => spanOf(asked)),
        E.bind('filter', () =>
          isTrue(asked.contents) && !asked.resource
            ? refused(
                'contents',
                'UNKNOWN_FIELD',
                'goes with resource: it counts what that contains too',
              )
            : filterOf(asked),
        ),
        E.map(({ span, after, filter, peopleFirst }): WantedPage => ({
          // All pages of a list up to now end where its first page did.
          span: 'push' in span || after === null ? span : { ...span, until: after.until },
          filter,
          peopleFirst,
          size: answerPageSize(asked.page_size),
          after,
          details: isTrue(asked.details),
        })),
      ),
    ),
  );

const explainPath = (
  principal: string | null,
  resource: string,
  changed: readonly unknown[],
  at: Instant,
): string | null =>
  changed.length === 0 || principal === null
    ? null
    : `${pathOf(endpoints.explain, {})}?${new URLSearchParams({ principal, resource, at: at.utc }).toString()}`;

const answerOf = ({
  period: { from, to },
  isFromBeginning,
  human,
  total,
  counts,
  rows,
  hasMore,
  end,
  unfinished,
}: ChangesPage): AccessChangeList => {
  return {
    from: from.utc,
    to: to.utc,
    ...(isFromBeginning ? { from_beginning: true } : {}),
    ...(human === null ? {} : { principal: human.of, accounts: human.accounts }),
    values: rows.map((row): ChangedRow => {
      const { principal, resource, gained, lost } = row;
      const [then, now] =
        human === null ? [principal.id, principal.id] : [human.ids.from, human.ids.to];
      return {
        ...row,
        explain: {
          gained: explainPath(now, resource.id, gained, to),
          lost: explainPath(then, resource.id, lost, from),
        },
      };
    }),
    has_more: hasMore,
    next_page_token:
      hasMore && end !== null ? writeToken([to.utc, end.principal, end.resource]) : '',
    total,
    counts,
    ...(unfinished === null ? {} : { unfinished }),
  };
};

/** Who gained and who lost what, for the parameters of a request (docs/rules.md: Changes of access). */
export const changesAnswer =
  (context: Context) =>
  (asking: Asking): TE.TaskEither<Failure, AccessChangeList> =>
    pipe(
      TE.fromEither(changesQuery(asking)),
      TE.flatMap((wanted) => accessChangesOf(context)(wanted)),
      TE.map(answerOf),
    );

/** A list of changes as a table. */
export const changesTable: AsTable<AccessChangeList, ChangeLine> = {
  columns: () => changeColumns,
  rowsOf: changeLines,
};

/** The route of this answer. */
export const changesRoute = ({ question }: Web, context: Context): Route =>
  route({
    ...endpoints.changes,
    handler: question(listed(changesAnswer(context), changesTable)),
  });
