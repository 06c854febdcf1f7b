import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import * as E from 'fp-ts/Either';

import { errorFields, type Log } from '../../log';
import { type Graph, type GraphAddress, shownBookmarks } from '../../neo4j/driver';
import { isOutageFailure, NoAnswer } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import { fromSerializable } from '../../push/threads/contract';
import type { ExportStream, WantedExport } from './exported-rows';

/** What a thread that writes one export gets. */
export interface ExportTask {
  readonly address: GraphAddress;
  readonly bookmarks: readonly string[];
  readonly wanted: WantedExport;
}

/** What the thread sends for each request for a piece: a piece, a failure, or `null` at the end. */
export type ExportPiece = E.Either<Failure, Uint8Array<ArrayBuffer>> | null;

/** JavaScript heap of an export: rows of the driver, and texts. The graph itself is outside of it. */
const HEAP_MB = 512;

/** The thread ended before the export did. */
const ended = (cause: unknown): Failure => ({
  _tag: 'Internal',
  message: 'The service failed.',
  cause,
});

/** Waits for what a thread sends next, or for its end. */
const nextOf = (worker: Worker): Promise<ExportPiece> =>
  new Promise((resolve) => {
    const settle = (piece: ExportPiece): void => {
      // Only its own: Node has listeners there too, by which it receives later messages.
      worker.off('message', settle).off('error', failed).off('exit', left);
      resolve(piece);
    };
    const failed = (error: Error): void => settle(E.left(ended(error)));
    const left = (code: number): void => failed(new Error(`the thread ended: ${code}`));
    worker.on('message', settle).on('error', failed).on('exit', left);
  });

/**
 * Writes exports, each in a thread of its own with its own connections to Neo4j. The thread ends with
 * the export, or when the client leaves, and so does all that it uses. It makes the next piece while
 * the client reads the one before.
 */
export const exportsInThreads = (address: GraphAddress, graph: Graph, log: Log) =>
  async function* write(wanted: WantedExport, left: AbortSignal): ExportStream {
    const task: ExportTask = { address, bookmarks: await shownBookmarks(graph), wanted };
    if (left.aborted) return;
    const worker = new Worker(join(__dirname, 'export-worker.js'), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const leave = (): void => void worker.terminate();
    left.addEventListener('abort', leave, { once: true });
    try {
      const request = (): Promise<ExportPiece> => {
        const piece = nextOf(worker);
        worker.postMessage('next');
        return piece;
      };
      let next = request();
      for (;;) {
        const piece = await next;
        if (piece === null || left.aborted) return;
        if (E.isLeft(piece)) {
          const failure = fromSerializable(piece.left);
          if (isOutageFailure(failure)) graph.onOutage(new NoAnswer());
          if (failure._tag === 'Internal') {
            log.error('the thread of an export ended', errorFields(failure.cause));
          }
          yield E.left(failure);
          return;
        }
        next = request();
        yield piece;
      }
    } finally {
      left.removeEventListener('abort', leave);
      await worker.terminate();
    }
  };
