import type { FormOf } from '../../web/exchange/respond';
import { pageOf } from '../../web/exchange/html-page';
import { foundFor } from '../../web/routing/find-route';
import { showsPages } from '../../web/routing/route';
import { errorPage } from './sign-in-pages';

/** Errors as pages, where browsers show the answers of a path. */
export const peopleErrors: FormOf = (res, { status, message, problems }) => {
  if (!foundFor(res).ofPath.some(showsPages)) return null;
  const why = problems.map(({ pointer, message: what }) => ` ${pointer.slice(1)} ${what}.`);
  const { html, headers } = pageOf(String(status), errorPage(status, message + why.join('')));
  if (!res.headersSent) res.set(headers);
  return { mediaType: 'text/html', status, body: html };
};
