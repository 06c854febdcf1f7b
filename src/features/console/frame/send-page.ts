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

/** The headers of every page, errors included. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
} as const;

/**
 * Sends a page. No cache stores it, so that after a sign-out the browser shows nothing, and other
 * pages learn nothing of its address.
 */
export const sendPage = async (res: Response, status: number, html: string): Promise<void> => {
  const isZipped = res.req.acceptsEncodings('gzip') === 'gzip';
  const content = isZipped ? await zipped(html) : html;
  if (res.headersSent || res.destroyed) return;
  res
    .status(status)
    .set({
      ...PAGE_HEADERS,
      ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    })
    .vary('Accept-Encoding')
    .vary('Cookie')
    .type('html')
    .send(content);
};
