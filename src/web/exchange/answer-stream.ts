import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Response } from 'express';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Exported } from './tell-export';
import type { Failure } from '../../problem';
import { breakOff } from './break-off';
import { stillAdmitted } from './still-admitted';
import { tellExport } from './tell-export';

/** An answer that its handler has sent already. */
export class Sent {
  declare private readonly isSent: true;
}

/** Ends a stream of an answer with a failure. */
export class StreamFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const SLOWEST_READER_SECONDS = 60;

/** An export resumes by its cursor. Other answers need only seconds. */
const LONGEST_ANSWER_SECONDS = 3_600;

/** Gives the value of a step, or ends the stream with its failure. */
export const orEnd = async <A>(step: TaskEither<Failure, A>): Promise<A> => {
  const done = await step();
  if (E.isLeft(done)) throw new StreamFailure(done.left);
  return done.right;
};

/** Aborted when the client has left, or has its complete answer. */
export const leavingOf = (res: Response): AbortSignal => {
  const left = new AbortController();
  res.once('close', () => left.abort());
  if (res.destroyed) left.abort();
  return left.signal;
};

/** A piece of an answer: text, or its bytes in UTF-8. */
type Piece = string | Uint8Array;

const ENDED: Failure = {
  _tag: 'Unauthenticated',
  message: 'The key or session has ended, or may no longer see the same.',
};

/** What the caller may see now, as a text. Fails if the caller may see nothing any more. */
const admittedNow = async (res: Response): Promise<string> => {
  const admitted = await stillAdmitted(res);
  if (admitted === null) throw new StreamFailure(ENDED);
  return JSON.stringify(admitted);
};

/**
 * Passes pieces on, and breaks the answer off if they fail, if the client reads none for a minute,
 * or not all in time. It does the same once the caller may no longer see what the answer began with.
 */
async function* watched(
  res: Response,
  first: IteratorResult<Piece, void>,
  pieces: AsyncGenerator<Piece, void>,
  { mostSeconds, admitted }: { readonly mostSeconds: number; readonly admitted: string },
): AsyncGenerator<Piece, void> {
  const over = setTimeout(() => breakOff(res), mostSeconds * 1000);
  over.unref();
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) {
      const late = setTimeout(() => breakOff(res), SLOWEST_READER_SECONDS * 1000);
      try {
        if ((await admittedNow(res)) !== admitted) throw new StreamFailure(ENDED);
        yield next.value;
      } finally {
        clearTimeout(late);
      }
    }
  } catch (error) {
    // The pipeline would end the connection as after a complete answer.
    if (!res.destroyed) breakOff(res);
    throw error;
  } finally {
    clearTimeout(over);
    await pieces.return();
  }
}

/** Passes pieces on, and says which failure ended them, also one that nobody reads any more. */
async function* remembering(
  pieces: AsyncGenerator<Piece, void>,
  remember: (failure: Failure) => void,
): AsyncGenerator<Piece, void> {
  try {
    yield* pieces;
  } catch (error) {
    if (error instanceof StreamFailure) remember(error.failure);
    throw error;
  }
}

/** What Neo4j still runs holds the turn of its key, also if the client has left. */
const stillRuns = (failure: Failure | null): failure is Failure =>
  failure?._tag === 'Unavailable' && failure.stillRunning !== undefined;

/** How a stream differs from most. */
interface StreamOptions {
  readonly mostSeconds?: number;
  /** The name under which a browser saves the answer; without it a browser may show the answer. */
  readonly file?: string | undefined;
  /** What the event of the file says; without it the answer is no file of the graph. */
  readonly exported?: Exported;
}

const send = async (
  res: Response,
  mediaType: string,
  pieces: AsyncGenerator<Piece, void>,
  { mostSeconds = LONGEST_ANSWER_SECONDS, file, exported }: StreamOptions,
): Promise<void> => {
  const { req } = res;
  const admitted = await admittedNow(res);
  const first = await pieces.next();
  if (exported !== undefined && req.method !== 'HEAD') await orEnd(tellExport(res, exported));
  res
    .status(200)
    .set({ 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-store' });
  if (file !== undefined) res.set('Content-Disposition', `attachment; filename="${file}"`);
  res.vary('Accept').vary('Accept-Encoding');
  const isZipped = req.acceptsEncodings('gzip') === 'gzip';
  if (isZipped) res.set('Content-Encoding', 'gzip');
  if (req.method === 'HEAD') {
    await pieces.return();
    res.end();
    return;
  }
  const all = watched(res, first, pieces, { mostSeconds, admitted });
  await (isZipped ? pipeline(all, createGzip(), res) : pipeline(all, res));
};

/**
 * Sends an answer in pieces, with gzip if the client accepts it. The next piece is made when the
 * client has read the one before, so a long answer needs little memory. A failure before the first
 * piece is answered as any other. After it the service breaks the answer off, so that the client
 * sees that it is cut (docs/api.md: Streamed answers). It does the same if a client needs too long
 * for the complete answer.
 */
export const streamed =
  (
    res: Response,
    mediaType: string,
    pieces: AsyncGenerator<Piece, void>,
    options: StreamOptions = {},
  ): TaskEither<Failure, Sent> =>
  async () => {
    const left = leavingOf(res);
    let last: Failure | null = null;
    const all = remembering(pieces, (failure) => (last = failure));
    try {
      await send(res, mediaType, all, options);
      return E.right(new Sent());
    } catch (error) {
      if (left.aborted) {
        await all.return().catch(() => undefined);
        return stillRuns(last) ? E.left(last) : E.right(new Sent());
      }
      if (error instanceof StreamFailure) return E.left(error.failure);
      throw error;
    }
  };
