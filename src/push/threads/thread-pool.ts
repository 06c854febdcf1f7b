import type { MessagePort } from 'node:worker_threads';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { pool, Promise as PoolPromise } from 'workerpool';

import { type Graph, metBookmarks, shownBookmarks } from '../../neo4j/driver';
import { isOutageFailure, NoAnswer } from '../../neo4j/failure';
import { errorFields, type Log, type LogFields } from '../../log';
import { buffersOf, type LendAccess } from '../../questions/changes/contract';
import type { Failure } from '../../problem';
import { youngBytes } from '../../memory/memory-plan';
import { fromSerializable } from '../../neo4j/thread-failure';
import { keyShare, Turns } from '../../web/admission/turns';

/** How many threads there are, and what each may use. */
export interface ThreadOptions {
  readonly threads: number;
  /** Bytes of JavaScript objects that a thread may hold. */
  readonly memoryBytes: number;
  /** Seconds that a task may run. Each note from its thread starts them again. */
  readonly seconds: number;
  /** How many tasks may wait for a thread. One key may have half of them. */
  readonly waiting: number;
}

/** A task for a thread, with the bookmarks of the writes that the thread must see. */
export interface ThreadTask<S> {
  readonly sent: S;
  readonly bookmarks: readonly string[];
}

/** The answer of a thread. The cause of a failure is an error without its class. */
export interface ThreadAnswer<A> {
  readonly outcome:
    | { readonly _tag: 'Left'; readonly left: Failure }
    | { readonly _tag: 'Right'; readonly right: A };
  readonly bookmarks: readonly string[];
}

/** What a thread sends in addition to its answer. */
export interface ThreadNote {
  /** `begun` starts the time of the task and logs nothing. */
  readonly level: 'info' | 'error' | 'begun';
  readonly message: string;
  readonly fields: LogFields;
}

/** A thread wants a copy of the access graph. It gets it on this port, which it closes afterwards. */
export interface CopyWanted {
  readonly level: 'copy';
  readonly port: MessagePort;
}

/**
 * Worker threads with their own connections to Neo4j. A thread starts when the pool needs it. The
 * pool replaces a thread that ends.
 */
export interface ThreadPool {
  /**
   * Runs a method of the worker in a thread. The thread takes over the buffers. The task waits if
   * no thread is free. It counts in the share of its key: half of the threads, and half of the
   * places to wait.
   */
  readonly run: <A>(
    key: string,
    method: string,
    sent: unknown,
    buffers: readonly ArrayBuffer[],
    fields: LogFields,
  ) => TE.TaskEither<Failure, A>;
  /** How many tasks run, and how many wait for a thread. */
  readonly load: () => { readonly busy: number; readonly waiting: number };
  /** Ends all threads at once, even while they work. */
  readonly stop: () => Promise<void>;
}

const MEBIBYTE = 1024 ** 2;

const WHAT_STANDS =
  'Its data source holds what it held before, or is PENDING if a chunked push had begun.';

const OUT_OF_MEMORY: Failure = {
  _tag: 'TooLarge',
  message:
    'The push needs more memory than it may take. Give the service more memory (the limit of its container, or MEMORY), or push less at once. ' +
    WHAT_STANDS,
};

const TOO_LONG: Failure = {
  _tag: 'Unavailable',
  message:
    'The push took longer than it may run in a thread, so the service ended the thread. Push less at once. ' +
    WHAT_STANDS,
};

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

const isCancelled = (error: unknown): boolean =>
  error instanceof PoolPromise.CancellationError || error instanceof PoolPromise.TimeoutError;

const threadFailure = (error: unknown): Failure =>
  isCancelled(error)
    ? TOO_LONG
    : codeOf(causeOf(error)) === 'ERR_WORKER_OUT_OF_MEMORY'
      ? OUT_OF_MEMORY
      : { _tag: 'Internal', message: 'The service failed.', cause: causeOf(error) ?? error };

/** How messages name the tasks of a pool. */
export interface PoolWords {
  /** The name of the threads in the log. */
  readonly kind: string;
  /** The answers when too many tasks wait: of all keys, or of one. */
  readonly full: Failure;
  readonly keyFull: Failure;
}

/** Lends a copy to a thread until the thread closes the port, or its task ends. */
const lendTo = async (
  port: MessagePort,
  lendAccess: LendAccess,
  ended: Promise<void>,
): Promise<void> => {
  const closed = new Promise<void>((resolve) => port.once('close', resolve));
  const lent = await lendAccess();
  if (lent === null) {
    port.postMessage(null);
    return;
  }
  const { release, ...copied } = lent;
  try {
    port.postMessage(copied, [...buffersOf(copied.opened)]);
    await Promise.race([closed, ended]);
  } finally {
    release();
  }
};

/** Starts a pool of threads that run a file. */
export const threadPool = (
  graph: Graph,
  file: string,
  workerData: object,
  { threads, memoryBytes, seconds, waiting }: ThreadOptions,
  log: Log,
  { kind, full, keyFull }: PoolWords,
  lendAccess: LendAccess = () => Promise.resolve(null),
): ThreadPool => {
  const started = pool(file, {
    workerType: 'thread',
    maxWorkers: threads,
    workerThreadOpts: {
      workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.ceil(memoryBytes / MEBIBYTE),
        maxYoungGenerationSizeMb: Math.ceil(youngBytes(memoryBytes) / MEBIBYTE),
      },
    },
  });

  // The pool has a free thread for each task that has its turn.
  const turns = new Turns({
    atOnce: threads,
    ofKey: keyShare(threads),
    places: { most: waiting, full, keyFull },
  });

  const asked = async <A>(
    method: string,
    sent: unknown,
    buffers: readonly ArrayBuffer[],
  ): Promise<ThreadAnswer<A>> => {
    const task: ThreadTask<unknown> = { sent, bookmarks: await shownBookmarks(graph) };
    let timer: NodeJS.Timeout | undefined;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const answer = started.exec(method, [task], {
      transfer: [...buffers],
      on: (note: ThreadNote | CopyWanted) => {
        if (note.level === 'copy') void lendTo(note.port, lendAccess, ended);
        else if (note.level !== 'begun') log[note.level](note.message, note.fields);
        // A thread that keeps the processor busy cannot end itself.
        clearTimeout(timer);
        timer = setTimeout(() => void answer.cancel(), seconds * 1000);
      },
    });
    try {
      return (await answer) as ThreadAnswer<A>;
    } finally {
      clearTimeout(timer);
      end();
    }
  };

  return {
    run: <A>(
      key: string,
      method: string,
      sent: unknown,
      buffers: readonly ArrayBuffer[],
      fields: LogFields,
    ): TE.TaskEither<Failure, A> => {
      const task = pipe(
        TE.tryCatch(
          () => asked<A>(method, sent, buffers),
          (error) => {
            log.error(`a ${kind} thread ended`, {
              ...fields,
              ...errorFields(causeOf(error) ?? error),
            });
            return threadFailure(error);
          },
        ),
        // Later sessions of this thread see what the other thread wrote.
        TE.tapTask(
          ({ bookmarks }) =>
            () =>
              metBookmarks(graph, bookmarks),
        ),
        TE.flatMapEither(({ outcome }) => outcome),
        TE.mapLeft(fromSerializable),
        // The thread has its own connections, so this thread reports the outage.
        TE.tapError((failure) =>
          TE.fromIO(() => {
            if (isOutageFailure(failure)) graph.onOutage(new NoAnswer());
          }),
        ),
      );
      return turns.run({ key }, task);
    },
    load: () => ({ busy: turns.count, waiting: turns.waitingCount }),
    stop: async () => {
      await started.terminate(true);
    },
  };
};
