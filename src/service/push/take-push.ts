import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { type PlanDependencies, planPush } from './plan-push';
import { pushAgain, pushMetadata } from './push-metadata';
import type { PushQueue } from './push-queue';
import type { PushMetadata } from './push-request';
import type { PushThreads } from './push-threads';
import {
  type PushSizes,
  readPayload,
  requestDigest,
  type SentPlan,
  type SentPush,
} from './sent-push';
import { type TakenPlan, takenPlan } from './taken-plan';
import type { TakenPush } from './taken-push';

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

/** What is done with a push. */
interface Run<S extends SentPush, A> {
  /** Once its payload has been read. */
  readonly read: (
    push: S & PushMetadata,
    dependencies: PlanDependencies,
  ) => TE.TaskEither<Failure, A>;
  /** Without that, where it may be known what it comes to; `null` where it is not. */
  readonly unread: (
    push: S,
    request: string,
    dependencies: PlanDependencies,
  ) => TE.TaskEither<Failure, A | null> | null;
}

const runPush: Run<SentPush, TakenPush> = {
  read: (request, push) => pushMetadata(push)(request),
  unread: (sent, request, push) => pushAgain(push)(sent, request),
};

const runPlan: Run<SentPlan, TakenPlan> = {
  read: (request, push) => pipe(planPush(push)(request), TE.map(takenPlan)),
  unread: () => null,
};

/** How a push waits for its turn, and what becomes of one that cannot be read here. */
interface Manner<S extends SentPush, A> {
  readonly inTurn: <B>(sent: S, push: TE.TaskEither<Failure, B>) => TE.TaskEither<Failure, B>;
  readonly unreadable: (sent: S, failure: Failure) => TE.TaskEither<Failure, A>;
}

const takeHere =
  <S extends SentPush, A>(
    run: Run<S, A>,
    { push, sizes }: TakeHere,
    { inTurn, unreadable }: Manner<S, A>,
  ) =>
  (sent: S): TE.TaskEither<Failure, A> => {
    const request = requestDigest(sent);
    const reading: TE.TaskEither<Failure, A> = async () => {
      const since = performance.now();
      const json = await readPayload(sent, sizes)();
      if (E.isLeft(json)) return unreadable(sent, json.left)();
      const read = (sent.seconds.read ?? 0) + (performance.now() - since) / 1000;
      const seconds = { ...sent.seconds, read };
      const done = await inTurn(
        sent,
        run.read({ ...sent, json: json.right, request, seconds }, push),
      )();
      // Small as it was sent, and more work than this thread takes on.
      return E.isLeft(done) && done.left._tag === 'TooLarge' ? unreadable(sent, done.left)() : done;
    };
    const unread = run.unread(sent, request, push);
    if (unread === null) return reading;
    return pipe(
      inTurn(sent, unread),
      TE.flatMap((done) => (done === null ? reading : TE.right(done))),
    );
  };

const AT_ONCE: Manner<SentPush, never> = {
  inTurn: (_sent, push) => push,
  unreadable: (_sent, failure) => TE.left(failure),
};

/** Reads a push and runs it, in this very thread. */
export const takePushHere = (dependencies: TakeHere) =>
  takeHere<SentPush, TakenPush>(runPush, dependencies, AT_ONCE);

/** Reads a push and plans it, in this very thread. */
export const takePlanHere = (dependencies: TakeHere) =>
  takeHere<SentPlan, TakenPlan>(runPlan, dependencies, AT_ONCE);

const take =
  <S extends SentPush, A>(
    run: Run<S, A>,
    inThread: (threads: PushThreads, sent: S) => TE.TaskEither<Failure, A>,
  ) =>
  ({ large, queue, ...here }: TakePushDependencies): ((sent: S) => TE.TaskEither<Failure, A>) => {
    const inTurn = <B>(sent: S, push: TE.TaskEither<Failure, B>): TE.TaskEither<Failure, B> =>
      queue.run(sent.source.dataSource.id, push);
    if (large === null) return takeHere<S, A>(run, here, { ...AT_ONCE, inTurn });
    const { threads, fromBytes } = large;
    const sizes: PushSizes = {
      bodyBytes: Math.min(fromBytes, here.sizes.bodyBytes),
      jsonBytes: Math.min(fromBytes, here.sizes.jsonBytes),
    };
    const small = takeHere<S, A>(
      run,
      { ...here, sizes },
      {
        inTurn,
        unreadable: (sent, failure) =>
          failure._tag === 'TooLarge' ? inThread(threads, sent) : TE.left(failure),
      },
    );
    return (sent) => {
      const bytes = sent.body.reduce((sum, block) => sum + block.length, 0);
      return bytes > sizes.bodyBytes ? inThread(threads, sent) : small(sent);
    };
  };

/**
 * Takes a push as it was sent. A large one runs in a thread of its own, so that other requests are answered meanwhile: one that is large as it
 * comes, or turns out to be when it is uncompressed. One that is known is not read at all.
 */
export const takePush = take(runPush, (threads, sent) => threads.take(sent));

/** Takes a push of which only the effect is asked for, like one that is meant (api.md 7: plan). */
export const takePlan = take(runPlan, (threads, sent) => threads.plan(sent));
