import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { undoEncoding } from './content-encoding';
import { decodeUtf8 } from './utf8';
import { jsonOf } from './sent-body';
import { bodyBoundsFor } from './body-bounds';
import { NO_ROOM, placeOf } from './body-room';
import { receiveBody } from './receive-body';

// The advice for pushes (parts, more memory) does not help here.
const tooLarge = (mostBytes: number): Failure => ({
  _tag: 'TooLarge',
  message: `The body is larger than the ${mostBytes} bytes that this path takes.`,
});

/** Reads the bytes of a body, and undoes its `Content-Encoding`. */
const readBytes = (
  req: Request,
  res: Response,
  mostBytes: number,
): TE.TaskEither<Failure, Buffer> =>
  pipe(
    // A body may come without a JSON content type (docs/rules.md: Requests).
    receiveBody(req, res, mostBytes),
    TE.flatMap((blocks) =>
      undoEncoding(Buffer.concat(blocks), req.headers['content-encoding'], mostBytes),
    ),
    TE.mapLeft((failure) => (failure._tag === 'TooLarge' ? tooLarge(mostBytes) : failure)),
    // Uncompressed bytes use room too, like those that were sent.
    TE.flatMapEither((bytes) =>
      req.headers['content-encoding'] === undefined || placeOf(res).take(bytes.length)
        ? E.right(bytes)
        : E.left(NO_ROOM),
    ),
  );

/**
 * Reads the body of a request as JSON, within the bounds that its route declares. It refuses a body
 * that is larger, as sent or uncompressed, as soon as it exceeds them.
 */
export const readJson = (req: Request, res: Response): TE.TaskEither<Failure, unknown> => {
  const bounds = bodyBoundsFor(res);
  return pipe(
    readBytes(req, res, bounds.bytes),
    TE.flatMapEither((bytes) => jsonOf(bytes, bounds)),
  );
};

/** Reads the body of a request as text, up to a size. */
export const readText = (
  req: Request,
  res: Response,
  mostBytes: number,
): TE.TaskEither<Failure, string> =>
  pipe(
    readBytes(req, res, mostBytes),
    TE.flatMapEither((bytes) => decodeUtf8(bytes, '')),
  );
