import { randomUUID } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { readBase64 } from '../../contract/base64';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { KeptPart, UploadOf, Uploads } from '../../graph/records/uploads';
import { type Failure, invalid, oneProblem, type ProblemCode } from '../../problem';
import type { PushIntent } from './push-request';
import { type SentPush, sentPayload } from './sent-push';
import type { TakenPush } from './taken-push';

/** What pushing in parts needs. */
export interface PartsDependencies {
  readonly uploads: Uploads;
  /** Bytes of a whole payload. */
  readonly mostBytes: number;
  readonly push: (push: SentPush) => TE.TaskEither<Failure, TakenPush>;
  /** Has the background begin at once: it removes what has ended. */
  readonly wake: () => void;
}

/** A part of a payload, as it is sent (api.md 2). */
export interface SentPart {
  readonly upload: string;
  readonly number: number;
  readonly base64: string;
}

/** Says that all parts of a payload have come (api.md 2). */
export interface CompleteUpload extends PushIntent {
  readonly upload: string;
  /** How many parts it has. */
  readonly count: number;
}

const refused = (pointer: string, code: ProblemCode, message: string): Failure =>
  invalid('The request is not valid.', oneProblem(pointer, code, message));

const unknownUpload = refused(
  '/upload_id',
  'UNKNOWN_UPLOAD',
  'is no upload of this data source, or one older than an hour',
);

const gone: Failure = {
  _tag: 'NotFound',
  message: 'There is no data source with this id below this provider.',
};

const uploadOf = (id: string, { dataSource }: DataSourceOfProvider): UploadOf => ({
  id,
  dataSource: dataSource.id,
});

/** Begins a payload that comes in parts; gives the upload's id (api.md 2). */
export const startUpload =
  ({ uploads }: PartsDependencies) =>
  (source: DataSourceOfProvider): TE.TaskEither<Failure, string> =>
    pipe(
      uploads.start(uploadOf(randomUUID(), source)),
      TE.flatMap((upload) => (upload === null ? TE.left(gone) : TE.right(upload.id))),
    );

/** Takes a part, in any order; sent again with the same bytes it is taken once (api.md 2). */
export const takePart =
  ({ uploads, mostBytes }: PartsDependencies) =>
  (source: DataSourceOfProvider, { upload, number, base64 }: SentPart) => {
    const bytes = readBase64(base64);
    if (bytes === null) return TE.left(refused('/data', 'BAD_BASE64', 'is not base64'));
    return pipe(
      uploads.keep(uploadOf(upload, source), { number, bytes }, mostBytes),
      TE.flatMap((outcome): TE.TaskEither<Failure, void> => {
        switch (outcome) {
          case 'kept':
            return TE.right(undefined);
          case 'repeated':
            return TE.left(
              refused(
                '/sequence_number',
                'REPEATED_PART',
                `part ${number} has come with other data`,
              ),
            );
          case 'too large':
            return TE.left({
              _tag: 'TooLarge',
              message: `The payload is larger than ${mostBytes} bytes with this part.`,
            });
          case 'unknown upload':
            return TE.left(unknownUpload);
        }
      }),
    );
  };

const inWords = (numbers: readonly number[]): string =>
  numbers.length === 1 ? `part ${numbers.join()} has` : `parts ${numbers.join(', ')} have`;

/** What is wrong with the parts that have come, if there should be so many. */
const incomplete = (parts: readonly KeptPart[], count: number): Failure | null => {
  const come = new Set(parts.map(({ number }) => number));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !come.has(number),
  );
  if (missing.length > 0) {
    return refused('/sequence_count', 'MISSING_PART', `${inWords(missing)} not come`);
  }
  const beyond = [...come].filter((number) => number > count);
  return beyond.length === 0
    ? null
    : refused('/sequence_count', 'OUT_OF_RANGE', `is ${count}, but ${inWords(beyond)} come`);
};

// Once the state of the data source, or of the service, allows it the client may complete again.
const mayPassLater = ({ _tag }: Failure): boolean =>
  _tag === 'Conflict' || _tag === 'Exhausted' || _tag === 'Unavailable' || _tag === 'Internal';

/** Pushes a payload whose parts have come, as if it had come whole (api.md 2). */
export const completeUpload =
  ({ uploads, push, wake }: PartsDependencies) =>
  ({ upload: id, count, ...request }: CompleteUpload): TE.TaskEither<Failure, TakenPush> => {
    const begun = performance.now();
    const upload = uploadOf(id, request.source);
    // What has become of the push stands; an upload that is left is removed when it is old.
    const end = pipe(
      uploads.end(upload),
      TE.match(() => undefined, wake),
      TE.fromTask<void, Failure>,
    );
    const pushAll = (bytes: Buffer): TE.TaskEither<Failure, TakenPush> =>
      pipe(
        push({
          ...request,
          ...sentPayload(bytes),
          seconds: { ...request.seconds, parts: (performance.now() - begun) / 1000 },
        }),
        TE.tap(() => end),
        TE.tapError((failure) => (mayPassLater(failure) ? TE.right(undefined) : end)),
      );
    return pipe(
      uploads.parts(upload),
      TE.flatMap((parts): TE.TaskEither<Failure, Buffer | null> => {
        if (parts === null) return TE.right(null);
        const failure = incomplete(parts, count);
        return failure === null ? uploads.bytes(upload, parts) : TE.left(failure);
      }),
      TE.flatMap((bytes) => (bytes === null ? TE.left(unknownUpload) : TE.right(bytes))),
      TE.flatMap(pushAll),
    );
  };

/** Removes the parts of uploads that have ended or are too old. */
export const removeOldUploads = async (
  uploads: Pick<Uploads, 'removeSome'>,
  isStopping: () => boolean,
): Promise<void> => {
  while (!isStopping() && (await uploads.removeSome()));
};
