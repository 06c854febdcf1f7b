import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { parseJson } from '../../contract/json';
import { badRequest, type Failure } from '../../problem';
import { undoEncoding } from '../../service/receive/content-encoding';
import { decodeUtf8 } from '../../service/receive/utf8';
import { NO_ROOM, placeOf } from './body-room';
import { receiveBody } from './receive-body';

/** Reads the whole body of a request as bytes, its `Content-Encoding` undone. */
export type ReadBody = (req: Request, res: Response) => TE.TaskEither<Failure, Buffer>;

const MOST_BYTES = 1024 ** 2;

/** Reads what holds a few names, a question or a picture: up to 1 MiB, as sent and once uncompressed. A longer one is refused as soon as that shows. */
export const readSmallBody: ReadBody = (req, res) =>
  pipe(
    // A body may come without a JSON content type (docs/rules.md: Requests).
    receiveBody(req, res, MOST_BYTES),
    TE.flatMap((blocks) =>
      undoEncoding(Buffer.concat(blocks), req.headers['content-encoding'], MOST_BYTES),
    ),
    // What is uncompressed counts in the room as what was sent does.
    TE.flatMapEither((bytes) =>
      req.headers['content-encoding'] === undefined || placeOf(res).take(bytes.length)
        ? E.right(bytes)
        : E.left(NO_ROOM),
    ),
  );

/** Reads the body of a request as JSON. */
export const readJson = (
  read: ReadBody,
  req: Request,
  res: Response,
): TE.TaskEither<Failure, unknown> =>
  pipe(
    read(req, res),
    TE.flatMapEither((bytes) => decodeUtf8(bytes, '')),
    TE.flatMapEither((text) => pipe(parseJson(text), E.mapLeft(badRequest))),
  );
