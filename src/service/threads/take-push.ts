import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Uploads } from '../../graph/records/uploads';
import type { Failure } from '../../problem';
import { type PlanDependencies, planPush } from '../plan/plan-push';
import { pushAgain, pushMetadata } from '../push/push-metadata';
import type { PushQueue } from './push-queue';
import type { PushMetadata } from '../receive/push-intent';
import type { PushSizes } from '../receive/push-sizes';
import type { PushThreads } from './push-threads';
import {
  readPayload,
  requestDigest,
  sentBytes,
  type SentPlan,
  type SentPush,
} from '../receive/sent-push';
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

/** What is done with a push. */
interface Run<S extends SentPush, A> {
  /** Once its payload has been read. */
  readonly read: (
    push: S & Pick<PushMetadata, 'json' | 'request'>,
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

const takeHere =
  <S extends SentPush, A>(run: Run<S, A>, { push, sizes, uploads }: TakeHere) =>
  (sent: S): TE.TaskEither<Failure, A | TooLargeHere> => {
    const request = requestDigest(sent);
    const reading: TE.TaskEither<Failure, A | TooLargeHere> = async () => {
      const since = performance.now();
      const json = await readPayload(sent, sizes, uploads)();
      if (E.isLeft(json)) {
        return json.left._tag === 'TooLarge' ? E.right(new TooLargeHere(json.left)) : json;
      }
      const took = (sent.seconds.read ?? 0) + (performance.now() - since) / 1000;
      const seconds = { ...sent.seconds, read: took };
      const metadata = { ...sent, json: json.right, request, seconds };
      const done = await run.read(metadata, push)();
      // Small as it was sent, and more work than this thread takes on.
      return E.isLeft(done) && done.left._tag === 'TooLarge'
        ? E.right(new TooLargeHere(done.left))
        : done;
    };
    const unread = run.unread(sent, request, push);
    if (unread === null) return reading;
    return pipe(
      unread,
      TE.flatMap((done) => (done === null ? reading : TE.right(done))),
    );
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
 * comes, or turns out to be when it is uncompressed. One that is known is not read at all.
 */
export const takePush = take(runPush, (threads, sent) => threads.take(sent));

/** Takes a push of which only the effect is asked for, like one that is meant (docs/rules.md: Plans). */
export const takePlan = take(runPlan, (threads, sent) => threads.plan(sent));
