import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Response } from 'express';

const zipped = promisify(gzip);

/** Nothing loads from elsewhere, and nothing runs or styles that is in the page itself. */
const policyOf = (formsLeadTo: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...formsLeadTo].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * What pages of the console say in addition to what every page for people says (`PAGE_HEADERS`).
 * Their forms may lead to the service and to these origins.
 */
export const consoleHeaders = (formsLeadTo: readonly string[] = []) => ({
  'Content-Security-Policy': policyOf(formsLeadTo),
});

/** Sets the headers of a page whose forms may lead to the service and to some other origins. */
export const setPageHeaders = (res: Response, formsLeadTo: readonly string[]): void => {
  res.set(consoleHeaders(formsLeadTo)).vary('Accept-Encoding').vary('Cookie').type('html');
};

/**
 * Sends a page with the status that the answer has, with gzip if the browser accepts it. Its forms may
 * lead to some other origins.
 */
export const sendPage = async (
  res: Response,
  html: string,
  formsLeadTo: readonly string[],
): Promise<void> => {
  const isZipped = res.req.acceptsEncodings('gzip') === 'gzip';
  const content = isZipped ? await zipped(html) : html;
  if (res.headersSent || res.destroyed) return;
  setPageHeaders(res, formsLeadTo);
  if (isZipped) res.set('Content-Encoding', 'gzip');
  res.send(content);
};
