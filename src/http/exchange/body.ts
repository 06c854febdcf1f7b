import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { undoEncoding } from '../../service/receive/content-encoding';
import { jsonOf } from '../../service/receive/sent-body';
import { NO_ROOM, placeOf } from './body-room';
import { receiveBody } from './receive-body';

/** Reads the whole body of a request as bytes, and undoes its `Content-Encoding`. */
export type ReadBody = (req: Request, res: Response) => TE.TaskEither<Failure, Buffer>;

// The advice for pushes (parts, more memory) does not help here.
const tooLarge = (mostBytes: number): Failure => ({
  _tag: 'TooLarge',
  message: `The body is larger than the ${mostBytes} bytes that this path takes.`,
});

/**
 * Reads bodies of up to some bytes, as sent and uncompressed; a longer one is refused as soon as it
 * exceeds that.
 */
export const readBodyOf =
  (mostBytes: number): ReadBody =>
  (req, res) =>
    pipe(
      // A body may come without a JSON content type (docs/rules.md: Requests).
      receiveBody(req, res, mostBytes),
      TE.flatMap((blocks) =>
        undoEncoding(Buffer.concat(blocks), req.headers['content-encoding'], mostBytes),
      ),
      TE.mapLeft((failure) => (failure._tag === 'TooLarge' ? tooLarge(mostBytes) : failure)),
      // Uncompressed bytes take room too, like those that were sent.
      TE.flatMapEither((bytes) =>
        req.headers['content-encoding'] === undefined || placeOf(res).take(bytes.length)
          ? E.right(bytes)
          : E.left(NO_ROOM),
      ),
    );

/** Reads a small body, such as a few names, a question or a picture. It may have up to 1 MiB. */
export const readSmallBody: ReadBody = readBodyOf(1024 ** 2);

/** Reads the body of a request as JSON. */
export const readJson = (
  read: ReadBody,
  req: Request,
  res: Response,
): TE.TaskEither<Failure, unknown> =>
  pipe(
    read(req, res),
    TE.flatMapEither((bytes) => jsonOf(bytes)),
  );
