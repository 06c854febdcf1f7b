import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip, type Gzip } from 'node:zlib';

import type { Response } from 'express';

import { pageBelowPath } from '../../../web/exchange/below-path';

const zipped = promisify(gzip);

/** A page loads nothing from other addresses. A browser ignores scripts and styles within the page. */
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

/** To which other origins the forms of the page may lead that answers with a response. */
const leadingTo = new WeakMap<Response, readonly string[]>();

/** Says to which other origins the forms of a page may lead, also if it becomes the page of an error. */
export const letFormsLead = (res: Response, formsLeadTo: readonly string[]): void => {
  leadingTo.set(res, formsLeadTo);
};

/** To which other origins these forms may lead; `null`: nobody has said it, so there are no forms to others. */
export const whereFormsLead = (res: Response): readonly string[] | null =>
  leadingTo.get(res) ?? null;

const setPageHeaders = (res: Response, formsLeadTo: readonly string[]): void => {
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
  const page = pageBelowPath(res.req, html);
  const content = isZipped ? await zipped(page) : page;
  if (res.headersSent || res.destroyed) return;
  setPageHeaders(res, formsLeadTo);
  if (isZipped) res.set('Content-Encoding', 'gzip');
  res.send(content);
};

/** The pages that have begun, whose answers are not there yet. */
const begun = new WeakMap<Response, BegunPage>();

/** The page of a response that has begun; `null` if nothing of it is sent. */
export const begunPageOf = (res: Response): BegunPage | null => begun.get(res) ?? null;

/**
 * A page of which a browser has the beginning, so that people see that the service works on it. Its
 * status was sent as 200, whatever follows. The log and the metrics have the status of the end.
 */
class BegunPage {
  private readonly zip: Gzip | null;

  /** Sends the beginning. The headers of a page are set. */
  constructor(
    private readonly res: Response,
    beginning: string,
  ) {
    const below = pageBelowPath(res.req, beginning);
    this.zip = res.req.acceptsEncodings('gzip') === 'gzip' ? createGzip() : null;
    if (this.zip === null) {
      res.status(200).write(below);
      return;
    }
    res.status(200).set('Content-Encoding', 'gzip');
    // If the reader closes the connection, nobody needs the error of the pipeline.
    pipeline(this.zip, res, () => undefined);
    this.zip.write(below);
    this.zip.flush();
  }

  /** Sends the rest. A reader who has left gets nothing more. */
  end(rest: string, status: number): void {
    begun.delete(this.res);
    if (this.res.destroyed) {
      this.zip?.destroy();
      return;
    }
    this.res.statusCode = status;
    (this.zip ?? this.res).end(pageBelowPath(this.res.req, rest));
  }
}

/**
 * Sends the beginning of a page to a reader who has not left. Its forms may lead to some other
 * origins.
 */
export const beginPage = (
  res: Response,
  beginning: string,
  formsLeadTo: readonly string[],
): void => {
  if (res.destroyed) return;
  setPageHeaders(res, formsLeadTo);
  begun.set(res, new BegunPage(res, beginning));
};
