import { createHash, timingSafeEqual } from 'node:crypto';

import type { Request, RequestHandler, Response } from 'express';
import * as E from 'fp-ts/Either';

import { isAccessKey } from '../../contract/team-key';
import type { Failure } from '../../problem';
import type { Respond } from '../exchange/respond';
import { foundFor, isOpen } from '../routing/find-route';
import { ownerWith, setCaller } from './caller';
import type { MayTry } from './limit-sign-ins';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { TeamKey } from '../../contract/records/team-key';

/** What signing in needs. */
export interface SignInDeps {
  /** The value of the setting `API_KEY`. */
  readonly apiKey: string;
  /** The value of the setting `API_KEY_NEXT`, during a rotation. */
  readonly nextApiKey?: string | undefined;
  /** Finds the team key of an access key. */
  readonly findTeamKey: (accessKey: string) => TaskEither<Failure, TeamKey>;
  /** Whether somebody has signed in with this access key before. */
  readonly isKnownTeamKey: (accessKey: string) => boolean;
  readonly noteRefusedSignIn: (address: string) => void;
  readonly mayTry: MayTry;
  readonly respond: Respond;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const BEARER = /^Bearer +(\S+) *$/i;

const unauthenticated = (message: string): Failure => ({ _tag: 'Unauthenticated', message });

const MISSING = unauthenticated('A key is missing: send the header "authorization: Bearer <key>".');
const UNKNOWN = unauthenticated('The key is not known.');

/**
 * Lets a request through if it carries a key of the settings or a team key, or if its route needs no key. The
 * service answers all others with 401. If too many unknown keys come from one address, it answers
 * 429 to every key from there that has not signed in before (docs/security.md: One caller does not
 * starve the others).
 */
export const authenticate = ({
  apiKey,
  nextApiKey,
  findTeamKey,
  isKnownTeamKey,
  noteRefusedSignIn,
  mayTry,
  respond,
}: SignInDeps): RequestHandler => {
  const owners = [
    { expected: digestOf(apiKey), caller: ownerWith('API_KEY') },
    ...(nextApiKey === undefined
      ? []
      : [{ expected: digestOf(nextApiKey), caller: ownerWith('API_KEY_NEXT') }]),
  ];

  const signIn = async (given: string, req: Request, res: Response): Promise<Failure | null> => {
    // Digests have one length, so the comparison needs the same time for every key.
    const digest = digestOf(given);
    const [owner] = owners.filter(({ expected }) => timingSafeEqual(digest, expected));
    if (owner !== undefined) {
      setCaller(res, owner.caller);
      return null;
    }
    const limited = isKnownTeamKey(given) ? null : await mayTry(req, res);
    if (limited !== null) {
      const message = 'Too many unknown keys came from this address; try again later.';
      return { _tag: 'Exhausted', message, ...limited };
    }
    if (!isAccessKey(given)) return UNKNOWN;
    const found = await findTeamKey(given)();
    if (E.isLeft(found)) return found.left;
    const { id, name, scopes, providers } = found.right;
    setCaller(res, {
      ...{ keyId: id, name, scopes },
      providers: providers.length === 0 ? null : providers,
    });
    return null;
  };

  return async (req, res, next) => {
    if (isOpen(foundFor(res))) return next();
    const given = BEARER.exec(req.headers.authorization ?? '')?.[1];
    const failure = given === undefined ? MISSING : await signIn(given, req, res);
    if (failure === null) return next();
    if (failure._tag === 'Unauthenticated' || failure._tag === 'Exhausted') {
      noteRefusedSignIn(req.ip ?? '');
    }
    respond.failure(res, failure);
  };
};
