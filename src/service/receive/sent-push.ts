import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { decodeRequest } from '../../contract/decode';
import { PushEnvelope } from '../../contract/envelopes';
import type { KeptPart, UploadOf, Uploads } from '../../graph/records/uploads';
import { badRequest, type Failure } from '../../problem';
import { readSentJson, type SentBody } from './sent-body';
import { withinHeap } from './payload-need';
import { payloadText, payloadTooLarge } from './payload-text';
import type { PushIntent } from './push-intent';
import type { PushSizes } from './push-sizes';
import { sameId } from './same-id';
import { unknownUpload } from './unknown-upload';
import { decodeUtf8 } from './utf8';

/**
 * A push envelope as it was sent. The service has not read its bytes yet (docs/rules.md: Requests).
 */
export interface SentEnvelope extends PushIntent, SentBody {
  readonly holds: 'envelope';
}

/**
 * A complete upload. The thread that runs the push reads its parts (docs/rules.md: Multipart
 * uploads).
 */
export interface SentUpload extends PushIntent {
  readonly holds: 'upload';
  readonly upload: UploadOf;
  readonly parts: readonly KeptPart[];
}

/** A push as it was sent. */
export type SentPush = SentEnvelope | SentUpload;

/** What a dry run needs beside the push. */
export interface PlanSight {
  /** Whether the sender may see derived changes at nodes that do not belong to the data source. */
  readonly seesOthers: boolean;
}

/** A dry run, as it was sent. */
export type SentPlan = SentPush & PlanSight;

/** Bytes of a push as it was sent, or bytes of its kept parts. */
export const sentBytes = (sent: SentPush): number =>
  sent.holds === 'envelope'
    ? sent.body.reduce((sum, block) => sum + block.length, 0)
    : sent.parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** Reads a sent push and gives the text of its payload. */
export const readPayload = (
  sent: SentPush,
  sizes: PushSizes,
  uploads: Pick<Uploads, 'bytes'>,
): TE.TaskEither<Failure, string> =>
  pipe(
    sent.holds === 'envelope' ? readEnvelope(sent, sizes) : readUpload(sent, sizes, uploads),
    TE.flatMapEither((json) => withinHeap(json, sizes)),
  );

const readUpload = (
  { upload, parts, ...sent }: SentUpload,
  { jsonBytes, threads }: PushSizes,
  uploads: Pick<Uploads, 'bytes'>,
): TE.TaskEither<Failure, string> =>
  sentBytes({ upload, parts, ...sent }) > jsonBytes
    ? TE.left(payloadTooLarge(jsonBytes, threads))
    : pipe(
        uploads.bytes(upload, parts),
        TE.flatMapEither((bytes) =>
          bytes === null ? E.left(unknownUpload) : decodeUtf8(bytes, ''),
        ),
      );

const readEnvelope = (
  { source, ...sent }: SentEnvelope,
  { bodyBytes, jsonBytes, threads }: PushSizes,
): TE.TaskEither<Failure, string> =>
  pipe(
    readSentJson(sent, bodyBytes),
    TE.flatMapEither((json) => pipe(decodeRequest(PushEnvelope, json), E.mapLeft(badRequest))),
    TE.tapEither(({ id }) => sameId('id', id, source.provider.id)),
    TE.tapEither((envelope) =>
      sameId('data_source_id', envelope.data_source_id, source.dataSource.id),
    ),
    TE.flatMap((envelope) => payloadText(envelope, jsonBytes, threads)),
  );
