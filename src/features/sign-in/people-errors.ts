import type { Response } from 'express';

import type { ErrorForm, FormOf } from '../../web/exchange/respond';
import { pageOf } from '../../web/exchange/html-page';
import { errorsArePages } from '../../web/routing/error-as-page';
import { endpoints } from './endpoints';
import { errorPage, signedOutPage } from './sign-in-pages';

/** What a second click on the button that signs out gets. */
const signedOut = (res: Response): ErrorForm => {
  const { html, headers } = pageOf('Signed out', signedOutPage());
  if (!res.headersSent) res.set(headers);
  return { mediaType: 'text/html', status: 401, body: html };
};

/** Errors as pages, where browsers show the answers of a path. */
export const peopleErrors: FormOf = (res, { status, message, problems }) => {
  if (!errorsArePages(res)) return null;
  const why = problems.map(({ pointer, message: what }) => ` ${pointer.slice(1)} ${what}.`);
  if (status === 401 && res.req.path === endpoints.signOut.path) return signedOut(res);
  const { html, headers } = pageOf(String(status), errorPage(status, message + why.join('')));
  if (!res.headersSent) res.set(headers);
  return { mediaType: 'text/html', status, body: html };
};
