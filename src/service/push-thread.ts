import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';

import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import { Transfer, worker, workerEmit } from 'workerpool';

import { metBookmarks, openGraph, shownBookmarks } from '../graph/driver';
import { graphStore } from '../graph/store';
import { errorFields } from '../log';
import type { Failure } from '../problem';
import type { ThreadAnswer, ThreadNote, ThreadSettings, ThreadTask } from './push-threads';
import type { SentPush } from './sent-push';
import { takePlanHere, takePushHere } from './take-push';

const LATER = 10;

// This file is what a push thread runs (`push-threads.ts`): one push after the other.

// Where processors are few, the thread that answers all else goes first. On Linux alone this is about one thread, not the process.
if (process.platform === 'linux') setPriority(LATER);

const { graph: address, limits, sizes, ...judging } = workerData as ThreadSettings;
const graph = openGraph(address);
const here = { push: { store: graphStore(graph, limits), ...judging }, sizes };

// Errors lose their class and fields on the way between threads.
const told = (failure: Failure): Failure => {
  if (failure._tag !== 'Internal' && failure._tag !== 'Unavailable') return failure;
  const { cause } = failure;
  if (!(cause instanceof Error)) return { ...failure, cause: String(cause) };
  const { name, message, stack } = cause;
  const code = 'code' in cause ? cause.code : undefined;
  return { ...failure, cause: { name, message, stack, code } };
};

/** Runs what is asked for; the bytes of its answer are handed over. */
const answering =
  <S extends SentPush, A>(
    take: (sent: S) => TE.TaskEither<Failure, A>,
    bytesOf: (taken: A) => Uint8Array<ArrayBuffer>,
  ) =>
  async ({ push, bookmarks }: ThreadTask<S>): Promise<unknown> => {
    await metBookmarks(graph, bookmarks);
    const outcome = await take(push)();
    const answer: ThreadAnswer<A> = {
      outcome: E.isLeft(outcome) ? E.left(told(outcome.left)) : outcome,
      bookmarks: await shownBookmarks(graph),
    };
    return new Transfer(answer, E.isLeft(outcome) ? [] : [bytesOf(outcome.right).buffer]);
  };

// A bug in one push must not end the next.
process.on('unhandledRejection', (error) => {
  const note: ThreadNote = {
    message: 'unhandled rejection in a push thread',
    fields: errorFields(error),
  };
  workerEmit(note);
});

worker({
  take: answering(takePushHere(here), ({ warnings }) => warnings.json),
  plan: answering(takePlanHere(here), ({ json }) => json),
});
