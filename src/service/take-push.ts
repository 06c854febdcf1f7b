import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../problem';
import { type PlanDependencies, planPush } from './plan-push';
import { pushMetadata } from './push-metadata';
import type { PushQueue } from './push-queue';
import type { PushMetadata } from './push-request';
import type { PushThreads } from './push-threads';
import { type PushSizes, readPayload, type SentPlan, type SentPush } from './sent-push';
import { type TakenPlan, takenPlan } from './taken-plan';
import { type TakenPush, takenPush } from './taken-push';

/** Threads for large pushes. */
export interface LargePushes {
  readonly threads: PushThreads;
  /** Bytes from which on a push is large. */
  readonly fromBytes: number;
}

/** What taking pushes needs. */
export interface TakePushDependencies {
  readonly push: PlanDependencies;
  readonly sizes: PushSizes;
  /** `null` where all pushes run in the thread that takes them. */
  readonly large: LargePushes | null;
  /** For those that run in the thread that takes them. */
  readonly queue: PushQueue;
}

type TakeHere = Omit<TakePushDependencies, 'large' | 'queue'>;

/** What is done with a payload that has been read. */
type Run<S extends SentPush, A> = (
  request: S & PushMetadata,
  dependencies: PlanDependencies,
) => TE.TaskEither<Failure, A>;

const runPush: Run<SentPush, TakenPush> = (request, push) =>
  pipe(pushMetadata(push)(request), TE.map(takenPush));

const runPlan: Run<SentPlan, TakenPlan> = (request, push) =>
  pipe(planPush(push)(request), TE.map(takenPlan));

const ran = <S extends SentPush, A>(
  run: Run<S, A>,
  { push }: TakeHere,
  sent: S,
  json: string,
  readingSince: number,
): TE.TaskEither<Failure, A> => {
  const read = (sent.seconds.read ?? 0) + (performance.now() - readingSince) / 1000;
  return run({ ...sent, json, seconds: { ...sent.seconds, read } }, push);
};

const takeHere =
  <S extends SentPush, A>(run: Run<S, A>) =>
  (dependencies: TakeHere) =>
  (sent: S): TE.TaskEither<Failure, A> => {
    const since = performance.now();
    return pipe(
      readPayload(sent, dependencies.sizes),
      TE.flatMap((json) => ran(run, dependencies, sent, json, since)),
    );
  };

/** Reads a push and runs it, in this very thread. */
export const takePushHere = takeHere(runPush);

/** Reads a push and plans it, in this very thread. */
export const takePlanHere = takeHere(runPlan);

const take =
  <S extends SentPush, A>(
    run: Run<S, A>,
    inThread: (threads: PushThreads, sent: S) => TE.TaskEither<Failure, A>,
  ) =>
  ({ large, queue, ...here }: TakePushDependencies): ((sent: S) => TE.TaskEither<Failure, A>) => {
    const inTurn = (sent: S, push: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
      queue.run(sent.source.dataSource.id, push);
    if (large === null) return (sent) => inTurn(sent, takeHere(run)(here)(sent));
    const { threads, fromBytes } = large;
    const small: PushSizes = {
      bodyBytes: Math.min(fromBytes, here.sizes.bodyBytes),
      jsonBytes: Math.min(fromBytes, here.sizes.jsonBytes),
    };
    return (sent) => {
      const since = performance.now();
      const bytes = sent.body.reduce((sum, block) => sum + block.length, 0);
      if (bytes > small.bodyBytes) return inThread(threads, sent);
      return pipe(
        readPayload(sent, small),
        TE.matchE(
          (failure) => (failure._tag === 'TooLarge' ? inThread(threads, sent) : TE.left(failure)),
          (json) => inTurn(sent, ran(run, here, sent, json, since)),
        ),
      );
    };
  };

/**
 * Takes a push as it was sent. A large one runs in a thread of its own, so that other requests are answered meanwhile: one that is large as it
 * comes, or turns out to be when it is uncompressed.
 */
export const takePush = take(runPush, (threads, sent) => threads.take(sent));

/** Takes a push of which only the effect is asked for, like one that is meant (api.md 7: plan). */
export const takePlan = take(runPlan, (threads, sent) => threads.plan(sent));
