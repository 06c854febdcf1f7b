import type { Request } from 'express';

import { addressBase } from './public-address';

/** The path of `PUBLIC_URL`, below which a proxy serves all paths of the service; `''` if it has none. */
const pathBase = (req: Pick<Request, 'app'>): string => {
  const base = addressBase(req);
  return base === '' ? '' : new URL(base).pathname.replace(/\/$/, '');
};

/** Attributes of pages that lead somewhere, and the address of a refresh. In texts quotes are escaped. */
const LEADING =
  /(\s(?:href|src|action|formaction|spec-url|data-(?:live|href|suggest))="|content="0; url=)(?=\/(?!\/))/g;

/** A page whose links stay below the path of `PUBLIC_URL`. */
export const pageBelowPath = (req: Pick<Request, 'app'>, html: string): string => {
  const base = pathBase(req);
  return base === '' ? html : html.replace(LEADING, (before) => before + base);
};

/** The address of another page, below the path of `PUBLIC_URL`. Other addresses stay as they are. */
export const addressBelowPath = (req: Pick<Request, 'app'>, address: string): string =>
  /^\/(?!\/)/.test(address) ? pathBase(req) + address : address;
