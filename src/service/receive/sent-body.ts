import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { parseJson } from '../../contract/json';
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

/**
 * Reads a body as JSON. Refuses a body that is larger than the limit once its encoding is undone.
 */
export const readSentJson = (
  { body, encoding }: SentBody,
  limitBytes: number,
): TE.TaskEither<Failure, unknown> =>
  pipe(
    undoEncoding(Buffer.concat(body), encoding, limitBytes),
    TE.flatMapEither((bytes) => decodeUtf8(bytes, '')),
    TE.flatMapEither((text) => pipe(parseJson(text), E.mapLeft(badRequest))),
  );
