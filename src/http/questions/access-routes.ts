import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import {
  AccessCheck,
  AccessExplanation,
  AccessList,
} from '../../contract/answers/questions/access';
import type { UseCases } from '../../service/use-cases';
import { accessLines, principalColumns, resourceColumns } from '../../contract/tables/access';
import type { Handle } from '../exchange/handle';
import { parameterOf } from '../lists/list-query';
import { listed } from '../lists/listed';
import { PairParameters } from '../../contract/parameters/question-parameters';
import { answeredFor, explanation, listAnswer } from './access-answers';
import { accessQuery, LIST_PARAMETERS, pairQuery } from './access-query';
import { withCypher } from './with-cypher';
import { route, type Route } from '../routing/route';

/** What the endpoints of access need. */
export interface AccessRoutesDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'listAccess' | 'checkAccess' | 'explainAccess' | 'toldCypher'>;
}

/**
 * Answers who can do what, whether somebody can, and through what (docs/rules.md: Access answers).
 */
export const accessRoutes = ({ handle, useCases }: AccessRoutesDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/access',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary:
      'What a `principal` can reach, or who can reach a `resource`; narrowed by permission, type, application, label.',
    answer: AccessList,
    query: LIST_PARAMETERS,
    alsoAs: 'text/csv',
    handler: handle(
      listed(
        (asking) =>
          pipe(
            TE.fromEither(accessQuery(asking)),
            TE.flatMap((query) =>
              pipe(
                useCases.listAccess(query.of, query.subject, query.listed, query.wanted, query.at),
                TE.map((settled) => listAnswer(query, settled)),
                TE.flatMap(
                  withCypher(asking, () =>
                    useCases.toldCypher.list(query.of, query.subject, query.listed, query.wanted),
                  ),
                ),
              ),
            ),
          ),
        {
          columns: (asking) =>
            parameterOf(asking, 'principal') === '' ? principalColumns : resourceColumns,
          rowsOf: accessLines,
        },
      ),
    ),
  }),
  route({
    method: 'get',
    path: '/api/v1/access\\:check',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Whether a principal has a permission on a resource.',
    answer: AccessCheck,
    query: PairParameters,
    handler: handle((req) =>
      pipe(
        TE.fromEither(pairQuery(req, true)),
        TE.flatMap(({ pair, at }) =>
          pipe(
            useCases.checkAccess(pair, at),
            TE.map(({ answer, asOf }) => ({
              value: { allowed: answer.found },
              ...answeredFor(answer),
              as_of: asOf,
            })),
            TE.flatMap(withCypher(req, () => useCases.toldCypher.check(pair))),
          ),
        ),
      ),
    ),
  }),
  route({
    method: 'get',
    path: '/api/v1/access\\:explain',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Through what a principal has access to a resource, shortest paths first.',
    answer: AccessExplanation,
    query: PairParameters,
    handler: handle((req) =>
      pipe(
        TE.fromEither(pairQuery(req, false)),
        TE.flatMap(({ pair, at }) =>
          pipe(
            useCases.explainAccess(pair, at),
            TE.map(({ answer, asOf }) => ({
              value: explanation(answer.found),
              ...answeredFor(answer),
              as_of: asOf,
            })),
            TE.flatMap(withCypher(req, () => useCases.toldCypher.explain(pair))),
          ),
        ),
      ),
    ),
  }),
];
