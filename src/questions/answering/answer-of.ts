import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import type { Runner } from '../../neo4j/transaction';
import { type AnswerLimits, answerAt, type Reach } from '../instant/at-instant';
import { type Settled, settledAnswer } from './settled-answer';

/** Runs the statements of an answer. `keyOf` gives the key by which they find a node. */
export type ReadAnswer<A> = (tx: Runner, keyOf: (key: string) => string) => Promise<A>;

/** Answers a question about the graph as it is, or as it was at an instant. */
export const answerOf = <A>(
  graph: Graph,
  limits: AnswerLimits,
  at: Instant | null,
  reach: Reach,
  read: ReadAnswer<A>,
): TE.TaskEither<Failure, Settled<A>> =>
  at === null
    ? settledAnswer(graph, limits.seconds, reach, (tx) => read(tx, (key) => key))
    : pipe(
        answerAt(graph, limits, at, reach, read),
        TE.map((answered) => ({ ...answered, version: null })),
      );
