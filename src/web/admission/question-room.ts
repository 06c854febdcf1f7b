import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure, StillRunning } from '../../problem';
import type { KeyAct } from '../../graph/records/event-record';
import { keyOf, Turns } from './turns';
import { leavingOf } from '../exchange/answer-stream';
import type { Handle } from '../exchange/handle';
import { actOf, callerOf } from './caller';
import { whileWanted } from '../../neo4j/unwanted';

/** Answers a question for as long as somebody waits for the answer. */
export const askedWhileWanted =
  <A>(unwanted: AbortSignal, question: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  () =>
    whileWanted(unwanted, question);

/** How many questions of some kind may run at once. */
export interface QuestionLimits {
  readonly questionsAtOnce: number;
  readonly questionsOfKey: number;
  /** How long a question waits until it may run. */
  readonly questionWaitSeconds: number;
  /** What the questions are, in messages. */
  readonly kind?: 'questions' | 'queries in Cypher';
}

/** Reports a question that Neo4j has not ended after its limit. */
export type TellOverdue = (act: KeyAct, overdue: StillRunning) => void;

/**
 * Makes handlers of questions. The service runs a limited number at once, for each key and in all;
 * others wait for a short while. So slow questions of one key do not stop those of other keys. A question
 * ends when its client leaves.
 */
export const questionHandler = (
  handle: Handle,
  { questionsAtOnce, questionsOfKey, questionWaitSeconds, kind = 'questions' }: QuestionLimits,
  tellOverdue: TellOverdue,
): Handle => {
  const turns = new Turns({
    atOnce: questionsAtOnce,
    ofKey: questionsOfKey,
    patience: {
      seconds: questionWaitSeconds,
      keyBusy: `The key has ${questionsOfKey} ${kind} running; ask again when one is answered.`,
      allBusy: `The service has ${questionsAtOnce} ${kind} running; ask again later.`,
    },
  });
  return (work) =>
    handle((req, res) =>
      turns.run(
        { key: keyOf(callerOf(res)) },
        pipe(
          askedWhileWanted(leavingOf(res), work(req, res)),
          TE.tapError((failure) => {
            if (failure._tag === 'Unavailable' && failure.stillRunning?.isOverdue === true) {
              tellOverdue(actOf(res), failure.stillRunning);
            }
            return TE.right(undefined);
          }),
        ),
      ),
    );
};
