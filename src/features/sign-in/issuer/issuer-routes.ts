import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { sessionTokensOf } from '../../../web/admission/visitor';
import { limited } from '../../../web/admission/limit-sign-ins';
import { Sent } from '../../../web/exchange/answer-stream';
import { leadTo } from '../../../web/exchange/html-page';
import { parameterOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { refusedSignInsOf } from '../../keys/contract';
import { endpoints } from '../endpoints';
import { localPath } from '../local-path';
import { USED_BEFORE } from '../graph/session-records';
import type { Newcomer } from '../sessions';
import { HOME } from '../sign-in-pages';
import { broughtOf, forget, keep } from './begun-cookies';
import { BEGUN_SECONDS, type Issuer, type NotSignedIn, type SignedIn } from './issuer';
import { newcomerOf } from './newcomer';

const WHY_NOT: Readonly<
  Record<NotSignedIn['why'], { readonly status: number; readonly message: string }>
> = {
  'no issuer': {
    status: 503,
    message: 'The issuer does not answer now. Sessions that exist go on; try again later.',
  },
  'not set up': {
    status: 503,
    message:
      'The sign-in with the issuer does not work as it is set up. Operators find the reason in the log. Sessions that exist go on.',
  },
  refused: { status: 401, message: 'The issuer did not sign you in.' },
  wrong: { status: 401, message: 'The answer of the issuer cannot be trusted.' },
};

const NOT_BEGUN = 'This sign-in was not begun here, or too long ago: begin again.';

/** What the log says about a sign-in that did not succeed. */
const LOGGED: Readonly<Record<NotSignedIn['why'], string>> = {
  'no issuer': 'the issuer does not answer',
  'not set up': 'the issuer cannot be used as it is set up',
  refused: 'the issuer refused to sign somebody in',
  wrong: 'the answer of the issuer cannot be trusted',
};

/** What the routes of every way to sign in share. */
export interface SignInDesk {
  readonly issuer: Issuer;
  /** Opens a session in place of the one that the browser has, and leads to a page. */
  readonly open: (
    req: Request,
    res: Response,
    newcomer: Newcomer,
    to: string,
  ) => TaskEither<Failure, Sent>;
  /** Shows the page on which people sign in, and why the last try did not succeed. */
  readonly showSignIn: (res: Response, to: string, message: string) => Sent;
}

/** The routes with which people sign in at an issuer (docs/sign-in.md: With an issuer). */
export const issuerRoutes = (
  { handle, signIns, log }: Web,
  context: Context,
  { issuer, open, showSignIn }: SignInDesk,
): readonly Route[] => {
  const note = refusedSignInsOf(context).note;

  /**
   * Answers what is no sign-in any more, as after *Back*. Somebody who is signed in is led on; the page
   * says whether their session has ended.
   */
  const leadOn = (req: Request, res: Response, to: string, why: string): Sent => {
    if (sessionTokensOf(req).length === 0) {
      res.status(401);
      return showSignIn(res, to, why);
    }
    leadTo(res, to);
    return new Sent();
  };

  /** Opens a session for somebody whom the issuer has signed in, unless its answer was used before. */
  const openFor = (req: Request, res: Response, signedIn: SignedIn): TaskEither<Failure, Sent> =>
    pipe(
      newcomerOf(context)(signedIn, req.ip ?? null),
      TE.flatMap((newcomer): TaskEither<Failure, Sent> => {
        if ('refused' in newcomer) {
          log.warn('somebody whom the issuer signed in was refused', { reason: newcomer.reason });
          res.status(403);
          return TE.right(showSignIn(res, signedIn.to, newcomer.refused));
        }
        return pipe(
          open(req, res, newcomer, signedIn.to),
          TE.orElse((failure) => {
            if (failure !== USED_BEFORE) return TE.left(failure);
            log.warn('an answer of the issuer came a second time', { address: req.ip });
            return TE.right(leadOn(req, res, signedIn.to, failure.message));
          }),
        );
      }),
    );

  const refuse = (req: Request, res: Response, { why, detail }: NotSignedIn): Sent => {
    const { status, message } = WHY_NOT[why];
    log.warn(LOGGED[why], { reason: detail });
    res.status(status);
    if (status === 401) note(req.ip ?? '');
    return showSignIn(res, HOME, message);
  };

  const begin =
    (req: Request, res: Response): TaskEither<Failure, Sent> =>
    async () => {
      const begun = await issuer.begin(localPath(parameterOf(req, 'to')) ?? HOME);
      if (E.isLeft(begun)) return E.right(refuse(req, res, begun.left));
      await keep(res, begun.right, BEGUN_SECONDS, issuer.untilOf);
      leadTo(res, begun.right.address);
      return E.right(new Sent());
    };

  const finish =
    (req: Request, res: Response): TaskEither<Failure, Sent> =>
    async () => {
      const at = req.originalUrl.indexOf('?');
      const query = at < 0 ? '' : req.originalUrl.slice(at);
      const state = new URLSearchParams(query).get('state') ?? '';
      const begun = await issuer.begun(query, broughtOf(req, state));
      // Any page can let a browser send this, so it counts as no try.
      if (begun === null) return E.right(leadOn(req, res, HOME, NOT_BEGUN));
      const late = await signIns.mayTry('issuer', req, res);
      if (late !== null) {
        note(req.ip ?? '');
        return E.left(limited(late, 'codes'));
      }
      const finished = await issuer.finish(query, begun);
      // What the browser brought is used, whatever came of it.
      forget(res, state);
      return E.isLeft(finished)
        ? E.right(refuse(req, res, finished.left))
        : openFor(req, res, finished.right)();
    };

  return [
    { ...endpoints.goToIssuer, handler: handle(begin) },
    { ...endpoints.comeFromIssuer, handler: handle(finish) },
  ];
};
