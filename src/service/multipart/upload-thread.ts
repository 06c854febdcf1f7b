import { join } from 'node:path';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { pool } from 'workerpool';

import type { TakenPart } from '../../contract/answers/pushes';
import {
  type Graph,
  type GraphAddress,
  metBookmarks,
  shownBookmarks,
} from '../../graph/connection/driver';
import { isOutageFailure, NoAnswer } from '../../graph/connection/failure';
import { errorFields, type Log } from '../../log';
import type { Failure } from '../../problem';
import type { PartSizes } from './keep-part';
import { partHeapBytes } from '../receive/memory-plan';
import type { SentBody } from '../receive/sent-body';
import { revived } from '../threads/thread-failure';

/** A thread that reads and keeps large parts of payloads, one after the other; it waits for no push. */
export interface UploadThread {
  /** Keeps the part that a body holds; the thread takes its bytes over. */
  keep(dataSource: string, sent: SentBody): TE.TaskEither<Failure, TakenPart>;
  /** Ends it, whatever it does. */
  readonly stop: () => Promise<void>;
}

/** What the thread needs to know. */
export interface UploadThreadSettings {
  readonly graph: GraphAddress;
  readonly sizes: PartSizes;
}

/** What it is asked. */
export interface KeepTask {
  readonly dataSource: string;
  readonly sent: SentBody;
  readonly bookmarks: readonly string[];
}

/** What it answers; a failure's cause is an error without its class. */
export interface KeepAnswer {
  readonly outcome:
    | { readonly _tag: 'Left'; readonly left: Failure }
    | { readonly _tag: 'Right'; readonly right: TakenPart };
  readonly bookmarks: readonly string[];
}

/** Parts that may wait for the thread, each with its body in memory. */
const MOST_WAITING = 16;

const FULL: Failure = {
  _tag: 'Exhausted',
  message: 'Too many large parts are waiting; try again later.',
};

/** The thread for large parts, on a graph; it starts when it is needed, and is replaced where it ends. */
export const uploadThread = (
  graph: Graph,
  settings: UploadThreadSettings,
  log: Log,
): UploadThread => {
  const started = pool(join(__dirname, 'upload-worker.js'), {
    workerType: 'thread',
    maxWorkers: 1,
    workerThreadOpts: {
      workerData: settings,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.ceil(partHeapBytes(settings.sizes.bodyBytes) / 1024 ** 2),
      },
    },
  });
  const run = async (dataSource: string, sent: SentBody): Promise<KeepAnswer> => {
    const task: KeepTask = { dataSource, sent, bookmarks: await shownBookmarks(graph) };
    const transfer = sent.body.map(({ buffer }) => buffer);
    return (await started.exec('keep', [task], { transfer })) as KeepAnswer;
  };
  return {
    keep: (dataSource, sent) => {
      if (started.stats().pendingTasks >= MOST_WAITING) return TE.left(FULL);
      return pipe(
        TE.tryCatch(
          () => run(dataSource, sent),
          (error): Failure => {
            log.error('the thread for parts ended', errorFields(error));
            return { _tag: 'Internal', message: 'The service failed.', cause: error };
          },
        ),
        // A part that is kept is seen by all that comes after it.
        TE.tapTask(
          ({ bookmarks }) =>
            () =>
              metBookmarks(graph, bookmarks),
        ),
        TE.flatMapEither(({ outcome }) => outcome),
        TE.mapLeft(revived),
        // As for a push thread.
        TE.tapError((failure) =>
          TE.fromIO(() => {
            if (isOutageFailure(failure)) graph.onOutage(new NoAnswer());
          }),
        ),
      );
    },
    stop: async () => {
      await started.terminate(true);
    },
  };
};
