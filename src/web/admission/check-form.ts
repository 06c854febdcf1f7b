import { timingSafeEqual } from 'node:crypto';

import type { Request, RequestHandler, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { readForm, type ReceivedForm, setForm } from '../bodies/form';
import { readFormWithFile } from '../bodies/form-with-file';
import { originOfPages } from '../exchange/public-address';
import type { Respond } from '../exchange/respond';
import { foundFor } from '../routing/find-route';
import { type Route, showsPages } from '../routing/route';
import { noteRefused } from './limit-sign-ins';
import { unmasked } from '../../secrets/masked';
import { type Visitor, visitorIfAny } from './visitor';

/** The field of a form with the token of the session. */
export const FORM_TOKEN = 'form_token';

/** What a request with a form must prove. */
export interface FormDeps {
  readonly noteRefusedSignIn: (address: string) => void;
  readonly respond: Respond;
}

const denied = (message: string): Failure => ({ _tag: 'PermissionDenied', message });

const FOREIGN = denied('The form was not sent from a page of this service.');
const UNKNOWN_NAME = denied(
  'The service does not know that the name in the address of the page is its own. Set PUBLIC_URL to the address of its pages, or open them at localhost or at an IP address.',
);
const OLD = denied(
  'The form belongs to another session: open the page again, and send it from there.',
);

/**
 * Why a request is refused unless a page of the service sends it; `null`: one does. The complete
 * origin counts: scheme, host and port. A request that says nothing about its origin is refused,
 * since browsers say it with every form.
 */
const whyForeign = (req: Request): Failure | null => {
  const { origin } = req.headers;
  const site = req.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return FOREIGN;
  if (origin === undefined && site === undefined) return FOREIGN;
  const own = originOfPages(req);
  if (own === null) return UNKNOWN_NAME;
  return origin === undefined || origin === own ? null : FOREIGN;
};

/** Whether a form has the token of a session. Each page masks the token in another way. */
const isTokenOf = (visitor: Visitor, given: unknown): boolean => {
  const [sent, own] = [given, visitor.formToken].map((text) =>
    typeof text === 'string' ? unmasked(text) : null,
  );
  return sent != null && own != null && timingSafeEqual(sent, own);
};

const READING = new Set(['GET', 'HEAD']);

const receive = (
  { fileBytes }: Route,
  req: Request,
  res: Response,
): TE.TaskEither<Failure, ReceivedForm> =>
  fileBytes === undefined
    ? pipe(
        readForm(req, res),
        TE.map((fields) => ({ fields, file: null })),
      )
    : readFormWithFile(req, res, fileBytes);

/**
 * Checks each request of a browser that may change something: it comes from a page of the service,
 * and holds the token of the session (docs/security.md: Sign-in of people). It reads forms, so that
 * no handler runs before the check.
 */
export const checkForm =
  ({ noteRefusedSignIn, respond }: FormDeps): RequestHandler =>
  async (req, res, next) => {
    const { route } = foundFor(res);
    if (route === undefined || READING.has(req.method) || !showsPages(route)) return next();
    const refuse = (req_: Request, res_: Response, failure: Failure): void => {
      noteRefused(res_);
      noteRefusedSignIn(req_.ip ?? '');
      respond.failure(res_, failure);
    };
    const foreign = whyForeign(req);
    if (foreign !== null) return refuse(req, res, foreign);
    const visitor = visitorIfAny(res);
    let token: unknown;
    if (route.form !== undefined) {
      const form = await receive(route, req, res)();
      if (E.isLeft(form)) return respond.failure(res, form.left);
      const { [FORM_TOKEN]: sent, ...fields } = form.right.fields;
      token = sent;
      setForm(res, { ...form.right, fields });
    }
    if (visitor !== undefined && !isTokenOf(visitor, token)) return refuse(req, res, OLD);
    next();
  };
