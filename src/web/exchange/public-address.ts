import { isIP } from 'node:net';
import { hostname as nameOfMachine } from 'node:os';

import type { Application, Request } from 'express';

/** Under which address clients reach the service, as far as the settings say it. */
interface Addresses {
  /** `PUBLIC_URL`. */
  readonly publicUrl: string | undefined;
  /** `HOST`: the address on which the service listens. */
  readonly host: string;
}

interface Locals {
  addresses?: Addresses;
}

/** Says under which address clients reach the service (`PUBLIC_URL`, `HOST`). */
export const setAddresses = (app: Application, addresses: Addresses): void => {
  (app.locals as Locals).addresses = addresses;
};

const addressesOf = ({ app }: Pick<Request, 'app'>): Addresses | undefined =>
  (app.locals as Locals).addresses;

/**
 * The beginning of addresses in answers: `PUBLIC_URL`, or else nothing, so that they are relative.
 * `Host` and the headers of proxies are never repeated, since the sender of a request chooses them
 * (docs/security.md: What answers say).
 */
export const addressBase = (req: Pick<Request, 'app'>): string => addressesOf(req)?.publicUrl ?? '';

/** The same for pages that another server shows: without `PUBLIC_URL` the port on this machine. */
export const absoluteBase = (req: Request): string =>
  addressesOf(req)?.publicUrl ?? `${req.protocol}://localhost:${String(req.socket.localPort)}`;

/** What `Host` may have: a name or an IP address, and a port. So no user, path or query. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Whether only this machine, or somebody who knows its address, can be called so. Anybody can let a
 * name of their own lead to an address of ours, and a browser then takes their page for ours (DNS
 * rebinding).
 */
const isCertainlyOurs = (hostname: string, host: string | undefined): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 ||
  [host, nameOfMachine()].some((name) => name?.toLowerCase() === hostname);

/**
 * The origin of the pages of the service, as browsers write it: that of `PUBLIC_URL`, or else the
 * scheme and the host of the request. `null`: without `PUBLIC_URL` nobody says that this name is
 * ours (docs/security.md: Sign-in of people).
 */
export const originOfPages = (req: Request): string | null => {
  const { publicUrl, host } = addressesOf(req) ?? {};
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const asked = req.headers.host ?? '';
  const address = `${req.protocol}://${asked}`;
  if (!HOST.test(asked) || !URL.canParse(address)) return null;
  const { origin, hostname } = new URL(address);
  return isCertainlyOurs(hostname, host) ? origin : null;
};
