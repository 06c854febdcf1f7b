import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import * as E from 'fp-ts/Either';

import { metBookmarks, openGraph } from '../../neo4j/driver';
import { toFailure } from '../../neo4j/failure';
import { toSerializable } from '../../push/threads/contract';
import type { ExportPiece, ExportTask } from './export-thread';
import { exportedPieces } from './exported-rows';

// A thread that writes one export runs this file (`export-thread.ts`).

const LATER = 10;
// With few processors, the main thread goes first. On Linux this sets only the priority of this
// thread, not of the process.
if (process.platform === 'linux') setPriority(LATER);

const { address, bookmarks, wanted } = workerData as ExportTask;
const graph = openGraph(address, { connections: 2 });
const pieces = exportedPieces(graph, wanted);

const next = async (): Promise<ExportPiece> => {
  try {
    await metBookmarks(graph, bookmarks);
    const piece = await pieces.next();
    if (piece.done === true) return null;
    return E.isLeft(piece.value) ? E.left(toSerializable(piece.value.left)) : piece.value;
  } catch (error) {
    return E.left(toSerializable(toFailure(error, true)));
  }
};

parentPort?.on('message', () => {
  void next().then((piece) => {
    const bytes = piece !== null && E.isRight(piece) ? [piece.right.buffer] : [];
    parentPort?.postMessage(piece, bytes);
  });
});
