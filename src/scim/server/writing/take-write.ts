import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { JsonBounds } from '../../../contract/json-bounds';
import { badField, type Failure } from '../../../problem';
import type { AcceptedPush } from '../../../push/run/contract';
import { readSentJson } from '../../../web/bodies/sent-body';
import {
  type PushThreads,
  type SentScim,
  type ThreadWrite,
  type WrittenScim,
} from '../../../push/threads/contract';
import { fromSerializable, toSerializable } from '../../../neo4j/thread-failure';
import { keyOf, type Turns } from '../../../web/admission/turns';
import { KINDS, type ResourceKind, USER } from '../attributes';
import { type ScimServer, scimServer } from '../scim-server';
import type { ScimServerDependencies, TakePush } from './writing';

/** Enough for a group of a hundred thousand members, each with all its parts. */
export const MOST_SCIM_BYTES = 16 * 1024 ** 2;

/** What a body may hold. */
interface Bounds extends JsonBounds {
  readonly bytes: number;
}

const BOUNDS: Bounds = { bytes: MOST_SCIM_BYTES, levels: 64, values: 1_000_000 };

/** A push thread reads, checks and plans what holds more. */
const BOUNDS_HERE: Bounds = { ...BOUNDS, bytes: 64 * 1024, values: 5_000 };

/** As many as the answer names. */
const MOST_IGNORED = 50;

type Body = Readonly<Record<string, unknown>>;

const asObject = (body: unknown): E.Either<Failure, Body> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? E.right(body as Body)
    : E.left(badField('', 'WRONG_TYPE', 'expected an object'));

const kindOf = (sent: SentScim): ResourceKind =>
  KINDS.find(({ name }) => name === sent.kind) ?? USER;

/** Reads a write through SCIM, and makes it in this thread. */
const takeHere =
  ({ writes }: Pick<ScimServer, 'writes'>, takePush: TakePush, bounds: Bounds) =>
  (sent: SentScim): TE.TaskEither<Failure, WrittenScim> => {
    const { how, id, address, selection, requestId, by, seconds } = sent;
    const kind = kindOf(sent);
    const writer = { requestId, ...(by !== undefined && { by }), seconds };
    const write = writes(takePush);
    return pipe(
      readSentJson(sent, bounds.bytes, bounds),
      TE.flatMapEither(asObject),
      TE.flatMap((body) =>
        how === 'create'
          ? write.create(address, kind, body, writer, selection)
          : write[how](address, kind, id, body, writer, selection),
      ),
      TE.map(({ resource, location, ignored }) => ({
        json: Uint8Array.from(Buffer.from(JSON.stringify(resource))),
        location,
        ignored: ignored.slice(0, MOST_IGNORED),
      })),
    );
  };

/** Takes a write in a push thread, and gives the pushes that it made or tried there. */
export const takeWriteInThread = (
  dependencies: ScimServerDependencies,
  takePush: TakePush,
): ((sent: SentScim) => TE.TaskEither<never, ThreadWrite>) => {
  const server = scimServer(dependencies);
  return (sent) => {
    const pushes: AcceptedPush[] = [];
    const refused: Failure[] = [];
    const noted: TakePush = (push) =>
      pipe(
        takePush(push),
        TE.tapIO((taken) => () => void pushes.push(taken)),
        TE.tapError((failure) => TE.fromIO(() => void refused.push(toSerializable(failure)))),
      );
    return async () => {
      const outcome = await takeHere(server, noted, BOUNDS)(sent)();
      return E.right({ outcome: pipe(outcome, E.mapLeft(toSerializable)), pushes, refused });
    };
  };
};

/** Hears of the pushes that a thread made for a write. */
export interface ThreadPushes {
  readonly done: (push: AcceptedPush) => void;
  readonly failed: (failure: Failure) => void;
}

/** What the main thread needs to run writes. */
export interface TakeWriteDependencies {
  readonly server: Pick<ScimServer, 'writes'>;
  /** `null` if all runs in this thread. */
  readonly threads: Pick<PushThreads, 'write'> | null;
  /** Turns of the data sources to which threads write. */
  readonly turns: Turns;
}

const bytesOf = ({ body }: SentScim): number => body.reduce((sum, { length }) => sum + length, 0);

const inThread =
  (threads: Pick<PushThreads, 'write'>, sent: SentScim, counter: ThreadPushes) =>
  async (): Promise<E.Either<Failure, WrittenScim>> => {
    const done = await threads.write(sent)();
    if (E.isLeft(done)) {
      counter.failed(done.left);
      return done;
    }
    const { outcome, pushes, refused } = done.right;
    pushes.forEach(counter.done);
    refused.map(fromSerializable).forEach(counter.failed);
    return pipe(outcome, E.mapLeft(fromSerializable));
  };

/**
 * Runs a write through SCIM as it was sent. A large one goes to a push thread, so that the service
 * answers other requests in the meantime. It may be large as sent, after it is uncompressed, or by
 * the members of the group that it looks at. `takePush` runs the pushes that this thread makes.
 */
export const takeWrite =
  ({ server, threads, turns }: TakeWriteDependencies) =>
  (
    sent: SentScim,
    takePush: TakePush,
    counter: ThreadPushes,
  ): TE.TaskEither<Failure, WrittenScim> => {
    if (threads === null) return takeHere(server, takePush, BOUNDS)(sent);
    const there = turns.run(
      { key: keyOf(sent.by), dataSource: sent.address.source },
      inThread(threads, sent, counter),
    );
    if (bytesOf(sent) > BOUNDS_HERE.bytes) return there;
    return pipe(
      takeHere(server, takePush, BOUNDS_HERE)(sent),
      TE.orElse((failure) => (failure._tag === 'TooLarge' ? there : TE.left(failure))),
    );
  };
