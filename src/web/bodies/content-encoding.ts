import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import * as TE from 'fp-ts/TaskEither';

import { hasCode } from '../../error-code';
import { type Failure, badField } from '../../problem';

// The chunks are large because each chunk is a trip to another thread.
const CHUNK = 1024 * 1024;

const ENCODINGS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

const refused = (message: string): Failure => badField('', 'BAD_COMPRESSION', message);

/** The refusal of a body that is larger than the limit. */
export const bodyTooLarge = (limitBytes: number): Failure => ({
  _tag: 'TooLarge',
  message:
    `The body is larger than ${limitBytes} bytes. Send a large payload gzipped, or in parts; or give the service more memory ` +
    `(its container's limit, or MEMORY), from which the largest body of a push follows, up to 128m.`,
});

/**
 * Undoes the `Content-Encoding` of a body. A body that grows beyond the limit is refused
 * (docs/rules.md: Requests).
 */
export const undoEncoding = (
  body: Buffer,
  encoding: string | undefined,
  limitBytes: number,
): TE.TaskEither<Failure, Buffer> => {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || body.length === 0) {
    return body.length > limitBytes ? TE.left(bodyTooLarge(limitBytes)) : TE.right(body);
  }
  const decompress = ENCODINGS.get(name);
  if (decompress === undefined) {
    return TE.left(refused('Content-Encoding may be gzip, deflate, br or identity'));
  }
  return TE.tryCatch(
    () => decompress(body, { maxOutputLength: limitBytes, chunkSize: CHUNK }),
    (error) =>
      hasCode(error, 'ERR_BUFFER_TOO_LARGE')
        ? bodyTooLarge(limitBytes)
        : refused('the body is not what its Content-Encoding says'),
  );
};
