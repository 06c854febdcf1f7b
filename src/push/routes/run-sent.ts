import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../context';
import type { Failure } from '../../problem';
import { pushLineOf } from '../contract';
import type { PlanResult } from '../plan/plan-result';
import type { PushIntent } from '../receive/push-intent';
import type { SentPlan, SentPush } from '../receive/sent-push';
import type { AcceptedPush } from '../run/accepted-push';
import { logPush } from './push-answer';

/** To what a push is sent, and by which request. */
type Addressed = Pick<PushIntent, 'source' | 'requestId'>;

/** Runs a push once it is received, and logs how it ended. */
export const runSent = (
  context: Context,
  { source, requestId }: Addressed,
  received: TE.TaskEither<Failure, SentPush>,
): TE.TaskEither<Failure, AcceptedPush> => {
  const { done, failed } = logPush(context.log, source, requestId);
  return pipe(
    received,
    TE.flatMap((sent) => pushLineOf(context).take(sent)),
    TE.tapIO((result) => () => done(result)),
    TE.tapError((failure) => TE.fromIO(() => failed(failure))),
  );
};

/** Runs a push dry once it is received, and logs how that ended. */
export const planSent = (
  context: Context,
  { source, requestId }: Addressed,
  received: TE.TaskEither<Failure, SentPlan>,
): TE.TaskEither<Failure, PlanResult> => {
  const { planned, failed } = logPush(context.log, source, requestId, 'plan of a push');
  return pipe(
    received,
    TE.flatMap((sent) => pushLineOf(context).plan(sent)),
    TE.tapIO((result) => () => planned(result)),
    TE.tapError((failure) => TE.fromIO(() => failed(failure))),
  );
};
