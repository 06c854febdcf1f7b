import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import { Transfer, worker, workerEmit } from 'workerpool';

import { metBookmarks, openGraph, shownBookmarks } from '../../graph/connection/driver';
import { graphLargePushes } from '../../graph/push/chunked-pushes';
import { graphStore } from '../../graph/push/store';
import { graphUploads } from '../../graph/records/uploads';
import { errorFields } from '../../log';
import type { Failure } from '../../problem';
import { collectGarbage, heldBytes, neededBytes } from './collect-garbage';
import { keepCompiledCode } from '../push/compiled-code';
import type { ThreadAnswer, ThreadNote, ThreadSettings, ThreadTask } from './push-threads';
import { told } from './thread-failure';
import { takePlanHere, takePushHere } from './take-push';
import { finishPush } from '../push/unfinished-pushes';

const LATER = 10;
const MUCH_BYTES = 768 * 1024 ** 2;
const GROWTH = 1.25;
const LEFT_BYTES = 128 * 1024 ** 2;

// This file is what a push thread runs (`push-threads.ts`): one push after the other.

// Where processors are few, the thread that answers all else goes first. On Linux alone this is about one thread, not the process.
if (process.platform === 'linux') setPriority(LATER);

const { graph: address, limits, sizes, ...judging } = workerData as ThreadSettings;
const graph = openGraph(address);
const tell =
  (level: 'info' | 'error') =>
  (message: string, fields: ThreadNote['fields']): void => {
    const note: ThreadNote = { level, message, fields };
    workerEmit(note);
  };

keepCompiledCode();
/** What the last collection left of the push that runs. */
let left = 0;

/** Frees what a very large push no longer needs: V8 would wait until there is twice as much. Takes some tenths of a second. */
const collectMuch = (): void => {
  if (heldBytes() < Math.max(MUCH_BYTES, GROWTH * left)) return;
  left = neededBytes();
};

/** What pushes have left would else stand beside the next one. Takes some hundredths of a second, since little of it is held still. */
const collectLeft = (): void => {
  left = 0;
  if (heldBytes() >= LEFT_BYTES) collectGarbage();
};

const push = {
  store: graphStore(graph, limits),
  large: graphLargePushes(graph, limits),
  ...judging,
  heap: { ...sizes, usedBytes: neededBytes },
  // A push in parts tells each tenth.
  note: (...said: Parameters<ReturnType<typeof tell>>): void => {
    tell('info')(...said);
    setImmediate(collectMuch);
  },
};
const here = { push, sizes, uploads: graphUploads(graph) };

/** Runs what is asked for; the bytes of its answer are handed over. */
const answering =
  <S, A>(
    take: (sent: S) => TE.TaskEither<Failure, A>,
    bytesOf?: (taken: A) => Uint8Array<ArrayBuffer>,
  ) =>
  async ({ push, bookmarks }: ThreadTask<S>): Promise<unknown> => {
    const begun: ThreadNote = { level: 'begun', message: '', fields: {} };
    workerEmit(begun);
    await metBookmarks(graph, bookmarks);
    const outcome = await take(push)();
    const answer: ThreadAnswer<A> = {
      outcome: E.isLeft(outcome) ? E.left(told(outcome.left)) : outcome,
      bookmarks: await shownBookmarks(graph),
    };
    // Once the answer is on its way.
    setImmediate(collectLeft);
    const isHandedOver = E.isRight(outcome) && bytesOf !== undefined;
    return new Transfer(answer, isHandedOver ? [bytesOf(outcome.right).buffer] : []);
  };

// A bug in one push must not end the next.
process.on('unhandledRejection', (error) => {
  tell('error')('unhandled rejection in a push thread', errorFields(error));
});

worker({
  take: answering(takePushHere(here), ({ warnings }) => warnings.json),
  plan: answering(takePlanHere(here), ({ json }) => json),
  finish: answering(finishPush(push, sizes)),
});
