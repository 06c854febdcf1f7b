import type { Application, Request } from 'express';

interface Locals {
  publicUrl?: string | undefined;
}

/** Says under which address clients reach the service (`PUBLIC_URL`). */
export const setPublicUrl = (app: Application, url: string | undefined): void => {
  (app.locals as Locals).publicUrl = url;
};

/**
 * The beginning of addresses in answers: `PUBLIC_URL`, or else nothing, so that they are relative.
 * `Host` and the headers of proxies are never repeated, since the sender of a request chooses them
 * (docs/security.md: What answers say).
 */
export const addressBase = ({ app }: Pick<Request, 'app'>): string =>
  (app.locals as Locals).publicUrl ?? '';

/** The same for pages that another server shows: without `PUBLIC_URL` the port on this machine. */
export const absoluteBase = (req: Request): string =>
  (req.app.locals as Locals).publicUrl ??
  `${req.protocol}://localhost:${String(req.socket.localPort)}`;
