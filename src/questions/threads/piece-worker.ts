import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import * as E from 'fp-ts/Either';

import { type Graph, type GraphAddress, metBookmarks, openGraph } from '../../neo4j/driver';
import { toFailure } from '../../neo4j/failure';
import { toSerializable } from '../../neo4j/thread-failure';
import type { PieceStream, PieceTask, SentPiece } from './piece-threads';

const LATER = 10;
/** A transaction holds one connection; another one looks what Neo4j still runs. */
const CONNECTIONS = 2;

/** Makes the thread that runs this write answers, a piece for each request (`piece-threads.ts`). */
export const writePieces = <W>(
  pieces: (graph: Graph, wanted: W, left: AbortSignal) => PieceStream,
): void => {
  // With few processors, the main thread goes first. On Linux this sets only the priority of this
  // thread, not of the process.
  if (process.platform === 'linux') setPriority(LATER);
  const graph = openGraph(workerData as GraphAddress, {
    connections: CONNECTIONS,
    isForQuestions: true,
  });
  let stream: PieceStream | undefined;
  let left = new AbortController();

  const begin = async ({ wanted, bookmarks }: PieceTask<W>): Promise<PieceStream> => {
    left = new AbortController();
    await metBookmarks(graph, bookmarks);
    return pieces(graph, wanted, left.signal);
  };
  const next = async (message: PieceTask<W> | 'next'): Promise<SentPiece> => {
    try {
      if (message !== 'next') stream = await begin(message);
      const piece = await stream?.next();
      if (piece === undefined || piece.done === true) return null;
      return E.isLeft(piece.value) ? E.left(toSerializable(piece.value.left)) : piece.value;
    } catch (error) {
      return E.left(toSerializable(toFailure(error, true)));
    }
  };
  parentPort?.on('message', (message: PieceTask<W> | 'next' | 'leave') => {
    if (message === 'leave') {
      left.abort();
      return;
    }
    void next(message).then((piece) => {
      const bytes = piece !== null && E.isRight(piece) ? [piece.right.buffer] : [];
      parentPort?.postMessage(piece, bytes);
    });
  });
};
