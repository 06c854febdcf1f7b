import { randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { TakenPart } from '../endpoints';
import type { Actor } from '../../graph/records/event-record';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { StoredPart, UploadOf, Uploads } from '../graph/uploads';
import { badField, type Failure } from '../../problem';
import { storePart, storeSentPart, type PartSizes } from './store-part';
import { type PartsRequest, readPartsRequest, type SentPart } from './parts-request';
import type { PushIntent } from '../receive/push-intent';
import type { SentBody } from '../../web/bodies/sent-body';
import type { SentPush } from '../receive/sent-push';
import type { AcceptedPush } from '../run/accepted-push';
import { keyOf } from '../../web/admission/turns';
import { unknownUpload } from '../receive/unknown-upload';
import type { UploadThread } from './upload-thread';
import { overQuota } from './upload-quota';

/** What the service needs for multipart uploads. */
export interface UploadDependencies {
  readonly uploads: Uploads;
  readonly sizes: PartSizes;
  /** The thread that reads large parts; `null` if this thread reads them. */
  readonly thread: UploadThread | null;
  readonly push: (push: SentPush) => TE.TaskEither<Failure, AcceptedPush>;
  /** Starts the background work at once. It removes ended uploads. */
  readonly wake: () => void;
}

/** A part, or a body that is too large to be read in this thread. */
export type SomePart = SentPart | SentBody;

/** A request of a multipart upload. The service has not read a large body yet. */
export type SomePartsRequest =
  | Exclude<PartsRequest, { readonly operation: 'upload' }>
  | { readonly operation: 'upload'; readonly part: SomePart };

/**
 * The request that completes an upload: all its parts have come (docs/rules.md: Multipart uploads).
 */
export interface CompleteUpload extends PushIntent {
  readonly upload: string;
  /** How many parts the upload has. */
  readonly count: number;
}

const gone: Failure = {
  _tag: 'NotFound',
  message: 'There is no data source with this id below this provider.',
};

const uploadOf = (id: string, { dataSource }: DataSourceOfProvider): UploadOf => ({
  id,
  dataSource: dataSource.id,
});

/**
 * Reads a request of a multipart upload. A large body, as sent or once its encoding is undone, is
 * left for the thread: it may only bring a part.
 */
export const readParts =
  ({ sizes, thread }: UploadDependencies) =>
  (sent: SentBody): TE.TaskEither<Failure, SomePartsRequest> => {
    if (thread === null) return readPartsRequest(sent, sizes.bodyBytes);
    const large: SomePartsRequest = { operation: 'upload', part: sent };
    const bytes = sent.body.reduce((sum, block) => sum + block.length, 0);
    if (bytes > sizes.smallBytes) return TE.right(large);
    return pipe(
      readPartsRequest(sent, sizes.smallBytes),
      TE.orElse((failure): TE.TaskEither<Failure, SomePartsRequest> =>
        failure._tag === 'TooLarge' ? TE.right(large) : TE.left(failure),
      ),
    );
  };

/** Starts a multipart upload and gives its id (docs/rules.md: Multipart uploads). */
export const startUpload =
  ({ uploads, sizes: { quota } }: UploadDependencies) =>
  (source: DataSourceOfProvider): TE.TaskEither<Failure, string> =>
    pipe(
      uploads.start(uploadOf(randomUUID(), source), quota),
      TE.flatMap((upload) => {
        if (upload === null) return TE.left(gone);
        return 'over' in upload ? TE.left(overQuota(quota, upload)) : TE.right(upload.id);
      }),
    );

/**
 * Accepts a part. The upload thread reads and stores a large part (docs/rules.md: Multipart
 * uploads).
 */
export const takePart =
  ({ uploads, sizes, thread }: UploadDependencies) =>
  (
    { dataSource }: DataSourceOfProvider,
    part: SomePart,
    by: Actor,
  ): TE.TaskEither<Failure, TakenPart> => {
    if ('base64' in part) return storePart(uploads, sizes)(dataSource.id, part);
    return thread === null
      ? storeSentPart(uploads, sizes)({ dataSource: dataSource.id, sent: part })
      : thread.store({ key: keyOf(by), dataSource: dataSource.id, sent: part });
  };

const inWords = (numbers: readonly number[]): string =>
  numbers.length === 1 ? `part ${numbers.join()} has` : `parts ${numbers.join(', ')} have`;

/** The failure if the upload lacks one of `count` parts or has more parts. */
const incomplete = (parts: readonly StoredPart[], count: number): Failure | null => {
  const come = new Set(parts.map(({ number }) => number));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !come.has(number),
  );
  if (missing.length > 0) {
    return badField('/sequence_count', 'MISSING_PART', `${inWords(missing)} not come`);
  }
  const beyond = [...come].filter((number) => number > count);
  return beyond.length === 0
    ? null
    : badField('/sequence_count', 'OUT_OF_RANGE', `is ${count}, but ${inWords(beyond)} come`);
};

// A later try may succeed, so the upload stays and the client may complete it again.
const mayPassLater = ({ _tag }: Failure): boolean =>
  _tag === 'Conflict' || _tag === 'Exhausted' || _tag === 'Unavailable' || _tag === 'Internal';

/**
 * Pushes the payload of a complete upload like any other payload (docs/rules.md: Multipart
 * uploads). The thread that runs the push reads the parts.
 */
export const completeUpload =
  ({ uploads, push, wake }: UploadDependencies) =>
  ({ upload: id, count, ...request }: CompleteUpload): TE.TaskEither<Failure, AcceptedPush> => {
    const upload = uploadOf(id, request.source);
    // An accepted push has ended its upload already. The result of a refused one is valid even if
    // this fails. The service then removes the upload when it is old.
    const end = pipe(
      uploads.end(upload),
      TE.match(() => undefined, wake),
      TE.fromTask<void, Failure>,
    );
    const pushAll = (parts: readonly StoredPart[]): TE.TaskEither<Failure, AcceptedPush> =>
      pipe(
        push({ ...request, holds: 'upload', upload, parts }),
        TE.tapIO(() => wake),
        TE.tapError((failure) => (mayPassLater(failure) ? TE.right(undefined) : end)),
      );
    return pipe(
      uploads.parts(upload),
      TE.flatMap((parts) => {
        if (parts === null) return TE.left(unknownUpload);
        const failure = incomplete(parts, count);
        return failure === null ? pushAll(parts) : TE.left(failure);
      }),
    );
  };

/** Removes the parts of uploads that have ended or are too old. */
export const removeOldUploads = async (
  uploads: Pick<Uploads, 'removeSome'>,
  isStopping: () => boolean,
): Promise<void> => {
  while (!isStopping() && (await uploads.removeSome()));
};
