import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { limited } from '../../../web/admission/limit-sign-ins';
import { Sent } from '../../../web/exchange/answer-stream';
import { clearCookie, cookieOf, setCookie } from '../../../web/exchange/cookies';
import { leadTo } from '../../../web/exchange/html-page';
import { requestIdOf } from '../../../web/exchange/request-id';
import { parameterOf } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { eventWriterOf } from '../../events/contract';
import { refusedSignInsOf } from '../../keys/contract';
import type { Occasion } from '../../../graph/records/event';
import { oneTimeCodesOf } from '../contract';
import { localPath } from '../local-path';
import type { Newcomer } from '../sessions';
import { signInRefused, signInReplayed } from '../sign-in-events';
import { CALLBACK, HOME, ISSUER_PAGE } from '../sign-in-pages';
import { BEGUN_SECONDS, type Issuer, type NotSignedIn, type SignedIn } from './issuer';
import { newcomerOf } from './newcomer';

/** With the cookie of this name a browser comes back from the issuer. */
const ISSUER_COOKIE = 'grantgraph-issuer';

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
  'no sign-in': {
    status: 401,
    message: 'This sign-in was not begun here, or too long ago: begin again.',
  },
  refused: { status: 401, message: 'The issuer did not sign you in.' },
  wrong: { status: 401, message: 'The answer of the issuer cannot be trusted.' },
};

/** What every way to sign in has. */
export interface SignInDesk {
  readonly issuer: Issuer;
  /** Opens a session in place of the one that the browser has, and leads to a page. */
  readonly open: (
    req: Request,
    res: Response,
    newcomer: Newcomer,
    to: string,
  ) => TaskEither<Failure, Sent>;
  /** When a request does something, and its id. */
  readonly occasionOf: (res: Response) => Occasion;
  /** Shows the page on which people sign in, and why the last try did not succeed. */
  readonly showSignIn: (res: Response, to: string, message: string) => Sent;
}

/** The routes with which people sign in at an issuer (docs/sign-in.md: With an issuer). */
export const issuerRoutes = (
  { handle, signIns, log }: Web,
  context: Context,
  { issuer, open, showSignIn, occasionOf }: SignInDesk,
): readonly Route[] => {
  const codes = oneTimeCodesOf(context);
  const note = refusedSignInsOf(context).note;
  const writeEvent = eventWriterOf(context);
  /** Opens a session for somebody whom the issuer has signed in, unless its answer was used before. */
  const openFor = (req: Request, res: Response, { claims, answer, to }: SignedIn) =>
    pipe(
      codes.useAnswer(answer, requestIdOf(res)),
      TE.flatMap((isFirst) => {
        if (isFirst) {
          return pipe(
            newcomerOf(context)(claims, req.ip ?? null),
            TE.flatMap((newcomer) => open(req, res, newcomer, to)),
          );
        }
        const why = 'The answer of the issuer was used already.';
        res.status(401);
        return pipe(
          writeEvent(signInReplayed(why, occasionOf(res), req.ip ?? null)),
          TE.map(() => showSignIn(res, to, why)),
        );
      }),
    );

  const refuse = (
    req: Request,
    res: Response,
    { why, detail }: NotSignedIn,
  ): TaskEither<Failure, Sent> => {
    const { status, message } = WHY_NOT[why];
    res.status(status);
    const show = (): Sent => showSignIn(res, HOME, message);
    if (status === 503) {
      const what = why === 'no issuer' ? 'does not answer' : 'cannot be used as it is set up';
      log.warn(`the issuer ${what}`, { reason: detail });
      return TE.rightIO(show);
    }
    note(req.ip ?? '');
    // Anybody can cause the other two, so only their number is reported.
    return why === 'wrong'
      ? pipe(
          writeEvent(signInRefused(`${message} (${detail})`, occasionOf(res), req.ip ?? null)),
          TE.map(show),
        )
      : TE.rightIO(show);
  };

  const begin =
    (req: Request, res: Response): TaskEither<Failure, Sent> =>
    async () => {
      const begun = await issuer.begin(localPath(parameterOf(req, 'to')) ?? HOME);
      if (E.isLeft(begun)) return refuse(req, res, begun.left)();
      setCookie(res, ISSUER_COOKIE, begun.right.sealed, BEGUN_SECONDS);
      leadTo(res, begun.right.address);
      return E.right(new Sent());
    };

  const finish =
    (req: Request, res: Response): TaskEither<Failure, Sent> =>
    async () => {
      const late = await signIns.mayTry('issuer', req, res);
      if (late !== null) {
        note(req.ip ?? '');
        return E.left(limited(late, 'codes'));
      }
      const at = req.originalUrl.indexOf('?');
      const query = at < 0 ? '' : req.originalUrl.slice(at);
      const finished = await issuer.finish(query, cookieOf(req, ISSUER_COOKIE));
      // What the browser brought is used, whatever came of it.
      clearCookie(res, ISSUER_COOKIE);
      return E.isLeft(finished)
        ? refuse(req, res, finished.left)()
        : openFor(req, res, finished.right)();
    };

  const shared = {
    method: 'get',
    access: 'open',
    isForBrowsers: true,
    answer: { mediaTypes: ['text/html'] },
    more: 'sign-in#with-an-issuer',
  } as const;
  return [
    {
      ...{ ...shared, path: ISSUER_PAGE },
      summary: 'Leads to the issuer with which people sign in.',
      handler: handle(begin),
    },
    {
      ...{ ...shared, path: CALLBACK, signsIn: true },
      summary: 'Signs in a person whom the issuer leads back.',
      handler: handle(finish),
    },
  ];
};
