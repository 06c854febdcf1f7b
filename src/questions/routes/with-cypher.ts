import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Cypher } from '../../contract/answers/questions/cypher';
import { isTrue } from '../../contract/parameters/query-parameters';
import { badField, type Failure } from '../../problem';
import type { Asking } from '../../web/lists/listed';
import { parameterOf } from '../../web/lists/list-query';

/**
 * Adds the query behind an answer if the request has `?cypher=true` (docs/api.md: The query behind
 * an answer).
 */
export const withCypher =
  (asking: Asking, cypherOf: () => TE.TaskEither<Failure, Cypher>) =>
  <A extends object>(answer: A): TE.TaskEither<Failure, A & { readonly cypher?: Cypher }> =>
    isTrue(parameterOf(asking, 'cypher'))
      ? pipe(
          cypherOf(),
          TE.map((cypher) => ({ ...answer, cypher })),
        )
      : TE.right(answer);

/**
 * Refuses `?cypher=true` together with an instant, because no single query reads the graph at an
 * instant (docs/api.md: History).
 */
export const withoutCypher = (
  asking: Pick<Asking, 'query'>,
  at: unknown,
): E.Either<Failure, null> =>
  at !== null && isTrue(parameterOf(asking, 'cypher'))
    ? E.left(
        badField(
          '/cypher',
          'UNKNOWN_FIELD',
          'goes with what is so now: no query tells what was so',
        ),
      )
    : E.right(null);
