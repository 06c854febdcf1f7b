import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

import * as TE from 'fp-ts/TaskEither';

import { hasCode } from '../../error-code';
import { type Failure, badField } from '../../problem';

// Large chunks, since each is a trip to another thread.
const CHUNK = 1024 * 1024;

const ENCODINGS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

const refused = (message: string): Failure => badField('', 'BAD_COMPRESSION', message);

/** What a body is that grows beyond a limit. */
export const bodyTooLarge = (limitBytes: number): Failure => ({
  _tag: 'TooLarge',
  message:
    `The body is larger than ${limitBytes} bytes. Send a large payload gzipped, or in parts; or give the service more memory ` +
    `(its container's limit, or MEMORY), from which the largest body of a push follows, up to 128m.`,
});

/** A body with its `Content-Encoding` undone, no further than a limit (docs/rules.md: Requests). */
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
