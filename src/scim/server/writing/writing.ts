import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { DataSourceOfProvider } from '../../../graph/records/provider-record';
import type { Directory, StoredResource } from '../directory';
import type { Failure } from '../../../problem';
import type { AcceptedPush } from '../../../push/run/contract';
import type { PushIntent, SentPush } from '../../../push/receive/contract';
import { keyOf, type Turns } from '../../../web/admission/turns';
import { type Entry, incrementOf } from './entries';

/** Takes a push. */
export type TakePush = (push: SentPush) => TaskEither<Failure, AcceptedPush>;

/** How much the thread that answers works on for one write. */
export interface WorkHere {
  /** Members of a group that the write looks at. */
  readonly members: number;
  /** Values that a PATCH compares. */
  readonly compared: number;
}

/** What the service needs to be read and written through SCIM. */
export interface ScimServerDependencies {
  readonly directory: Directory;
  /** Requests that write to one data source run one after the other. */
  readonly turns: Turns;
  readonly newId: () => string;
  /** How much this thread does for one write. A push thread runs larger ones. Unset: everything. */
  readonly here?: WorkHere;
  /** How many entries an increment of a write has at most; ten thousand if unset. */
  readonly entriesAtOnce?: number;
  /** How long a filter may look through resources; any time if unset. */
  readonly answerSeconds?: number;
}

/** Who writes, and with which request. */
export type Writer = Pick<PushIntent, 'requestId' | 'by' | 'seconds'>;

/** What a request changes. */
export interface Planned {
  readonly entries: readonly Entry[];
  /** The resource that the request is about. */
  readonly id: string;
  /** The attribute of the request that a place of the increment comes from. */
  readonly pointerOf?: (pointer: string) => string;
}

const ATTEMPTS = 5;

/**
 * An increment of a write has at most this many entries. One transaction of Neo4j holds their
 * changes, and others who push to the data source wait for a few seconds.
 */
const ENTRIES_AT_ONCE = 10_000;

const DELETING: Failure = { _tag: 'NotFound', message: 'The data source is being deleted.' };

const NO_SOURCE: Failure = { _tag: 'NotFound', message: 'There is no data source with this id.' };

const NO_DIRECTORY: Failure = {
  _tag: 'NotFound',
  message: 'The data source is not one of an identity provider, so it has no users and groups.',
};

/** The data source that a path names, if the caller may know it. */
export const sourceOf =
  ({ directory }: Pick<ScimServerDependencies, 'directory'>) =>
  (id: string, limitedTo: readonly string[] | null): TaskEither<Failure, DataSourceOfProvider> =>
  async () => {
    const found = await directory.source(id)();
    if (E.isLeft(found)) return found;
    const source = found.right;
    if (source === null) return E.left(NO_SOURCE);
    // A key that is limited to other providers cannot find out that it exists.
    if (limitedTo !== null && !limitedTo.includes(source.provider.id)) return E.left(NO_SOURCE);
    if (source.provider.custom_template !== 'identity_provider') return E.left(NO_DIRECTORY);
    return E.right(source);
  };

const isDeleting = ({ provider, dataSource }: DataSourceOfProvider): boolean =>
  provider.state === 'DELETING' || dataSource.status === 'DELETING';

/** The first push of a data source must be full (docs/increments.md 1.1). */
const firstPayload = ({ provider, dataSource }: DataSourceOfProvider): object => ({
  name: provider.name,
  domains: [{ name: dataSource.name }],
});

const sentPush = (
  source: DataSourceOfProvider,
  payload: object,
  writer: Writer,
  onDigest = source.dataSource.digest,
): SentPush => ({
  holds: 'file',
  isCsv: false,
  source,
  body: [Uint8Array.from(Buffer.from(JSON.stringify(payload)))],
  encoding: undefined,
  confirmedRemoval: null,
  ...writer,
  onDigest,
});

const toMembers = (): string => '/members';

const placed = (failure: Failure, pointerOf: Planned['pointerOf']): Failure =>
  failure._tag === 'Invalid' && pointerOf !== undefined
    ? {
        ...failure,
        problems: failure.problems.map((problem) => ({
          ...problem,
          pointer: pointerOf(problem.pointer),
        })),
      }
    : failure;

/**
 * Writes to a data source: reads the current state, plans, and pushes the plan as an increment that
 * is valid only for the state that was read. If somebody else pushed in between, it begins again. A
 * plan of very many entries becomes several increments, one after the other; sent again, the
 * request does the rest.
 */
export const writing =
  (
    { directory, turns, entriesAtOnce = ENTRIES_AT_ONCE }: ScimServerDependencies,
    takePush: TakePush,
  ) =>
  (
    sourceId: string,
    writer: Writer,
    plan: (source: DataSourceOfProvider) => TaskEither<Failure, Planned>,
  ): TaskEither<Failure, Planned> => {
    const digestNow = async (): Promise<E.Either<Failure, DataSourceOfProvider>> => {
      const found = await directory.source(sourceId)();
      if (E.isLeft(found)) return found;
      if (found.right === null) return E.left(NO_SOURCE);
      return isDeleting(found.right) ? E.left(DELETING) : E.right(found.right);
    };

    const attempt = async (
      source: DataSourceOfProvider,
    ): Promise<E.Either<Failure, Planned | null>> => {
      if (source.dataSource.digest === null) {
        const begun = await takePush(sentPush(source, firstPayload(source), writer))();
        return E.isLeft(begun) ? begun : E.right(null);
      }
      const planned = await plan(source)();
      if (E.isLeft(planned) || planned.right.entries.length === 0) return planned;
      const { entries, pointerOf } = planned.right;
      let { digest } = source.dataSource;
      for (let from = 0; from < entries.length; from += entriesAtOnce) {
        const some = entries.slice(from, from + entriesAtOnce);
        const pushed = await takePush(sentPush(source, incrementOf(some), writer, digest))();
        // The resource itself is among the first entries, and the others are its members.
        if (E.isLeft(pushed))
          return E.left(placed(pushed.left, from === 0 ? pointerOf : toMembers));
        ({ digest } = pushed.right);
      }
      return planned;
    };

    const written = turns.run({ key: keyOf(writer.by), dataSource: sourceId }, async () => {
      let conflicts = 0;
      let source = await digestNow();
      while (E.isRight(source)) {
        const done = await attempt(source.right);
        if (E.isRight(done) && done.right !== null) return E.right(done.right);
        if (E.isLeft(done) && done.left._tag !== 'Conflict') return done;
        const before = source.right.dataSource.digest;
        source = await digestNow();
        if (E.isLeft(done) && E.isRight(source)) {
          conflicts += 1;
          const isOvertaken = source.right.dataSource.digest !== before;
          if (!isOvertaken || conflicts === ATTEMPTS) return done;
        }
      }
      return source;
    });
    return pipe(written, TE.mapLeft(busy));
  };

/**
 * Clients read 409 as a value that is in use already. So failures that may pass are answered 429.
 */
const busy = (failure: Failure): Failure =>
  failure._tag === 'Conflict' ? { _tag: 'Exhausted', message: failure.message } : failure;

/** The resource of this id. */
export const onlyOne = (
  found: readonly StoredResource[],
  message: string,
): E.Either<Failure, StoredResource> => {
  const [one] = found;
  return one === undefined ? E.left({ _tag: 'NotFound', message }) : E.right(one);
};
