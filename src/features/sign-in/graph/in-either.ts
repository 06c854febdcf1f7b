import type { Either } from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Graph } from '../../../neo4j/driver';
import { inTransaction, LATEST, type Runner } from '../../../neo4j/transaction';
import type { Failure } from '../../../problem';

/** Runs a transaction that may come to a failure of its own. */
export const inEither = <A>(
  graph: Graph,
  work: (tx: Runner) => Promise<Either<Failure, A>>,
): TaskEither<Failure, A> =>
  pipe(
    inTransaction(graph, LATEST, work),
    TE.flatMapEither((outcome) => outcome),
  );
