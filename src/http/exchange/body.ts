import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { parseJson } from '../../contract/json';
import { invalid, type Failure } from '../../problem';
import { undoEncoding } from '../../service/push/content-encoding';
import { decodeUtf8 } from '../../service/push/utf8';
import { receiveBody } from './receive-body';

/** Reads the whole body of a request as bytes, its `Content-Encoding` undone. */
export type ReadBody = (req: Request, res: Response) => TE.TaskEither<Failure, Buffer>;

const NOT_VALID = 'The request is not valid.';

/** A reader of bodies up to a size, as sent and once uncompressed; a longer one is refused as soon as that shows (api.md 2). */
export const bodyReader =
  (limitBytes: number): ReadBody =>
  (req, res) =>
    pipe(
      // A body may come without a JSON content type (api.md 1).
      receiveBody(req, res, limitBytes),
      TE.flatMap((blocks) =>
        undoEncoding(Buffer.concat(blocks), req.headers['content-encoding'], limitBytes),
      ),
    );

/** Reads what holds a few names, a question or a picture: up to 1 MiB. */
export const readSmallBody = bodyReader(1024 ** 2);

/** Reads the body of a request as JSON. */
export const readJson = (
  read: ReadBody,
  req: Request,
  res: Response,
): TE.TaskEither<Failure, unknown> =>
  pipe(
    read(req, res),
    TE.flatMapEither((bytes) => decodeUtf8(bytes, '')),
    TE.flatMapEither((text) =>
      pipe(
        parseJson(text),
        E.mapLeft((problems) => invalid(NOT_VALID, problems)),
      ),
    ),
  );
