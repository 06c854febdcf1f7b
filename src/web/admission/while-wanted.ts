import type * as TE from 'fp-ts/TaskEither';

import { whileWanted } from '../../neo4j/unwanted';
import type { Failure } from '../../problem';

/** Answers a question for as long as somebody waits for the answer. */
export const askedWhileWanted =
  <A>(unwanted: AbortSignal, question: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  () =>
    whileWanted(unwanted, question);
