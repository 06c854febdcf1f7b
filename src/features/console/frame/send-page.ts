import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Response } from 'express';

const zipped = promisify(gzip);

/** Nothing loads from elsewhere, and nothing runs or styles that is in the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What pages of the console say in addition to what every page for people says (`PAGE_HEADERS`). */
export const CONSOLE_HEADERS = { 'Content-Security-Policy': POLICY } as const;

/** Sends a page, with gzip if the browser accepts it. */
export const sendPage = async (res: Response, status: number, html: string): Promise<void> => {
  const isZipped = res.req.acceptsEncodings('gzip') === 'gzip';
  const content = isZipped ? await zipped(html) : html;
  if (res.headersSent || res.destroyed) return;
  res
    .status(status)
    .set({
      ...CONSOLE_HEADERS,
      ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    })
    .vary('Accept-Encoding')
    .vary('Cookie')
    .type('html')
    .send(content);
};
