import { createHash, timingSafeEqual } from 'node:crypto';

import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import { isAccessKey } from '../../contract/team-key';
import type { Failure } from '../../problem';
import { ownerWith } from './caller';
import type { KeyHolder, MayTry, SignIns } from '../routing/web';
import { limited, noteNoGuess } from './limit-sign-ins';

/** The digest of a secret. All have one length, so a comparison needs the same time for each. */
const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether a secret has this digest. */
const hasDigest = (secret: string, digest: Buffer): boolean =>
  timingSafeEqual(digestOf(secret), digest);

/** What signing in with a key needs. */
export interface KeySignInDeps {
  /** The value of the setting `API_KEY`. */
  readonly apiKey: string;
  /** The value of the setting `API_KEY_NEXT`, during a rotation. */
  readonly nextApiKey?: string | undefined;
  /** Finds the team key of an access key. */
  readonly findTeamKey: (accessKey: string) => TaskEither<Failure, KeyHolder>;
  /** Whether this process has found this access key in the graph, though it may have ended. */
  readonly isKnownTeamKey: (accessKey: string) => boolean;
  readonly noteRefusedSignIn: (address: string) => void;
  readonly mayTry: MayTry;
}

type SignInWithKey = SignIns['signInWithKey'];

const UNKNOWN: Failure = { _tag: 'Unauthenticated', message: 'The key is not known.' };

/**
 * Finds out whose key it is. If too many unknown keys come from one address, it refuses every key
 * from there that it has not found in the graph before (docs/security.md: One caller does not starve the
 * others).
 */
export const keySignIn = ({
  apiKey,
  nextApiKey,
  findTeamKey,
  isKnownTeamKey,
  noteRefusedSignIn,
  mayTry,
}: KeySignInDeps): SignInWithKey => {
  const owners = [
    { expected: digestOf(apiKey), caller: ownerWith('API_KEY') },
    ...(nextApiKey === undefined
      ? []
      : [{ expected: digestOf(nextApiKey), caller: ownerWith('API_KEY_NEXT') }]),
  ];

  const callerWith: SignInWithKey = async (way, given, req, res) => {
    // It compares with each, so that the time does not say which key it is.
    const [owner] = owners.filter(({ expected }) => hasDigest(given, expected));
    if (owner !== undefined) return E.right(owner.caller);
    const late = isKnownTeamKey(given) ? null : await mayTry(way, req, res);
    if (late !== null) return E.left(limited(late, 'keys'));
    if (!isAccessKey(given)) return E.left(UNKNOWN);
    const found = await findTeamKey(given)();
    if (E.isLeft(found) && isKnownTeamKey(given)) noteNoGuess(res);
    return found;
  };

  return async (way, given, req, res) => {
    const caller = await callerWith(way, given, req, res);
    if (
      E.isLeft(caller) &&
      (caller.left._tag === 'Unauthenticated' || caller.left._tag === 'Exhausted')
    ) {
      noteRefusedSignIn(req.ip ?? '');
    }
    return caller;
  };
};
