import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { readBase64 } from '../../contract/base64';
import type { TakenPart } from '../endpoints';
import type { UploadQuota, Uploads } from '../graph/uploads';
import { badField, type Failure } from '../../problem';
import { readPartsRequest, type SentPart } from './parts-request';
import { payloadTooLarge } from '../receive/payload-text';
import type { PushSizes } from '../receive/push-sizes';
import type { SentBody } from '../../web/bodies/sent-body';
import { unknownUpload } from '../receive/unknown-upload';
import { overQuota } from './upload-quota';

/** How large parts and uploads may be. */
export interface PartSizes extends Pick<PushSizes, 'bodyBytes' | 'jsonBytes' | 'threads'> {
  readonly quota: UploadQuota;
  /** A larger request may only bring a part. */
  readonly smallBytes: number;
}

/** A large body, which may hold a part for a data source. */
export interface PartBody {
  /** The key that sends it. */
  readonly key: string;
  readonly dataSource: string;
  readonly sent: SentBody;
}

/**
 * Stores a part. Parts may come in any order. A part that comes twice with the same bytes is stored
 * once (docs/rules.md: Multipart uploads).
 */
export const storePart =
  (uploads: Pick<Uploads, 'store'>, { jsonBytes, threads, quota }: PartSizes) =>
  (dataSource: string, { upload, number, base64 }: SentPart): TE.TaskEither<Failure, TakenPart> => {
    const bytes = readBase64(base64);
    if (bytes === null) return TE.left(badField('/data', 'BAD_BASE64', 'is not base64'));
    return pipe(
      uploads.store(
        { id: upload, dataSource },
        { number, bytes },
        { payloadBytes: jsonBytes, quota },
      ),
      TE.flatMap((outcome): TE.TaskEither<Failure, TakenPart> => {
        switch (outcome) {
          case 'stored':
            return TE.right({ upload_id: upload, sequence_number: number });
          case 'repeated':
            return TE.left(
              badField(
                '/sequence_number',
                'REPEATED_PART',
                `part ${number} has come with other data`,
              ),
            );
          case 'too large':
            return TE.left(payloadTooLarge(jsonBytes, threads));
          case 'unknown upload':
            return TE.left(unknownUpload);
          default:
            return TE.left(overQuota(quota, outcome));
        }
      }),
    );
  };

/** Reads a large body and stores its part. A large body may hold nothing else. */
export const storeSentPart =
  (uploads: Pick<Uploads, 'store'>, sizes: PartSizes) =>
  ({ dataSource, sent }: Omit<PartBody, 'key'>): TE.TaskEither<Failure, TakenPart> =>
    pipe(
      readPartsRequest(sent, sizes.bodyBytes),
      TE.flatMap((request): TE.TaskEither<Failure, TakenPart> =>
        request.operation === 'upload'
          ? storePart(uploads, sizes)(dataSource, request.part)
          : TE.left({
              _tag: 'TooLarge',
              message: `A request to ${request.operation} an upload holds at most ${sizes.smallBytes} bytes.`,
            }),
      ),
    );
