import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Cypher } from '../../contract/answers/cypher';
import { isTrue } from '../../contract/query-parameters';
import type { Failure } from '../../problem';
import type { Asking } from '../lists/listed';
import { parameterOf } from '../lists/list-query';

/**
 * Adds the query behind an answer if `?cypher=true` asks for it (docs/api.md: The query behind an
 * answer).
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
