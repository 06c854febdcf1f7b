import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import type { TeamKey } from '../../contract/answers/team-keys';
import type { TeamKeys } from '../../graph/records/team-keys';
import type { Failure } from '../../problem';
import { pushInstant } from '../change/push-instant';
import { hashOf, isExpired } from './team-keys';

/** Signs callers in with team keys. */
export interface SignIns {
  /** The key that lets its caller in; `Unauthenticated` of what is none, revoked or expired. */
  readonly find: (accessKey: string) => TE.TaskEither<Failure, TeamKey>;
  /** Whether the key has let somebody in here before, and has not been shut out since. */
  readonly isKnown: (accessKey: string) => boolean;
  /** Looks all keys up again: one of them was changed. */
  readonly forget: () => void;
}

/** What signing in needs. */
export interface SignInDependencies {
  readonly teamKeys: Pick<TeamKeys, 'findByHash' | 'noteUse'>;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** A key is looked up at most once in this time, and revocations by other processes count after it at the latest. */
const LOOKED_UP_MS = 1_000;
/** The use of a key is noted at most once in this time. */
const NOTED_MS = 60_000;
const MOST_KEYS = 10_000;

const refused = (message: string): Failure => ({ _tag: 'Unauthenticated', message });

const UNKNOWN = refused('The key is not known.');

/** Signing in against the graph, which is asked once a second at most for one key (docs/security.md: One caller does not starve the others). */
export const signIns = ({
  teamKeys,
  now = () => performance.now(),
}: SignInDependencies): SignIns => {
  const timed = { max: MOST_KEYS, perf: { now }, ttlResolution: 0 };
  const lookedUp = new LRUCache<string, Promise<E.Either<Failure, TeamKey | null>>>({
    ...{ ...timed, ttl: LOOKED_UP_MS },
  });
  const noted = new LRUCache<string, true>({ ...timed, ttl: NOTED_MS });
  const known = new LRUCache<string, true>({ max: MOST_KEYS });

  const lookUp = (hash: string): TE.TaskEither<Failure, TeamKey | null> => {
    return async () => {
      const recent = lookedUp.get(hash);
      if (recent !== undefined) return recent;
      const looking = teamKeys.findByHash(hash)();
      lookedUp.set(hash, looking);
      const found = await looking;
      // A graph that did not answer is asked again.
      if (E.isLeft(found) && lookedUp.peek(hash) === looking) lookedUp.delete(hash);
      return found;
    };
  };

  const judged = (hash: string, key: TeamKey | null): E.Either<Failure, TeamKey> => {
    if (key?.status !== 'ACTIVE') {
      known.delete(hash);
      return E.left(UNKNOWN);
    }
    if (isExpired(key)) {
      known.delete(hash);
      return E.left(refused(`The key expired at ${String(key.expires_at)}.`));
    }
    known.set(hash, true);
    return E.right(key);
  };

  const note = ({ id }: TeamKey): void => {
    if (noted.has(id)) return;
    noted.set(id, true);
    // Nobody waits for it: a graph that does not answer is told of the next use.
    void teamKeys
      .noteUse(id, pushInstant(null))()
      .then((outcome) => E.isLeft(outcome) && noted.delete(id));
  };

  return {
    find: (accessKey) => {
      const hash = hashOf(accessKey);
      return pipe(
        lookUp(hash),
        TE.flatMapEither((key) => judged(hash, key)),
        TE.tapIO((key) => () => note(key)),
      );
    },
    isKnown: (accessKey) => known.has(hashOf(accessKey)),
    forget: () => lookedUp.clear(),
  };
};
