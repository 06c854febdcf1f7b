import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';

import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import { Transfer, workerEmit } from 'workerpool';

import { type Graph, metBookmarks, shownBookmarks } from '../../neo4j/driver';
import type { CopiedAccess, LendAccess } from '../../questions/changes/contract';
import type { Failure } from '../../problem';
import { toSerializable } from '../../neo4j/thread-failure';
import type { CopyWanted, ThreadAnswer, ThreadNote, ThreadTask } from './thread-pool';

/** Sends a note to the main thread. The note starts the time of the task again. */
export const note = (sent: ThreadNote): void => workerEmit(sent);

/** Gets a copy of the access graph from the main thread, which has one. */
export const lendFromMain: LendAccess = async () => {
  const { port1: port, port2: sent } = new MessageChannel();
  const answer = once(port, 'message');
  const wanted: CopyWanted = { level: 'copy', port: sent };
  workerEmit(new Transfer(wanted, [sent]));
  const [copied] = (await answer) as [CopiedAccess | null];
  if (copied !== null) return { ...copied, release: () => port.close() };
  port.close();
  return null;
};

/** Makes a method of a worker. The method runs the task and hands over the bytes of its answer. */
export const answering =
  (graph: Graph) =>
  <S, A>(
    take: (sent: S) => TE.TaskEither<Failure, A>,
    bytesOf?: (taken: A) => Uint8Array<ArrayBuffer> | undefined,
  ) =>
  async ({ sent, bookmarks }: ThreadTask<S>): Promise<unknown> => {
    note({ level: 'begun', message: '', fields: {} });
    await metBookmarks(graph, bookmarks);
    const outcome = await take(sent)();
    const answer: ThreadAnswer<A> = {
      outcome: E.isLeft(outcome) ? E.left(toSerializable(outcome.left)) : outcome,
      bookmarks: await shownBookmarks(graph),
    };
    const bytes = E.isRight(outcome) ? bytesOf?.(outcome.right) : undefined;
    return new Transfer(answer, bytes === undefined ? [] : [bytes.buffer]);
  };
