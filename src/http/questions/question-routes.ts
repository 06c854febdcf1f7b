import type { Request } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ReviewerList } from '../../contract/answers/access';
import { QueryValue } from '../../contract/answers/query';
import { QueryRequest } from '../../contract/query';
import { ReviewersParameters } from '../../contract/question-parameters';
import { type Failure, invalid, oneProblem } from '../../problem';
import type { UseCases } from '../../service/use-cases';
import { readSmallBody } from '../exchange/body';
import { decodeBody } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import { queryOf, takesNone } from '../exchange/list-query';
import { route, type Route } from '../routing/route';

/** What the endpoints of reviewers and queries need. */
export interface QuestionRoutesDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'findReviewers' | 'query'>;
}

const reviewed = (
  req: Request,
): E.Either<Failure, { readonly of: 'principal' | 'resource'; readonly id: string }> =>
  pipe(
    queryOf(ReviewersParameters, req),
    E.flatMap(({ principal, resource }) => {
      if (principal && !resource) return E.right({ of: 'principal', id: principal });
      if (resource && !principal) return E.right({ of: 'resource', id: resource });
      const message = 'principal or resource is needed, one';
      const problem = oneProblem('/principal', 'MISSING_FIELD', message);
      return E.left(invalid('The request is not valid.', problem));
    }),
  );

/**
 * Suggests reviewers, and answers the analyst's own questions in Cypher (docs/rules.md: Reviewers).
 */
export const questionRoutes = ({ handle, useCases }: QuestionRoutesDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/reviewers',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Who should review a principal or a resource, with the reasons.',
    answer: ReviewerList,
    query: ReviewersParameters,
    handler: handle((req) =>
      pipe(
        TE.fromEither(reviewed(req)),
        TE.flatMap(({ of, id }) =>
          pipe(
            useCases.findReviewers(of, id),
            TE.map(({ answer, asOf }) => ({
              [of]: answer.of,
              values: answer.reviewers.map(({ about, email, reasons }) => ({
                ...about,
                email,
                reasons,
              })),
              has_more: false,
              next_page_token: '',
              total: answer.reviewers.length,
              as_of: asOf,
            })),
          ),
        ),
      ),
    ),
  }),
  route({
    method: 'post',
    path: '/api/v1/query',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Runs a reading query in Cypher: see below.',
    answer: QueryValue,
    body: [QueryRequest],
    handler: handle((req, res) =>
      pipe(
        TE.fromEither(takesNone(req)),
        TE.flatMap(() => decodeBody(QueryRequest, readSmallBody, req, res)),
        TE.flatMap(({ cypher, parameters }) =>
          useCases.query({ cypher, parameters: parameters ?? {} }),
        ),
        TE.map((value) => ({ value })),
      ),
    ),
  }),
];
