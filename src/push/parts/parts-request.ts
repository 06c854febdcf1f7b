import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import { decodeRequest } from '../../contract/decode';
import { CompleteUploadRequest, PartsOperation, UploadPartRequest } from '../endpoints';
import { badRequest, type Failure } from '../../problem';
import { readPushJson, type SentBody } from '../../web/bodies/sent-body';

/** A part of a payload, as the client sends it (docs/rules.md: Multipart uploads). */
export interface SentPart {
  readonly upload: string;
  readonly number: number;
  readonly base64: string;
}

/** A request of a multipart upload (docs/rules.md: Multipart uploads). */
export type PartsRequest =
  | { readonly operation: 'start' }
  | { readonly operation: 'upload'; readonly part: SentPart }
  | { readonly operation: 'complete'; readonly upload: string; readonly count: number };

const decode = <A>(codec: Codec<A>, json: unknown): E.Either<Failure, A> =>
  pipe(decodeRequest(codec, json), E.mapLeft(badRequest));

const partsRequest = (json: unknown): E.Either<Failure, PartsRequest> =>
  pipe(
    decode(PartsOperation, json),
    E.flatMap(({ operation }): E.Either<Failure, PartsRequest> => {
      switch (operation) {
        case 'start':
          return E.right({ operation });
        case 'upload':
          return pipe(
            decode(UploadPartRequest, json),
            E.map(({ upload_id, sequence_number, data }) => ({
              operation,
              part: { upload: upload_id, number: sequence_number, base64: data },
            })),
          );
        case 'complete':
          return pipe(
            decode(CompleteUploadRequest, json),
            E.map(({ upload_id, sequence_count }) => ({
              operation,
              upload: upload_id,
              count: sequence_count,
            })),
          );
      }
    }),
  );

/**
 * Reads a request of a multipart upload. Refuses a body that is larger than the limit once its
 * encoding is undone.
 */
export const readPartsRequest = (
  sent: SentBody,
  limitBytes: number,
): TE.TaskEither<Failure, PartsRequest> =>
  pipe(readPushJson(sent, limitBytes), TE.flatMapEither(partsRequest));
