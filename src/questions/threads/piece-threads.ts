import { Worker } from 'node:worker_threads';

import * as E from 'fp-ts/Either';

import { errorFields, type Log } from '../../log';
import { type Graph, type GraphAddress, shownBookmarks } from '../../neo4j/driver';
import { isOutageFailure, NoAnswer } from '../../neo4j/failure';
import type { Failure } from '../../problem';
import { fromSerializable } from '../../neo4j/thread-failure';
import { StreamFailure } from '../../web/exchange/answer-stream';

/** An answer under way: pieces of its text, or the failure that ends it. */
export type PieceStream = AsyncGenerator<E.Either<Failure, Uint8Array<ArrayBuffer>>, void>;

/** The pieces of an answer. A failure ends them as one of the stream that sends them. */
export async function* piecesOrEnd(stream: PieceStream): AsyncGenerator<Uint8Array, void> {
  for await (const piece of stream) {
    if (E.isLeft(piece)) throw new StreamFailure(piece.left);
    yield piece.right;
  }
}

/** Writes one answer. Its signal is aborted when the client has left. */
export type WritePieces<W> = (wanted: W, left: AbortSignal) => PieceStream;

/** What a thread gets to begin an answer. It sends the first piece. */
export interface PieceTask<W> {
  readonly wanted: W;
  readonly bookmarks: readonly string[];
}

/** What the thread sends for each request for a piece: a piece, a failure, or `null` at the end. */
export type SentPiece = E.Either<Failure, Uint8Array<ArrayBuffer>> | null;

/** Where threads run, and how. */
interface Threads<W> {
  /** The compiled file that a thread runs (`piece-worker.ts`). */
  readonly file: string;
  /** What a thread writes, for the log. */
  readonly kind: string;
  readonly address: GraphAddress;
  readonly graph: Graph;
  readonly log: Log;
  /** JavaScript heap of a thread. */
  readonly heapMb: number;
  /** What the thread takes over of what is wanted. By default it gets a copy of all. */
  readonly buffersOf?: (wanted: W) => readonly ArrayBuffer[];
  /** The failure of an answer that needs more. */
  readonly tooLarge?: Failure;
  /** How long a thread that has written an answer waits for the next one. By default it ends. */
  readonly idleSeconds?: number;
  /**
   * Resolves when Neo4j has ended a transaction. With it, the thread itself ends an answer whose
   * client has left, and reports what Neo4j still runs. By default the thread ends at once.
   */
  readonly untilEnded?: (transaction: string) => Promise<void>;
}

/** The thread ended before the answer did. */
const ended = (cause: unknown): Failure => ({
  _tag: 'Internal',
  message: 'The service failed.',
  cause,
});

const isOutOfMemory = (error: Error): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Threads that write answers, each one at a time, with connections to Neo4j of their own. */
export class PieceThreads<W> {
  private readonly idle = new Map<Worker, NodeJS.Timeout>();
  /** Threads that ended by themselves. */
  private readonly gone = new WeakSet<Worker>();

  constructor(private readonly threads: Threads<W>) {}

  /**
   * Writes an answer in a thread. The thread makes the next piece while the client reads the one
   * before. What it uses ends with the answer, or when the client leaves.
   */
  write: WritePieces<W> = (wanted, left) => this.pieces(wanted, left);

  /** Ends the threads that wait. */
  async stop(): Promise<void> {
    await Promise.all([...this.idle.keys()].map((worker) => this.end(worker)));
  }

  private async *pieces(wanted: W, left: AbortSignal): PieceStream {
    const { graph, idleSeconds = 0, untilEnded } = this.threads;
    const reportsLeaving = untilEnded !== undefined;
    const task: PieceTask<W> = { wanted, bookmarks: await shownBookmarks(graph) };
    if (left.aborted) return;
    const worker = this.started();
    const leave = (): void =>
      reportsLeaving ? worker.postMessage('leave') : void worker.terminate();
    left.addEventListener('abort', leave, { once: true });
    let next = this.asked(worker, task);
    let isDone = false;
    try {
      for (;;) {
        const piece = await next;
        isDone = piece === null || E.isLeft(piece);
        if (piece === null || (left.aborted && !reportsLeaving)) return;
        if (E.isLeft(piece)) {
          yield E.left(this.failure(piece.left));
          return;
        }
        next = this.asked(worker, 'next');
        yield piece;
      }
    } finally {
      left.removeEventListener('abort', leave);
      const mayRest = isDone && !left.aborted && !this.gone.has(worker);
      if (mayRest && idleSeconds > 0) this.rest(worker, idleSeconds);
      else if (isDone || !reportsLeaving) await this.end(worker);
      else await this.leaveBehind(worker, next);
    }
  }

  /** Ends an answer that nobody reads any more. Fails if Neo4j still runs something for it. */
  private async leaveBehind(worker: Worker, next: Promise<SentPiece>): Promise<void> {
    worker.postMessage('leave');
    const piece = await next;
    await this.end(worker);
    if (piece !== null && E.isLeft(piece)) {
      throw new StreamFailure(this.withEnd(fromSerializable(piece.left)));
    }
  }

  private started(): Worker {
    const [waiting] = this.idle.keys();
    if (waiting !== undefined) {
      clearTimeout(this.idle.get(waiting));
      this.idle.delete(waiting);
      waiting.ref();
      return waiting;
    }
    const { file, address, heapMb } = this.threads;
    const worker = new Worker(file, {
      workerData: address,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // Also for a thread that only waits: without a listener its error would end the process.
    const gone = (): void => {
      this.gone.add(worker);
      this.idle.delete(worker);
    };
    return worker.on('error', gone).on('exit', gone);
  }

  private rest(worker: Worker, seconds: number): void {
    const late = setTimeout(() => void this.end(worker), seconds * 1000);
    late.unref();
    worker.unref();
    this.idle.set(worker, late);
  }

  private async end(worker: Worker): Promise<void> {
    clearTimeout(this.idle.get(worker));
    this.idle.delete(worker);
    await worker.terminate();
  }

  /** Asks a thread, and waits for what it sends next, or for its end. */
  private asked(worker: Worker, message: PieceTask<W> | 'next'): Promise<SentPiece> {
    return new Promise((resolve) => {
      const settle = (piece: SentPiece): void => {
        // Only its own: Node has listeners there too, by which it receives later messages.
        worker.off('message', settle).off('error', failed).off('exit', left);
        resolve(piece);
      };
      const failed = (error: Error): void => {
        const { tooLarge } = this.threads;
        settle(E.left(tooLarge !== undefined && isOutOfMemory(error) ? tooLarge : ended(error)));
      };
      const left = (code: number): void => failed(new Error(`the thread ended: ${code}`));
      worker.on('message', settle).on('error', failed).on('exit', left);
      const { buffersOf } = this.threads;
      const buffers = message === 'next' ? [] : (buffersOf?.(message.wanted) ?? []);
      worker.postMessage(message, buffers);
    });
  }

  private failure(sent: Failure): Failure {
    const { graph, log, kind } = this.threads;
    const failure = this.withEnd(fromSerializable(sent));
    if (isOutageFailure(failure)) graph.onOutage(new NoAnswer());
    if (failure._tag === 'Internal')
      log.error(`the thread of ${kind} ended`, errorFields(failure.cause));
    return failure;
  }

  /** No promise can leave a thread, so this adds the one for the end of what Neo4j still runs. */
  private withEnd(failure: Failure): Failure {
    const { untilEnded } = this.threads;
    if (untilEnded === undefined || failure._tag !== 'Unavailable') return failure;
    const { stillRunning } = failure;
    if (stillRunning === undefined) return failure;
    const ended = untilEnded(stillRunning.transaction);
    return { ...failure, stillRunning: { ...stillRunning, ended } };
  }
}
