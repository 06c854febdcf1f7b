import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type * as t from 'io-ts';

import type {
  AccessCheck,
  AccessExplanation,
  AccessList,
} from '../../contract/answers/questions/access';
import {
  type AccessLine,
  accessLines,
  principalColumns,
  resourceColumns,
} from '../../contract/tables/access';
import { parameterOf } from '../../web/lists/list-query';
import { type Asking, type AsTable, listed } from '../../web/lists/listed';
import { answeredFor, explanation, listAnswer } from './access-answers';
import { accessQuery, pairQuery } from './access-query';
import { withCypher } from './with-cypher';
import type { Failure } from '../../problem';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { endpoints } from '../endpoints';
import { accessOf, cypherOf } from '../in-context';

/**
 * Who can do what, whether somebody can, and through what, for the parameters of a request
 * (docs/rules.md: Access answers).
 */
export const accessAnswers = (context: Context) => ({
  list: (asking: Asking): TE.TaskEither<Failure, AccessList> =>
    pipe(
      TE.fromEither(accessQuery(asking)),
      TE.flatMap((query) =>
        pipe(
          accessOf(context).list(query.of, query.subject, query.listed, query.wanted, query.at),
          TE.map((settled) => listAnswer(query, settled)),
          TE.flatMap(
            withCypher(asking, () =>
              cypherOf(context).list(query.of, query.subject, query.listed, query.wanted),
            ),
          ),
        ),
      ),
    ),

  check: (asking: Asking): TE.TaskEither<Failure, t.TypeOf<typeof AccessCheck>> =>
    pipe(
      TE.fromEither(pairQuery(asking, true)),
      TE.flatMap(({ pair, at }) =>
        pipe(
          accessOf(context).check(pair, at),
          TE.map(({ answer, asOf }) => ({
            value: { allowed: answer.found },
            ...answeredFor(answer),
            as_of: asOf,
          })),
          TE.flatMap(withCypher(asking, () => cypherOf(context).check(pair))),
        ),
      ),
    ),

  explain: (asking: Asking): TE.TaskEither<Failure, AccessExplanation> =>
    pipe(
      TE.fromEither(pairQuery(asking, false)),
      TE.flatMap(({ pair, at }) =>
        pipe(
          accessOf(context).explain(pair, at),
          TE.map(({ answer, asOf }) => ({
            value: explanation(answer.found),
            ...answeredFor(answer),
            as_of: asOf,
          })),
          TE.flatMap(withCypher(asking, () => cypherOf(context).explain(pair))),
        ),
      ),
    ),
});

/** A list of access as a table. */
export const accessTable: AsTable<AccessList, AccessLine> = {
  columns: (asking) =>
    parameterOf(asking, 'principal') === '' ? principalColumns : resourceColumns,
  rowsOf: accessLines,
};

/** The routes of these answers. */
export const accessRoutes = ({ question }: Web, context: Context): readonly Route[] => {
  const answers = accessAnswers(context);
  return [
    route({
      ...endpoints.access,
      handler: question(listed(answers.list, accessTable)),
    }),
    route({
      ...endpoints.check,
      handler: question(answers.check),
    }),
    route({
      ...endpoints.explain,
      handler: question(answers.explain),
    }),
  ];
};
