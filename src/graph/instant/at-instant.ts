import { randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { AsOf } from '../../contract/answers/page';
import type { Instant } from '../../model/instant';
import { badField, type Failure } from '../../problem';
import { INSTANT_ASKED, type Step } from '../../translate/questions/instant-statements';
import type { Graph } from '../connection/driver';
import { inTransaction, type Runner } from '../connection/transaction';
import { toDateTime } from '../connection/values';
import { stage } from './stage';
import { unstaged } from './unstaged';
import { type Asked, walk, WalkTooLong } from './walk';

/** What a question about an instant reads: where its walk begins, and the steps of the walk. */
export interface Reach {
  readonly asked: Asked;
  readonly steps: readonly Step[];
}

/** The limits of an answer about now or about an instant. */
export interface AnswerLimits {
  readonly seconds: number;
  /** How many relationships of then the service holds for one question. */
  readonly instantFacts: number;
}

/** An answer about an instant, and the newest push by then. */
export interface AnswerThen<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
}

const refused = (pointer: string, message: string): Failure =>
  badField(pointer, 'OUT_OF_RANGE', message);

const tooLong = (most: number): Failure => ({
  _tag: 'TooLarge',
  message: `The answer about that instant needs more than ${most} relationships (LIMIT_INSTANT_FACTS). Narrow the question.`,
});

/** The refusal of an instant before the history. It names the first instant. */
export const beforeHistory = (pointer: string, since: string | null): Failure =>
  refused(
    pointer,
    since === null
      ? 'names an instant, but this service keeps no history'
      : `lies before the history, which begins at ${since}`,
  );

/**
 * Answers a question about the graph of an instant. It stages the facts of then that the question
 * can reach, lets the statements of the live answer read them, and rolls all back. So one set of
 * rules answers both (docs/architecture.md: A question about an instant). `keyOf` gives the staged
 * key of a node. Refuses instants before the history and after now.
 */
export const answerAt = <A>(
  graph: Graph,
  { seconds: timeoutSeconds, instantFacts }: AnswerLimits,
  at: Instant,
  { asked, steps }: Reach,
  read: (tx: Runner, keyOf: (key: string) => string) => Promise<A>,
): TE.TaskEither<Failure, AnswerThen<A>> => {
  if (Date.parse(at.utc) > Date.now()) return TE.left(refused('/at', 'lies in the future'));
  return pipe(
    inTransaction(
      graph,
      { mode: 'write', end: 'rollback', timeoutSeconds },
      async (tx): Promise<AnswerThen<A> | Failure> => {
        const { records } = await tx.run<{
          since: string | null;
          is_kept: boolean;
          newest: readonly AsOf[];
        }>(INSTANT_ASKED, { at: toDateTime(at) });
        const [told] = records;
        if (told?.get('is_kept') !== true) return beforeHistory('/at', told?.get('since') ?? null);
        const prefix = `at ${randomUUID()} `;
        try {
          await stage(tx, at, await walk(tx, at, asked, steps, instantFacts), prefix);
        } catch (error) {
          if (error instanceof WalkTooLong) return tooLong(instantFacts);
          throw error;
        }
        const answer = await read(tx, (key) => prefix + key);
        return {
          answer: unstaged(answer, prefix) as A,
          asOf: told.get('newest')[0] ?? null,
        };
      },
    ),
    TE.flatMap((answered) => ('answer' in answered ? TE.right(answered) : TE.left(answered))),
  );
};
