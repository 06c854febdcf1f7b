import express, { type Request, type Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { parseJson } from '../contract/json';
import { invalid, oneProblem, type Failure } from '../problem';
import { decodeUtf8 } from '../service/utf8';

/** Reads the whole body of a request as bytes, its `Content-Encoding` undone. */
export type ReadBody = (req: Request, res: Response) => TE.TaskEither<Failure, Buffer>;

const NOT_VALID = 'The request is not valid.';

/** The failure behind what the body parser throws: medplum's table of its error types (style.md 1.8). */
export const bodyFailure = (limitBytes: number, error: unknown): Failure => {
  const { type, code } = error as { type?: unknown; code?: unknown };
  if (type === 'entity.too.large') {
    return { _tag: 'TooLarge', message: `The body is larger than ${limitBytes} bytes.` };
  }
  if (type === 'request.aborted') {
    return invalid('The client left before its body was complete.', { problems: [], total: 0 });
  }
  if (type === 'request.size.invalid') {
    return invalid('The body is not as long as its Content-Length says.', {
      problems: [],
      total: 0,
    });
  }
  if (type === 'encoding.unsupported') {
    return invalid(
      NOT_VALID,
      oneProblem('', 'BAD_COMPRESSION', 'Content-Encoding may be gzip, deflate, br or identity'),
    );
  }
  if (typeof code === 'string' && /^(Z_|ERR_BROTLI_|ERR__ERROR_)/.test(code)) {
    return invalid(
      NOT_VALID,
      oneProblem('', 'BAD_COMPRESSION', 'the body is not what its Content-Encoding says'),
    );
  }
  return { _tag: 'Internal', message: 'The service failed.', cause: error };
};

/** A reader of bodies up to a size, as sent and once uncompressed; a longer one is refused as soon as that shows (api.md 2). */
export const bodyReader = (limitBytes: number): ReadBody => {
  // A body may come without a JSON content type (api.md 1).
  const parse = express.raw({ type: () => true, limit: limitBytes, inflate: true });
  return (req, res) =>
    TE.tryCatch(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          parse(req, res, (error?: unknown) => {
            const body: unknown = req.body;
            // The request would hold the bytes as long as it lasts.
            req.body = undefined;
            if (error !== undefined)
              reject(
                error instanceof Error ? error : new Error('unreadable body', { cause: error }),
              );
            else resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
          });
        }),
      (error) => bodyFailure(limitBytes, error),
    );
};

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
