import type { RequestHandler } from 'express';
import * as E from 'fp-ts/Either';

import type { Failure } from '../../problem';
import type { Respond } from '../exchange/respond';
import { admissionOf, foundFor } from '../routing/find-route';
import type { SignIns } from '../routing/web';
import { setLookAgain } from '../exchange/still-admitted';
import { setCaller } from './caller';

/** What admits requests with keys. */
export interface SignInDeps {
  readonly signInWithKey: SignIns['signInWithKey'];
  readonly noteRefusedSignIn: (address: string) => void;
  readonly respond: Respond;
}

const BEARER = /^Bearer +(\S+) *$/i;

const MISSING: Failure = {
  _tag: 'Unauthenticated',
  message: 'A key is missing: send the header "authorization: Bearer <key>".',
};

/**
 * Lets a request through if it carries a key of the settings or a team key, or if its route is not
 * for keys. The service answers all others with 401.
 */
export const authenticate =
  ({ signInWithKey, noteRefusedSignIn, respond }: SignInDeps): RequestHandler =>
  async (req, res, next) => {
    if (admissionOf(foundFor(res)) !== 'keys') return next();
    const given = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (given === undefined) {
      noteRefusedSignIn(req.ip ?? '');
      return respond.failure(res, MISSING);
    }
    const caller = await signInWithKey('keys', given, req, res);
    if (E.isLeft(caller)) return respond.failure(res, caller.left);
    setCaller(res, caller.right);
    setLookAgain(res, async () => {
      const now = await signInWithKey('keys', given, req, res);
      if (E.isLeft(now)) return null;
      const { scopes, providers } = now.right;
      return { scopes, providers, role: null };
    });
    next();
  };
