import { createHash, timingSafeEqual } from 'node:crypto';

import type { RequestHandler, Response } from 'express';
import * as E from 'fp-ts/Either';

import { isAccessKey } from '../../contract/team-key';
import type { Failure } from '../../problem';
import type { UseCases } from '../../service/use-cases';
import type { Respond } from '../exchange/respond';
import { OWNER, setCaller } from './caller';

/** The team key that somebody signs in with; `null` if there is none. */
export type FindTeamKey = UseCases['findTeamKey'];

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const BEARER = /^Bearer +(\S+) *$/i;

const unauthenticated = (message: string): Failure => ({ _tag: 'Unauthenticated', message });

const MISSING = unauthenticated('A key is missing: send the header "authorization: Bearer <key>".');
const UNKNOWN = unauthenticated('The key is not known.');

/**
 * Lets a request through that carries the key of the settings or a team key (spec: Authentication); all others are 401, whatever they ask for
 * (api.md 3). A team key is looked up for each request, so that a revoked one lets nobody in.
 */
export const authenticate = (
  apiKey: string,
  findTeamKey: FindTeamKey,
  respond: Respond,
): RequestHandler => {
  const expected = digestOf(apiKey);

  const signIn = async (given: string, res: Response): Promise<Failure | null> => {
    // Digests have one length, so the comparison takes one time whatever was sent.
    if (timingSafeEqual(digestOf(given), expected)) {
      setCaller(res, OWNER);
      return null;
    }
    if (!isAccessKey(given)) return UNKNOWN;
    const found = await findTeamKey(given)();
    if (E.isLeft(found)) return found.left;
    if (found.right === null) return UNKNOWN;
    const { id, name, scopes, providers } = found.right;
    setCaller(res, {
      ...{ keyId: id, keyName: name, scopes },
      providers: providers.length === 0 ? null : providers,
    });
    return null;
  };

  return async (req, res, next) => {
    const given = BEARER.exec(req.headers.authorization ?? '')?.[1];
    const failure = given === undefined ? MISSING : await signIn(given, res);
    if (failure === null) next();
    else respond.failure(res, failure);
  };
};
