import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';

import type { TeamKey } from './records';
import type { TeamKeys } from './key-records';
import type { Failure } from '../../problem';
import { pushInstant } from '../../graph/records/push-instant';
import { isExpired } from './key-rights';
import { hashOf } from './team-keys';

/** What sign-ins depend on. */
export interface SignInDependencies {
  readonly teamKeys: Pick<TeamKeys, 'findByHash' | 'noteUse'>;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

/**
 * The service looks a key up at most once in this time. So it notices a revocation by another
 * process after this time at the latest.
 */
const LOOKED_UP_MS = 1_000;
/** The service records the use of a key at most once in this time. */
const NOTED_MS = 60_000;
const MOST_KEYS = 10_000;

const refused = (message: string): Failure => ({ _tag: 'Unauthenticated', message });

const UNKNOWN = refused('The key is not known.');

/**
 * Signs in with keys of the graph. It looks one key up at most once a second (docs/security.md: One
 * caller does not starve the others).
 */
export const signIns = ({ teamKeys, now = () => performance.now() }: SignInDependencies) => {
  const timed = { max: MOST_KEYS, perf: { now }, ttlResolution: 0 };
  const lookedUp = new LRUCache<string, Promise<E.Either<Failure, TeamKey | null>>>({
    ...timed,
    ttl: LOOKED_UP_MS,
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
      // Neo4j did not answer, so the next request tries again.
      if (E.isLeft(found) && lookedUp.peek(hash) === looking) lookedUp.delete(hash);
      return found;
    };
  };

  const judged = (hash: string, key: TeamKey | null): E.Either<Failure, TeamKey> => {
    if (key === null) {
      known.delete(hash);
      return E.left(UNKNOWN);
    }
    known.set(hash, true);
    if (key.status !== 'ACTIVE') return E.left(UNKNOWN);
    if (isExpired(key)) return E.left(refused(`The key expired at ${String(key.expires_at)}.`));
    return E.right(key);
  };

  const note = ({ id }: TeamKey): void => {
    if (noted.has(id)) return;
    noted.set(id, true);
    // Nobody waits for this. If Neo4j does not answer, the next use of the key is recorded.
    void teamKeys
      .noteUse(id, pushInstant(null))()
      .then((outcome) => E.isLeft(outcome) && noted.delete(id));
  };

  return {
    /**
     * Finds the team key of an access key. Fails with `Unauthenticated` if it is unknown, revoked or
     * expired.
     */
    find: (accessKey: string): TE.TaskEither<Failure, TeamKey> => {
      const hash = hashOf(accessKey);
      return pipe(
        lookUp(hash),
        TE.flatMapEither((key) => judged(hash, key)),
        TE.tapIO((key) => () => note(key)),
      );
    },
    /**
     * Whether this process has found the key in the graph, though it may be revoked or expired. Who
     * sends it does not guess, so a connector with an ended key uses up nothing of its address.
     */
    isKnown: (accessKey: string): boolean => known.has(hashOf(accessKey)),
    /** Forgets all keys that were looked up, since one of them was changed. */
    forget: (): void => lookedUp.clear(),
  };
};
