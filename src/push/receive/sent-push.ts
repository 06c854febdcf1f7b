import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { decodeRequest } from '../../contract/decode';
import { CsvPushEnvelope, PushEnvelope } from '../endpoints';
import type { StoredPart, UploadOf, Uploads } from '../graph/uploads';
import { badRequest, type Failure } from '../../problem';
import { undoEncoding } from '../../web/bodies/content-encoding';
import { readPushJson, type SentBody } from '../../web/bodies/sent-body';
import { withinHeap } from './needed-heap';
import { payloadText, payloadTooLarge } from './payload-text';
import { csvFile, csvPush } from './csv-text';
import type { PayloadPush, PushIntent } from './push-intent';
import type { PushSizes } from './push-sizes';
import { sameId } from './same-id';
import { uploadEnded } from './unknown-upload';
import { decodeUtf8 } from '../../web/bodies/utf8';

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
  readonly parts: readonly StoredPart[];
}

/** A push of a CSV file, as it was sent. */
export interface SentCsv extends PushIntent, SentBody {
  readonly holds: 'csv';
}

/** A push without an envelope: the text of a payload, or a CSV file. */
export interface SentFile extends PushIntent, SentBody {
  readonly holds: 'file';
  readonly isCsv: boolean;
}

/** A push as it was sent. */
export type SentPush = SentEnvelope | SentCsv | SentFile | SentUpload;

/** What the service reads from a sent push. */
export type ReadPush = Pick<PayloadPush, 'json' | 'places' | 'faults'>;

/** What a dry run needs in addition to the push. */
export interface PlanSight {
  /** Whether the sender may see derived changes at nodes that do not belong to the data source. */
  readonly seesOthers: boolean;
  /** How many entries each list of the answer has at most; all warnings, and the usual number, if unset. */
  readonly listed?: number;
}

/** A dry run, as it was sent. */
export type SentPlan = SentPush & PlanSight;

/** Bytes of a push as it was sent, or bytes of its stored parts. */
export const sentBytes = (sent: SentPush): number =>
  sent.holds === 'upload'
    ? sent.parts.reduce((sum, { bytes }) => sum + bytes, 0)
    : sent.body.reduce((sum, block) => sum + block.length, 0);

const readSent = (
  sent: SentPush,
  sizes: PushSizes,
  uploads: Pick<Uploads, 'bytes'>,
): TE.TaskEither<Failure, ReadPush> => {
  switch (sent.holds) {
    case 'envelope':
      return pipe(
        readEnvelope(sent, sizes),
        TE.map((json) => ({ json })),
      );
    case 'csv':
      return readCsv(sent, sizes);
    case 'file':
      return readFile(sent, sizes);
    case 'upload':
      return pipe(
        readUpload(sent, sizes, uploads),
        TE.map((json) => ({ json })),
      );
  }
};

/** Reads a sent push and gives the text of its payload. */
export const readPayload = (
  sent: SentPush,
  sizes: PushSizes,
  uploads: Pick<Uploads, 'bytes'>,
): TE.TaskEither<Failure, ReadPush> =>
  pipe(
    readSent(sent, sizes, uploads),
    TE.tapEither(({ json }) => withinHeap(json, sizes)),
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
        TE.flatMapEither((bytes) => (bytes === null ? E.left(uploadEnded) : decodeUtf8(bytes, ''))),
      );

const readFile = (
  { source, body, encoding, isCsv }: SentFile,
  sizes: PushSizes,
): TE.TaskEither<Failure, ReadPush> => {
  const { jsonBytes, threads } = sizes;
  return pipe(
    undoEncoding(Buffer.concat(body), encoding, jsonBytes),
    TE.mapLeft((failure) =>
      failure._tag === 'TooLarge' ? payloadTooLarge(jsonBytes, threads) : failure,
    ),
    TE.flatMapEither((bytes) =>
      isCsv
        ? csvFile(bytes, source, sizes)
        : pipe(
            decodeUtf8(bytes, ''),
            E.map((json) => ({ json })),
          ),
    ),
  );
};

const readCsv = (
  { source, ...sent }: SentCsv,
  sizes: PushSizes,
): TE.TaskEither<Failure, ReadPush> =>
  pipe(
    readPushJson(sent, sizes.bodyBytes),
    TE.flatMapEither((json) => pipe(decodeRequest(CsvPushEnvelope, json), E.mapLeft(badRequest))),
    TE.tapEither((envelope) => sameIds(envelope, source)),
    TE.flatMapEither((envelope) => csvPush(envelope, source, sizes)),
  );

const sameIds = (
  { id, data_source_id }: Pick<CsvPushEnvelope, 'id' | 'data_source_id'>,
  { provider, dataSource }: PushIntent['source'],
): E.Either<Failure, unknown> =>
  pipe(
    sameId('id', id, provider.id),
    E.flatMap(() => sameId('data_source_id', data_source_id, dataSource.id)),
  );

const readEnvelope = (
  { source, ...sent }: SentEnvelope,
  { bodyBytes, jsonBytes, threads }: PushSizes,
): TE.TaskEither<Failure, string> =>
  pipe(
    readPushJson(sent, bodyBytes),
    TE.flatMapEither((json) => pipe(decodeRequest(PushEnvelope, json), E.mapLeft(badRequest))),
    TE.tapEither((envelope) => sameIds(envelope, source)),
    TE.flatMap((envelope) => payloadText(envelope, jsonBytes, threads)),
  );
