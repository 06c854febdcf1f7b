import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../problem';
import { type PushDependencies, pushMetadata, type PushResult } from './push-metadata';
import type { PushThreads } from './push-threads';
import { type PushSizes, readPayload, type SentPush } from './sent-push';
import { type TakenPush, takenPush } from './taken-push';

/** Threads for large pushes. */
export interface LargePushes {
  readonly threads: PushThreads;
  /** Bytes from which on a push is large. */
  readonly fromBytes: number;
}

/** What taking pushes needs. */
export interface TakePushDependencies {
  readonly push: PushDependencies;
  readonly sizes: PushSizes;
  /** `null` where all pushes run in the thread that takes them. */
  readonly large: LargePushes | null;
}

const pushed = (
  { push }: Pick<TakePushDependencies, 'push'>,
  { source, requestId, confirmedRemoval, seconds }: SentPush,
  json: string,
  readingSince: number,
): TE.TaskEither<Failure, PushResult> =>
  pushMetadata(push)({
    source,
    json,
    requestId,
    confirmedRemoval,
    seconds: {
      ...seconds,
      read: (seconds.read ?? 0) + (performance.now() - readingSince) / 1000,
    },
  });

/** Reads a push and runs it, in this very thread. */
export const takePushHere =
  (dependencies: Omit<TakePushDependencies, 'large'>) =>
  (sent: SentPush): TE.TaskEither<Failure, TakenPush> => {
    const since = performance.now();
    return pipe(
      readPayload(sent, dependencies.sizes),
      TE.flatMap((json) => pushed(dependencies, sent, json, since)),
      TE.map(takenPush),
    );
  };

/**
 * Takes a push as it was sent. A large one runs in a thread of its own, so that other requests are answered meanwhile: one that is large as it
 * comes, or turns out to be when it is uncompressed.
 */
export const takePush = ({ large, push, sizes }: TakePushDependencies) => {
  if (large === null) return takePushHere({ push, sizes });
  const { threads, fromBytes } = large;
  const small: PushSizes = {
    bodyBytes: Math.min(fromBytes, sizes.bodyBytes),
    jsonBytes: Math.min(fromBytes, sizes.jsonBytes),
  };
  return (sent: SentPush): TE.TaskEither<Failure, TakenPush> => {
    const since = performance.now();
    const bytes = sent.body.reduce((sum, block) => sum + block.length, 0);
    if (bytes > small.bodyBytes) return threads.take(sent);
    return pipe(
      readPayload(sent, small),
      TE.matchE(
        (failure) => (failure._tag === 'TooLarge' ? threads.take(sent) : TE.left(failure)),
        (json) => pipe(pushed({ push }, sent, json, since), TE.map(takenPush)),
      ),
    );
  };
};
