import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Uploads } from '../graph/uploads';
import type { Failure } from '../../problem';
import { type PlanDependencies, planPush } from '../plan/plan-push';
import { type PlanResult, planResult } from '../plan/plan-result';
import { runPush } from '../run/run-push';
import type { AcceptedPush } from '../run/accepted-push';
import type { PushSizes } from '../receive/push-sizes';
import {
  type ReadPush,
  readPayload,
  sentBytes,
  type SentPlan,
  type SentPush,
} from '../receive/sent-push';
import type { PushThreads } from './push-threads';
import { keyOf, type Turns } from '../../web/admission/turns';

/** The push threads, and the size from which pushes run there. */
export interface PushThreadChoice {
  readonly threads: PushThreads;
  /** A push with more bytes is large. */
  readonly fromBytes: number;
}

/** What a thread needs to run pushes. */
export interface TakeHere {
  readonly push: PlanDependencies;
  readonly sizes: PushSizes;
  /** Where the parts of multipart uploads are. */
  readonly uploads: Pick<Uploads, 'bytes'>;
}

/** What the main thread needs to run pushes. */
export interface TakePushDependencies extends TakeHere {
  /** `null` if all pushes run in this thread. */
  readonly large: PushThreadChoice | null;
  /** Turns of the pushes that run in this thread. */
  readonly turns: Turns;
}

/** Reads the payload of a push. */
const read =
  <S extends SentPush>({ sizes, uploads }: TakeHere, sent: S) =>
  async (): Promise<E.Either<Failure, S & ReadPush>> => {
    const since = performance.now();
    const payload = await readPayload(sent, sizes, uploads)();
    if (E.isLeft(payload)) return payload;
    const took = (sent.seconds.read ?? 0) + (performance.now() - since) / 1000;
    return E.right({ ...sent, ...payload.right, seconds: { ...sent.seconds, read: took } });
  };

/** Reads a push and runs it in this thread. */
export const takePushHere =
  (here: TakeHere) =>
  (sent: SentPush): TE.TaskEither<Failure, AcceptedPush> =>
    pipe(read(here, sent), TE.flatMap(runPush(here.push)));

/** Reads a push and runs it dry in this thread. */
export const takePlanHere =
  (here: TakeHere) =>
  (sent: SentPlan): TE.TaskEither<Failure, PlanResult> =>
    pipe(
      read(here, sent),
      TE.flatMap(planPush(here.push)),
      TE.map((plan) => planResult(plan, sent)),
    );

const take =
  <S extends SentPush, A>(
    takeHere: (here: TakeHere) => (sent: S) => TE.TaskEither<Failure, A>,
    inThread: (threads: PushThreads, sent: S) => TE.TaskEither<Failure, A>,
  ) =>
  ({ large, turns, ...here }: TakePushDependencies): ((sent: S) => TE.TaskEither<Failure, A>) => {
    // While a push waits, it stays as it was sent. The thread uncompresses it when its turn comes.
    const inTurn =
      (sizes: PushSizes) =>
      (sent: S): TE.TaskEither<Failure, A> =>
        turns.run({ key: keyOf(sent.by), dataSource: sent.source.dataSource.id }, () =>
          takeHere({ ...here, sizes })(sent)(),
        );
    if (large === null) return inTurn(here.sizes);
    const { threads, fromBytes } = large;
    const small = inTurn({
      ...here.sizes,
      bodyBytes: Math.min(fromBytes, here.sizes.bodyBytes),
      jsonBytes: Math.min(fromBytes, here.sizes.jsonBytes),
    });
    return (sent) =>
      sentBytes(sent) > fromBytes
        ? inThread(threads, sent)
        : pipe(
            small(sent),
            // The push may be too large when it is uncompressed, or too much work for this thread.
            TE.orElse((failure) =>
              failure._tag === 'TooLarge' ? inThread(threads, sent) : TE.left(failure),
            ),
          );
  };

/**
 * Runs a push as it was sent. A large push runs in a push thread, so that the service answers other
 * requests in the meantime. A push may be large as sent, or turn out to be large.
 */
export const takePush = take(takePushHere, (threads, sent) => threads.take(sent));

/** Takes a dry run, in the same way as a push (docs/rules.md: Plans). */
export const takePlan = take(takePlanHere, (threads, sent) => threads.plan(sent));
