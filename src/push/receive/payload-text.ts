import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { hasCode } from '../../error-code';
import { badField, type Failure } from '../../problem';
import { heapForPayload, inUnits, memoryForHeap, MOST_PAYLOAD } from '../../memory/memory-plan';
import { decodeUtf8 } from '../../web/bodies/utf8';

/** How a push envelope carries its payload (docs/rules.md: Requests). */
export interface CarriedPayload {
  readonly json_data: string;
  readonly compression_type?: string | null;
}

const inflate = promisify(gunzip);

/** The refusal of a payload that is larger than the limit. */
export const payloadTooLarge = (limitBytes: number, threads: number): Failure => {
  const twice = Math.min(2 * limitBytes, MOST_PAYLOAD);
  const more =
    twice > limitBytes
      ? `or give the service more memory (its container's limit, or MEMORY): with ` +
        `${inUnits(memoryForHeap(heapForPayload(twice), threads))} it takes ${inUnits(twice)}.`
      : 'no payload may be larger.';
  return {
    _tag: 'TooLarge',
    message: `The payload is larger than ${limitBytes} bytes once it is uncompressed. Push less at once; ${more}`,
  };
};

const inflateFailure =
  (limitBytes: number, threads: number) =>
  (error: unknown): Failure =>
    hasCode(error, 'ERR_BUFFER_TOO_LARGE')
      ? payloadTooLarge(limitBytes, threads)
      : badField('/json_data', 'BAD_COMPRESSION', 'is not base64 of a gzip');

const inflateText = (
  base64: string,
  limitBytes: number,
  threads: number,
): TE.TaskEither<Failure, string> =>
  pipe(
    TE.tryCatch(
      // Stops at the limit. The chunks are large because each chunk is a trip to another thread.
      () =>
        inflate(Buffer.from(base64, 'base64'), {
          maxOutputLength: limitBytes,
          chunkSize: 1024 * 1024,
        }),
      inflateFailure(limitBytes, threads),
    ),
    TE.flatMapEither((bytes) => decodeUtf8(bytes, '/json_data')),
  );

const plainText = (text: string, limitBytes: number, threads: number): E.Either<Failure, string> =>
  // Counts the bytes only of a text that may exceed the limit.
  text.length * 3 > limitBytes && Buffer.byteLength(text) > limitBytes
    ? E.left(payloadTooLarge(limitBytes, threads))
    : E.right(text);

/**
 * Gives the text of the payload: plain, or decoded from base64 and gzip (docs/rules.md: Requests).
 */
export const payloadText = (
  { json_data, compression_type }: CarriedPayload,
  limitBytes: number,
  threads: number,
): TE.TaskEither<Failure, string> => {
  switch ((compression_type ?? '').toLowerCase()) {
    case 'gzip':
      return inflateText(json_data, limitBytes, threads);
    case '':
    case 'none':
      return TE.fromEither(plainText(json_data, limitBytes, threads));
    default:
      return TE.left(badField('/compression_type', 'UNKNOWN_VALUE', 'must be GZIP or none'));
  }
};
