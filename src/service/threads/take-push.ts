import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Uploads } from '../../graph/records/uploads';
import type { Failure } from '../../problem';
import { type PlanDependencies, planPush } from '../plan/plan-push';
import { pushMetadata } from '../push/push-metadata';
import type { PushQueue } from './push-queue';
import type { PushMetadata } from '../receive/push-intent';
import type { PushSizes } from '../receive/push-sizes';
import type { PushThreads } from './push-threads';
import { readPayload, sentBytes, type SentPlan, type SentPush } from '../receive/sent-push';
import { type TakenPlan, takenPlan } from '../plan/taken-plan';
import type { TakenPush } from '../push/taken-push';

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
  /** Parts of payloads that did not come whole. */
  readonly uploads: Pick<Uploads, 'bytes'>;
  /** `null` where all pushes run in the thread that takes them. */
  readonly large: LargePushes | null;
  /** For those that run in the thread that takes them. */
  readonly queue: PushQueue;
}

type TakeHere = Omit<TakePushDependencies, 'large' | 'queue'>;

/** A push that is too large to be read where that was tried. */
class TooLargeHere {
  constructor(readonly failure: Failure) {}
}

/** What is done with a push whose payload has been read. */
type Run<S extends SentPush, A> = (
  push: S & Pick<PushMetadata, 'json'>,
  dependencies: PlanDependencies,
) => TE.TaskEither<Failure, A>;

const runPush: Run<SentPush, TakenPush> = (request, push) => pushMetadata(push)(request);

const runPlan: Run<SentPlan, TakenPlan> = (request, push) =>
  pipe(planPush(push)(request), TE.map(takenPlan));

const takeHere =
  <S extends SentPush, A>(run: Run<S, A>, { push, sizes, uploads }: TakeHere) =>
  (sent: S): TE.TaskEither<Failure, A | TooLargeHere> =>
  async () => {
    const since = performance.now();
    const json = await readPayload(sent, sizes, uploads)();
    if (E.isLeft(json)) {
      return json.left._tag === 'TooLarge' ? E.right(new TooLargeHere(json.left)) : json;
    }
    const took = (sent.seconds.read ?? 0) + (performance.now() - since) / 1000;
    const seconds = { ...sent.seconds, read: took };
    const metadata = { ...sent, json: json.right, seconds };
    const done = await run(metadata, push)();
    // Small as it was sent, and more work than this thread takes on.
    return E.isLeft(done) && done.left._tag === 'TooLarge'
      ? E.right(new TooLargeHere(done.left))
      : done;
  };

/** Takes a push in the one thread there is for it. */
const orRefuse =
  <S, A>(take: (sent: S) => TE.TaskEither<Failure, A | TooLargeHere>) =>
  (sent: S): TE.TaskEither<Failure, A> =>
    pipe(
      take(sent),
      TE.flatMap((taken) =>
        taken instanceof TooLargeHere ? TE.left(taken.failure) : TE.right(taken),
      ),
    );

/** Reads a push and runs it, in this very thread. */
export const takePushHere = (dependencies: TakeHere) =>
  orRefuse(takeHere<SentPush, TakenPush>(runPush, dependencies));

/** Reads a push and plans it, in this very thread. */
export const takePlanHere = (dependencies: TakeHere) =>
  orRefuse(takeHere<SentPlan, TakenPlan>(runPlan, dependencies));

const take =
  <S extends SentPush, A>(
    run: Run<S, A>,
    inThread: (threads: PushThreads, sent: S) => TE.TaskEither<Failure, A>,
  ) =>
  ({ large, queue, ...here }: TakePushDependencies): ((sent: S) => TE.TaskEither<Failure, A>) => {
    // Nothing is uncompressed before its turn: of those that wait only what was sent is held.
    const inTurn = <B>(sent: S, push: TE.TaskEither<Failure, B>): TE.TaskEither<Failure, B> =>
      queue.run(sent.source.dataSource.id, push);
    if (large === null) {
      const all = orRefuse(takeHere<S, A>(run, here));
      return (sent) => inTurn(sent, all(sent));
    }
    const { threads, fromBytes } = large;
    const sizes: PushSizes = {
      ...here.sizes,
      bodyBytes: Math.min(fromBytes, here.sizes.bodyBytes),
      jsonBytes: Math.min(fromBytes, here.sizes.jsonBytes),
    };
    const small = takeHere<S, A>(run, { ...here, sizes });
    return (sent) => {
      if (sentBytes(sent) > sizes.bodyBytes) return inThread(threads, sent);
      return pipe(
        inTurn(sent, small(sent)),
        TE.flatMap((taken) =>
          taken instanceof TooLargeHere ? inThread(threads, sent) : TE.right(taken),
        ),
      );
    };
  };

/**
 * Takes a push as it was sent. A large one runs in a thread of its own, so that other requests are answered meanwhile: one that is large as it
 * comes, or turns out to be when it is uncompressed.
 */
export const takePush = take(runPush, (threads, sent) => threads.take(sent));

/** Takes a push of which only the effect is asked for, like one that is meant (docs/rules.md: Plans). */
export const takePlan = take(runPlan, (threads, sent) => threads.plan(sent));
