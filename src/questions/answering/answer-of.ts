import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import { type AnswerLimits, answerAt, type Reach, stagedAnswer } from '../instant/at-instant';
import { RESTLESS, type Settled, settledAnswer } from './settled-answer';
import { instantBefore, readVersions } from './versions';

/** Runs the statements of an answer. `keyOf` gives the key by which they find a node. */
export type ReadAnswer<A> = (tx: Runner, keyOf: (key: string) => string) => Promise<A>;

/** How often the service looks for a newest push about which an answer is certain. */
const ATTEMPTS = 3;

/**
 * Answers a question about the graph of the newest push, which later pushes do not change. If
 * something else was committed meanwhile, that is not certain, and the service tries again. Fails
 * with `RESTLESS` if that does not help, or if the answer needs too many facts.
 */
const answerOfNewest = <A>(
  graph: Graph,
  limits: AnswerLimits,
  reach: Reach,
  read: ReadAnswer<A>,
  attempt = 1,
): TE.TaskEither<Failure, Settled<A>> =>
  pipe(
    inTransaction(
      graph,
      { mode: 'write', end: 'rollback', timeoutSeconds: limits.seconds },
      async (tx): Promise<Settled<A> | 'too large' | 'not certain'> => {
        const before = await readVersions(tx);
        if (before.asOf === null) return 'not certain';
        const at = new Instant(before.asOf.at);
        const staged = await stagedAnswer(tx, limits.instantFacts, at, reach, read);
        if (!('answer' in staged)) return 'too large';
        return (await instantBefore(tx, before, await readVersions(tx))) === null
          ? 'not certain'
          : { ...staged, asOf: before.asOf, version: null };
      },
    ),
    TE.flatMap((settled) => {
      if (typeof settled === 'object') return TE.right(settled);
      return settled === 'too large' || attempt === ATTEMPTS
        ? TE.left(RESTLESS)
        : answerOfNewest(graph, limits, reach, read, attempt + 1);
    }),
  );

/**
 * The answer about the newest push, if the one about now failed since pushes overtook it each time
 * (docs/rules.md: Access answers).
 */
export const orOfNewest =
  <A>(graph: Graph, limits: AnswerLimits, reach: Reach, read: ReadAnswer<A>) =>
  (now: TE.TaskEither<Failure, Settled<A>>): TE.TaskEither<Failure, Settled<A>> =>
    pipe(
      now,
      TE.orElse((failure) =>
        failure === RESTLESS ? answerOfNewest(graph, limits, reach, read) : TE.left(failure),
      ),
    );

/** Answers a question about the graph as it is, or as it was at an instant. */
export const answerOf = <A>(
  graph: Graph,
  limits: AnswerLimits,
  at: Instant | null,
  reach: Reach,
  read: ReadAnswer<A>,
): TE.TaskEither<Failure, Settled<A>> =>
  at === null
    ? pipe(
        settledAnswer(graph, limits.seconds, reach, (tx) => read(tx, (key) => key)),
        orOfNewest(graph, limits, reach, read),
      )
    : pipe(
        answerAt(graph, limits, at, reach, read),
        TE.map((answered) => ({ ...answered, version: null })),
      );
