import type { NameLimits } from '../../check/property-names';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { pool, Promise as PoolPromise } from 'workerpool';

import {
  type Graph,
  type GraphAddress,
  metBookmarks,
  shownBookmarks,
} from '../../graph/connection/driver';
import { isOutageFailure, NoAnswer } from '../../graph/connection/failure';
import type { TakenOver } from '../../graph/push/chunked-pushes';
import type { PushLimits } from '../../graph/push/store';
import { errorFields, type Log } from '../../log';
import type { Failure } from '../../problem';
import { youngSpaceBytes } from '../receive/memory-plan';
import type { MassDeleteFuse } from '../change/removal-guard';
import type { ElementLimits, PartLimits } from '../change/push-dependencies';
import type { PushSizes } from '../receive/push-sizes';
import type { SentPlan, SentPush } from '../receive/sent-push';
import type { TakenPlan } from '../plan/taken-plan';
import type { TakenPush } from '../push/taken-push';
import { revived } from './thread-failure';

/** Threads in which large pushes run, each with connections of its own to the graph. */
export interface PushThreads {
  /** Runs a push in a thread, which takes its bytes over; one that finds no thread free waits. */
  take(push: SentPush): TE.TaskEither<Failure, TakenPush>;
  /** The same for one of which only the effect is asked for. */
  plan(push: SentPlan): TE.TaskEither<Failure, TakenPlan>;
  /** Goes on with a large push that was interrupted. */
  finish(taken: TakenOver): TE.TaskEither<Failure, void>;
  /** How many pushes run in threads, and how many wait for one. */
  readonly load: () => { readonly busy: number; readonly waiting: number };
  /** Ends all threads, whatever they do. */
  readonly stop: () => Promise<void>;
}

/** How many threads there are, and what each may use. */
export interface ThreadOptions {
  readonly threads: number;
  /** Bytes of JavaScript objects that a thread may hold. */
  readonly memoryBytes: number;
  /** How long a push may run in one, and again between two signs that one in parts gets further. */
  readonly seconds: number;
  /** Pushes that may wait for a thread. */
  readonly waiting: number;
}

/** What a thread needs to know to run pushes. */
export interface ThreadSettings {
  readonly graph: GraphAddress;
  readonly limits: PushLimits;
  readonly resourceDepth: number;
  readonly names: NameLimits;
  readonly fuse: MassDeleteFuse;
  readonly elements: ElementLimits;
  readonly parts: PartLimits;
  /** Changes that each list of a plan tells. */
  readonly listedChanges: number;
  readonly sizes: PushSizes;
}

/** What a thread can be asked for. */
type ThreadMethod = 'take' | 'plan' | 'finish';

/** What a thread is asked: a push, and what it must be able to see in the graph. */
export interface ThreadTask<S> {
  readonly push: S;
  readonly bookmarks: readonly string[];
}

/** What a thread answers; a failure's cause is an error without its class. */
export interface ThreadAnswer<A> {
  readonly outcome:
    | { readonly _tag: 'Left'; readonly left: Failure }
    | { readonly _tag: 'Right'; readonly right: A };
  readonly bookmarks: readonly string[];
}

/** What a thread may tell the log beside its answer. */
export interface ThreadNote {
  /** `begun` says nothing to the log: from then on the thread's time runs. */
  readonly level: 'info' | 'error' | 'begun';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const MEBIBYTE = 1024 ** 2;

const FULL: Failure = {
  _tag: 'Exhausted',
  message: 'Too many large pushes are waiting; try again later.',
  retryAfterSeconds: 60,
};

const OUT_OF_MEMORY: Failure = {
  _tag: 'TooLarge',
  message:
    'The push needs more memory than one may take: give the service more (the limit of its container, or MEMORY), or push less at once. Its data source holds what it held, or is PENDING if the push had begun to be applied in parts.',
};

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/**
 * A push makes many objects that live for a moment; with room for them a third less time goes into it (docs/performance.md). A small part of what a
 * thread may hold: they are old at once when that comes to its end, and where they are more than what is left the whole process ends.
 */
const roomFlags = (memoryBytes: number): readonly string[] => {
  const room = Math.floor(youngSpaceBytes(memoryBytes) / MEBIBYTE);
  return [`--min-semi-space-size=${room}`, `--max-semi-space-size=${room}`];
};

const TOO_LONG: Failure = {
  _tag: 'Unavailable',
  message:
    'The push took longer than one may run in a thread, and its thread was ended: push less at once. Its data source holds what it held, or is PENDING if the push had begun to be applied in parts.',
};

const isCancelled = (error: unknown): boolean =>
  error instanceof PoolPromise.CancellationError || error instanceof PoolPromise.TimeoutError;

const threadFailure = (error: unknown): Failure =>
  isCancelled(error)
    ? TOO_LONG
    : codeOf(causeOf(error)) === 'ERR_WORKER_OUT_OF_MEMORY'
      ? OUT_OF_MEMORY
      : { _tag: 'Internal', message: 'The service failed.', cause: causeOf(error) ?? error };

const buffersOf = (sent: SentPush): readonly ArrayBuffer[] =>
  sent.holds === 'envelope' ? sent.body.map(({ buffer }) => buffer) : [];

/** Threads on a graph; they start when they are needed, and one that ends is replaced. */
export const pushThreads = (
  graph: Graph,
  settings: ThreadSettings,
  { threads, memoryBytes, seconds, waiting }: ThreadOptions,
  log: Log,
): PushThreads => {
  // Flags are read when a thread starts: that which answers requests takes no more than it needs.
  for (const flag of roomFlags(memoryBytes)) setFlagsFromString(flag);
  const started = pool(join(__dirname, 'push-thread.js'), {
    workerType: 'thread',
    maxWorkers: threads,
    workerThreadOpts: {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / MEBIBYTE) },
    },
  });
  const note = ({ level, message, fields }: ThreadNote): void => {
    if (level !== 'begun') log[level](message, fields);
  };

  const run = async <S, A>(
    method: ThreadMethod,
    push: S,
    transfer: readonly ArrayBuffer[],
  ): Promise<ThreadAnswer<A>> => {
    const task: ThreadTask<S> = { push, bookmarks: await shownBookmarks(graph) };
    let timer: NodeJS.Timeout | undefined;
    const answer = started.exec(method, [task], {
      transfer: [...transfer],
      on: (told: ThreadNote) => {
        note(told);
        // One that never lets go of the processor cannot end itself.
        clearTimeout(timer);
        timer = setTimeout(() => void answer.cancel(), seconds * 1000);
      },
    });
    try {
      return (await answer) as ThreadAnswer<A>;
    } finally {
      clearTimeout(timer);
    }
  };

  const take = <S, A>(
    method: ThreadMethod,
    push: S,
    requestId: string,
    transfer: readonly ArrayBuffer[],
  ): TE.TaskEither<Failure, A> => {
    const { pendingTasks, busyWorkers } = started.stats();
    if (busyWorkers >= threads && pendingTasks >= waiting) return TE.left(FULL);
    return pipe(
      TE.tryCatch(
        () => run<S, A>(method, push, transfer),
        (error) => {
          log.error('a push thread ended', {
            request_id: requestId,
            ...errorFields(causeOf(error) ?? error),
          });
          return threadFailure(error);
        },
      ),
      // What the push wrote is seen by all that comes after it.
      TE.tapTask(
        ({ bookmarks }) =>
          () =>
            metBookmarks(graph, bookmarks),
      ),
      TE.flatMapEither(({ outcome }) => outcome),
      TE.mapLeft(revived),
      // The thread has connections of its own, and nobody listens there.
      TE.tapError((failure) =>
        TE.fromIO(() => {
          if (isOutageFailure(failure)) graph.onOutage(new NoAnswer());
        }),
      ),
    );
  };

  return {
    take: (push) => take('take', push, push.requestId, buffersOf(push)),
    plan: (push) => take('plan', push, push.requestId, buffersOf(push)),
    finish: (taken) => take('finish', taken, taken.record.request_id, []),
    load: () => {
      const { pendingTasks, busyWorkers } = started.stats();
      return { busy: busyWorkers, waiting: pendingTasks };
    },
    stop: async () => {
      await started.terminate(true);
    },
  };
};
