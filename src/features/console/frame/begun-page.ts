import { createGzip, type Gzip } from 'node:zlib';

import type { Response } from 'express';

/** The pages that have begun, whose answers are not there yet. */
const begun = new WeakMap<Response, BegunPage>();

/** The page of a response that has begun; `null` if nothing of it is sent. */
export const begunPageOf = (res: Response): BegunPage | null => begun.get(res) ?? null;

/**
 * A page of which a browser has the beginning, so that people see that the service works on it. Its
 * status was sent as 200, whatever follows. The log and the metrics have the status of the end.
 */
export class BegunPage {
  private readonly zip: Gzip | null;

  /** Sends the beginning. The caller has set the headers. */
  constructor(
    private readonly res: Response,
    beginning: string,
  ) {
    begun.set(res, this);
    this.zip = res.req.acceptsEncodings('gzip') === 'gzip' ? createGzip() : null;
    if (this.zip === null) {
      res.status(200).write(beginning);
      return;
    }
    res.status(200).set('Content-Encoding', 'gzip');
    this.zip.on('error', () => res.destroy()).pipe(res);
    this.zip.write(beginning);
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
    (this.zip ?? this.res).end(rest);
  }
}
