import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Context } from '../../context';
import type { Failure } from '../../problem';
import { clearCookie, setCookie } from '../../web/exchange/cookies';
import {
  SESSION_COOKIE,
  sessionTokenOf,
  sessionTokensOf,
  type Visitor,
  visitorOf,
} from '../../web/admission/visitor';
import { decodeForm } from '../../web/bodies/form';
import { Sent } from '../../web/exchange/answer-stream';
import { leadTo, sendPage } from '../../web/exchange/html-page';
import { requestIdOf } from '../../web/exchange/request-id';
import { limited } from '../../web/admission/limit-sign-ins';
import { queryOf, takesNone } from '../../web/lists/list-query';
import type { Route } from '../../web/routing/route';
import type { KeyHolder, Web } from '../../web/routing/web';
import { refusedSignInsOf } from '../keys/contract';
import { formsLeadTo, issuerOf, oneTimeCodesOf, sessionsOf } from './contract';
import { CodeForm, endpoints, KeyForm } from './endpoints';
import { issuerRoutes } from './issuer/issuer-routes';
import { whyNoRole } from './key-role';
import { roleOfKey } from '../../web/admission/visitor';
import { localPath } from './local-path';
import type { RefusedCode } from './one-time-codes';
import type { Newcomer, OpenedSession } from './sessions';
import { isFromIssuer, subjectOfHolder } from './subjects';
import { codePage, HOME, sessionPage, signInPage } from './sign-in-pages';

const WHY_NOT: Readonly<Record<RefusedCode, string>> = {
  unknown: 'The code is not known.',
  'used before': 'The code was used already: each works once.',
  expired: 'The code has expired, or its key no longer exists.',
};

/** What the log says about a code that somebody had, and that signs nobody in. */
const LOGGED: Readonly<Record<Exclude<RefusedCode, 'unknown'>, string>> = {
  'used before': 'a one-time code came a second time',
  expired: 'a one-time code came that has expired, or whose key has ended',
};

const newcomerWith = (holder: KeyHolder, address: string | null): Newcomer | null => {
  const role = roleOfKey(holder);
  if (role === null) return null;
  const { keyId, name } = holder;
  return {
    subject: subjectOfHolder(holder),
    name,
    role,
    person: null,
    address,
    by: { keyId, setting: keyId === null ? name : null },
  };
};

/** Pages and forms with which people sign in and out (docs/sign-in.md). */
export const signInRoutes = (web: Web, context: Context): readonly Route[] => {
  const { handle, signIns, log } = web;
  const sessions = sessionsOf(context);
  const codes = oneTimeCodesOf(context);
  const issuer = issuerOf(context);
  const note = refusedSignInsOf(context).note;

  const showSignIn = (res: Response, to: string, message: string | null): Sent => {
    sendPage(res, 'Sign in', signInPage({ to, message, issuer: issuer?.name ?? null }), {
      hasForms: true,
    });
    return new Sent();
  };

  const showCode = (res: Response, code: string, message: string | null): Sent => {
    sendPage(res, 'Sign in', codePage(code, message), { hasForms: true });
    return new Sent();
  };

  /** Opens a session in place of all that the browser has, and leads to a page. */
  const open = (
    req: Request,
    res: Response,
    newcomer: Newcomer,
    to: string,
  ): TaskEither<Failure, Sent> =>
    pipe(
      sessions.open(newcomer, signIns.ownerKeys, requestIdOf(res), sessionTokensOf(req)),
      TE.map(({ token, seconds }: OpenedSession) => {
        setCookie(res, SESSION_COOKIE, token, seconds);
        leadTo(res, to);
        return new Sent();
      }),
    );

  const withKey = (req: Request, res: Response): TaskEither<Failure, Sent> =>
    pipe(
      TE.fromEither(decodeForm(KeyForm, res)),
      TE.flatMap(({ key, to: asked }) => async () => {
        const to = localPath(asked) ?? HOME;
        if (issuer !== null) {
          res.status(403);
          return E.right(showSignIn(res, to, `People sign in with ${issuer.name} here.`));
        }
        const holder = await signIns.signInWithKey('keys of forms', key.trim(), req, res);
        if (E.isRight(holder)) {
          const newcomer = newcomerWith(holder.right, req.ip ?? null);
          if (newcomer !== null) return open(req, res, newcomer, to)();
          res.status(403);
          return E.right(showSignIn(res, to, whyNoRole(holder.right)));
        }
        const { left } = holder;
        if (left._tag !== 'Unauthenticated') return holder;
        res.status(401);
        return E.right(showSignIn(res, to, left.message));
      }),
    );

  const refuseCode = (req: Request, res: Response, refused: RefusedCode): Sent => {
    // After a second click, or *Back*, the first one has signed the browser in.
    if (refused === 'used before' && sessionTokensOf(req).length > 0) {
      leadTo(res, HOME);
      return new Sent();
    }
    note(req.ip ?? '');
    res.status(401);
    if (refused !== 'unknown') log.warn(LOGGED[refused], { address: req.ip });
    return showCode(res, '', WHY_NOT[refused]);
  };

  const withCode = (req: Request, res: Response): TaskEither<Failure, Sent> =>
    pipe(
      TE.fromEither(decodeForm(CodeForm, res)),
      TE.flatMap(({ code }) =>
        pipe(
          TE.fromTask(() => signIns.mayTry('codes', req, res)),
          TE.flatMap((late) => {
            if (late === null) return codes.use(code, signIns.ownerKeys);
            note(req.ip ?? '');
            return TE.left(limited(late, 'codes'));
          }),
        ),
      ),
      TE.flatMap((holder) => {
        if (typeof holder === 'string') return TE.rightIO(() => refuseCode(req, res, holder));
        const newcomer = newcomerWith(holder, req.ip ?? null);
        return newcomer === null
          ? TE.rightIO(() => refuseCode(req, res, 'expired'))
          : open(req, res, newcomer, HOME);
      }),
    );

  /** Where a sign-out leads: to the issuer that signed the person in, if it signs people out. */
  const signOutPageOf = (visitor: Visitor, idToken: string | null) => async (): Promise<string> =>
    (issuer !== null && isFromIssuer(visitor) ? await issuer.signOutPage(idToken) : null) ??
    endpoints.signInPage.path;

  return [
    {
      ...endpoints.signInPage,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(endpoints.signInPage.query, req)),
          TE.map(({ to }) => showSignIn(res, localPath(to) ?? HOME, null)),
        ),
      ),
    },
    {
      ...endpoints.signInWithKey,
      handler: handle(withKey),
    },
    {
      ...endpoints.codePage,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(endpoints.codePage.query, req)),
          TE.map(({ code }) => showCode(res, code ?? '', null)),
        ),
      ),
    },
    {
      ...endpoints.signInWithCode,
      handler: handle(withCode),
    },
    ...(issuer === null ? [] : issuerRoutes(web, context, { issuer, open, showSignIn })),
    {
      ...endpoints.sessionPage,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(takesNone(req)),
          TE.map(() => {
            sendPage(res, 'Grantgraph', sessionPage(visitorOf(res)), {
              hasForms: true,
              formsLeadTo: formsLeadTo(context),
            });
            return new Sent();
          }),
        ),
      ),
    },
    {
      ...endpoints.signOut,
      handler: handle((_req, res) =>
        pipe(
          sessions.signOut(visitorOf(res), sessionTokenOf(res), requestIdOf(res)),
          TE.flatMapTask((idToken) => signOutPageOf(visitorOf(res), idToken)),
          TE.map((page) => {
            clearCookie(res, SESSION_COOKIE);
            // Pages that the browser still has must not appear again.
            res.set('Clear-Site-Data', '"cache"');
            leadTo(res, page);
            return new Sent();
          }),
        ),
      ),
    },
  ];
};
