import type { Request, RequestHandler, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { leadTo } from '../exchange/html-page';
import type { Respond } from '../exchange/respond';
import { admissionOf, foundFor } from '../routing/find-route';
import { showsPages } from '../routing/route';
import { setLookAgain } from '../exchange/still-admitted';
import { setCaller } from './caller';
import type { MayTry } from '../routing/web';
import { limited, noteRefused } from './limit-sign-ins';
import {
  hasSessionCookie,
  scopesOfRole,
  sessionTokensOf,
  setVisitor,
  type Visitor,
} from './visitor';

/** What admits people by their session. */
export interface PeopleDeps {
  /**
   * Finds the person of a session by its token; `null`: there is no such session now. What looks again
   * does not use the session, which would never be idle otherwise.
   */
  readonly findVisitor: (
    token: string,
    address: string | null,
    isUse?: boolean,
  ) => TaskEither<Failure, Visitor | null>;
  /** Whether this process has ever let the session in. */
  readonly isKnownSession: (token: string) => boolean;
  readonly noteRefusedSignIn: (address: string) => void;
  readonly mayTry: MayTry;
  readonly respond: Respond;
  /** The address of the page on which people sign in. */
  readonly signInPage: string;
}

/**
 * How many characters of an address a sign-in leads back to. It goes through a header, and sealed
 * through a cookie: clients refuse headers of 16 KB, and browsers drop cookies of 4 KB.
 */
export const LONGEST_WAY_BACK = 2_000;

/** What every page says to browsers: show it only here, and store nothing of it. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const NOBODY: Failure = { _tag: 'Unauthenticated', message: 'Sign in first.' };

/** Sends somebody who has no session to the sign-in, and from there back to a page that can be kept. */
const sendToSignIn = (
  req: Request,
  res: Response,
  { respond, signInPage }: Pick<PeopleDeps, 'respond' | 'signInPage'>,
): void => {
  const isPage = req.method === 'GET' || req.method === 'HEAD';
  if (!isPage || foundFor(res).route === undefined) return respond.failure(res, NOBODY);
  const { originalUrl } = req;
  const isShort = originalUrl.length <= LONGEST_WAY_BACK;
  leadTo(res, isShort ? `${signInPage}?to=${encodeURIComponent(originalUrl)}` : signInPage);
};

/**
 * Admits people to their pages by the cookie of their session. It never looks at a key, and routes
 * for keys never look at a cookie (docs/security.md: Sign-in of people).
 */
export const admitPeople = ({
  findVisitor,
  isKnownSession,
  noteRefusedSignIn,
  mayTry,
  ...leading
}: PeopleDeps): RequestHandler => {
  const { respond } = leading;
  /**
   * The cookie stays: another tab may have signed in meanwhile, and this answer would take its new one.
   * A session that has ended is no guess.
   */
  const refuse = (req: Request, res: Response): void => {
    if (hasSessionCookie(req) && !sessionTokensOf(req).some(isKnownSession)) {
      noteRefused(res);
      noteRefusedSignIn(req.ip ?? '');
    }
    sendToSignIn(req, res, leading);
  };
  return async (req, res, next) => {
    const found = foundFor(res);
    if (found.ofPath.some(showsPages)) res.set(PAGE_HEADERS);
    if (admissionOf(found) !== 'people') return next();
    const tokens = sessionTokensOf(req);
    if (tokens.length === 0) return refuse(req, res);
    const late = tokens.some(isKnownSession) ? null : await mayTry('sessions', req, res);
    if (late !== null) {
      noteRefusedSignIn(req.ip ?? '');
      return respond.failure(res, limited(late, 'sessions'));
    }
    const sessions = await pipe(
      tokens,
      TE.traverseArray((token) =>
        pipe(
          findVisitor(token, req.ip ?? null),
          TE.map((visitor) => (visitor === null ? [] : [{ visitor, token }])),
        ),
      ),
    )();
    if (E.isLeft(sessions)) return respond.failure(res, sessions.left);
    const [one, ...others] = sessions.right.flat();
    if (one === undefined) return refuse(req, res);
    // Another page may have set one of them, so nobody knows who asks. The next sign-in ends both.
    if (others.some(({ visitor }) => visitor.subject !== one.visitor.subject)) {
      return sendToSignIn(req, res, leading);
    }
    const { visitor, token } = one;
    const { by, role } = visitor;
    setVisitor(res, visitor, token);
    // What a page asks counts for the person, as what a key asks counts for the key.
    setCaller(res, {
      keyId: by.keyId,
      name: by.name,
      scopes: scopesOfRole(role),
      providers: null,
    });
    setLookAgain(res, async () => {
      const now = await findVisitor(token, req.ip ?? null, false)();
      if (E.isLeft(now) || now.right === null) return null;
      const { role: current } = now.right;
      return { scopes: scopesOfRole(current), providers: null, role: current };
    });
    next();
  };
};
