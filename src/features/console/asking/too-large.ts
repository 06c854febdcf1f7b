import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../../problem';

/**
 * The answer, or why the question is too large. A page shows that text, and leads to a narrower
 * question. `mayTakeTooLong`: a question that Neo4j gave up counts as too large. An outage never does.
 */
export const orTooLarge = <A>(
  asked: TE.TaskEither<Failure, A>,
  mayTakeTooLong = false,
): TE.TaskEither<Failure, A | string> =>
  pipe(
    asked,
    TE.orElse((failure): TE.TaskEither<Failure, A | string> => {
      const isTooMuch =
        failure._tag === 'TooLarge' ||
        (mayTakeTooLong && failure._tag === 'Unavailable' && failure.isOutage !== true);
      return isTooMuch ? TE.right(failure.message) : TE.left(failure);
    }),
  );
