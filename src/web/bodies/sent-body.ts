import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { parseJson, parsePayload } from '../../contract/json';
import { type JsonBounds, REQUEST_BOUNDS, withinBounds } from '../../contract/json-bounds';
import { badRequest, type Failure } from '../../problem';
import { undoEncoding } from './content-encoding';
import { decodeUtf8 } from './utf8';

/** A request body that the service has not read yet. */
export interface SentBody {
  /**
   * The bytes of the body, in blocks. Each block has its own buffer, so that another thread can
   * take the block over.
   */
  readonly body: readonly Uint8Array<ArrayBuffer>[];
  /** The header `Content-Encoding`. */
  readonly encoding: string | undefined;
}

/** Reads the bytes of a body as JSON that holds no more than it may. */
export const jsonOf = (
  bytes: Buffer,
  bounds: JsonBounds = REQUEST_BOUNDS,
  parse: typeof parseJson = parseJson,
): E.Either<Failure, unknown> =>
  pipe(
    withinBounds(bytes, bounds),
    E.flatMap(() => decodeUtf8(bytes, '')),
    E.flatMap((text) => pipe(parse(text), E.mapLeft(badRequest))),
  );

/**
 * Reads a body as JSON. Refuses a body that is larger than the limit once its encoding is undone.
 */
export const readSentJson = (
  { body, encoding }: SentBody,
  limitBytes: number,
  bounds?: JsonBounds,
  parse?: typeof parseJson,
): TE.TaskEither<Failure, unknown> =>
  pipe(
    undoEncoding(Buffer.concat(body), encoding, limitBytes),
    TE.flatMapEither((bytes) => jsonOf(bytes, bounds, parse)),
  );

/** Reads the body of a push, which holds no secret: a fault in its JSON shows the text around it. */
export const readPushJson = (sent: SentBody, limitBytes: number): TE.TaskEither<Failure, unknown> =>
  readSentJson(sent, limitBytes, REQUEST_BOUNDS, parsePayload);
