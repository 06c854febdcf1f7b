import { createHash } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { decodeRequest } from '../../contract/decode';
import { PushEnvelope } from '../../contract/envelopes';
import { parseJson } from '../../contract/json';
import { type Failure, invalid, type ProblemList } from '../../problem';
import { undoEncoding } from './content-encoding';
import { payloadText } from './payload-text';
import type { PlanRequest } from './plan-push';
import type { PushIntent } from './push-request';
import { sameId } from './same-id';
import { decodeUtf8 } from './utf8';

/** A push as it was sent: bytes that nobody has read yet (spec: Push envelope; api.md 2). */
export interface SentPush extends PushIntent {
  /** Whether the bytes are those of an envelope, or the payload's own. */
  readonly holds: 'envelope' | 'payload';
  /** The body's bytes, one block behind the other; each has a buffer of its own, so that another thread may take it over. */
  readonly body: readonly Uint8Array<ArrayBuffer>[];
  /** The header `Content-Encoding`. */
  readonly encoding: string | undefined;
}

/** A push of which only the effect is asked for, as it was sent. */
export type SentPlan = SentPush & Pick<PlanRequest, 'seesOthers'>;

/** How large a push may be. */
export interface PushSizes {
  /** The body, as sent and once its `Content-Encoding` is undone. */
  readonly bodyBytes: number;
  /** The payload, once it is uncompressed. */
  readonly jsonBytes: number;
}

/** What tells a request to a data source from any other, in hexadecimal: what it brings cannot differ where that does not. */
export const requestDigest = ({ holds, body, encoding = '' }: SentPush): string => {
  const digest = createHash('sha256').update(`${holds} ${encoding}\n`);
  for (const block of body) digest.update(block);
  return digest.digest('hex');
};

const NOT_VALID = 'The request is not valid.';

const refused = (problems: ProblemList): Failure => invalid(NOT_VALID, problems);

/** A payload that came without an envelope, as a push's bytes. */
export const sentPayload = (bytes: Buffer): Pick<SentPush, 'holds' | 'body' | 'encoding'> => {
  const { buffer } = bytes;
  // Small ones share a buffer with others.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length;
  return {
    holds: 'payload',
    body: [isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes)],
    encoding: undefined,
  };
};

/** Reads what was sent; gives the text of the payload. */
export const readPayload = (sent: SentPush, sizes: PushSizes): TE.TaskEither<Failure, string> => {
  switch (sent.holds) {
    case 'envelope':
      return readEnvelope(sent, sizes);
    case 'payload':
      return pipe(
        undoEncoding(Buffer.concat(sent.body), undefined, sizes.jsonBytes),
        TE.flatMapEither((bytes) => decodeUtf8(bytes, '')),
      );
  }
};

const readEnvelope = (
  { source, body, encoding }: SentPush,
  { bodyBytes, jsonBytes }: PushSizes,
): TE.TaskEither<Failure, string> =>
  pipe(
    undoEncoding(Buffer.concat(body), encoding, bodyBytes),
    TE.flatMapEither((bytes) => decodeUtf8(bytes, '')),
    TE.flatMapEither((text) => pipe(parseJson(text), E.mapLeft(refused))),
    TE.flatMapEither((json) => pipe(decodeRequest(PushEnvelope, json), E.mapLeft(refused))),
    TE.tapEither(({ id }) => sameId('id', id, source.provider.id)),
    TE.tapEither((envelope) =>
      sameId('data_source_id', envelope.data_source_id, source.dataSource.id),
    ),
    TE.flatMap((envelope) => payloadText(envelope, jsonBytes)),
  );
