import type { Request, Response } from 'express';

import { addressBase } from './public-address';

/** Whether browsers reach the service with https. */
const isSecure = (req: Request): boolean => req.secure || addressBase(req).startsWith('https://');

/** A cookie of this name. Browsers accept no `__Host-` cookie that another host has set. */
const spelled = (req: Request, name: string): string => (isSecure(req) ? `__Host-${name}` : name);

/**
 * The value of a cookie. If a browser sends several of one name, another page may have set one of
 * them, so the service uses none.
 */
export const cookieOf = (req: Request, name: string): string | null => {
  const prefix = `${spelled(req, name)}=`;
  const values = (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  return values.length === 1 ? (values[0] ?? null) : null;
};

/** Sets a cookie that no script can read, and that other sites cannot send with a form. */
export const setCookie = (res: Response, name: string, value: string, seconds: number): void => {
  res.cookie(spelled(res.req, name), value, {
    ...{ httpOnly: true, sameSite: 'lax', path: '/' },
    secure: isSecure(res.req),
    maxAge: seconds * 1000,
    encode: String,
  });
};

/** Makes the browser forget a cookie. */
export const clearCookie = (res: Response, name: string): void => setCookie(res, name, '', 0);
