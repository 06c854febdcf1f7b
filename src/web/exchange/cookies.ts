import type { Request, Response } from 'express';

import { addressBase } from './public-address';

/** Whether browsers reach the service with https. */
const isSecure = (req: Request): boolean => req.secure || addressBase(req).startsWith('https://');

/** A cookie of this name. Browsers accept no `__Host-` cookie that another host has set. */
const spelled = (req: Request, name: string): string => (isSecure(req) ? `__Host-${name}` : name);

/**
 * All values of a cookie. A browser sends several of one name if other pages of the host, or of a
 * domain above it, have set some. Their order says nothing (RFC 6265, 5.4).
 */
export const cookiesOf = (req: Request, name: string): readonly string[] => [
  ...new Set(
    cookiesBeginning(req, name)
      .filter((cookie) => cookie.name === name)
      .map(({ value }) => value),
  ),
];

/** A cookie that a browser sent. */
export interface SentCookie {
  readonly name: string;
  readonly value: string;
}

/** All cookies whose names begin so. */
export const cookiesBeginning = (req: Request, beginning: string): readonly SentCookie[] => {
  const host = spelled(req, '');
  return (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${host}${beginning}`) && pair.includes('='))
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return { name: name.slice(host.length), value: pair.slice(name.length + 1) };
    });
};

/** Sets a cookie that no script can read, and that other sites cannot send with a form. */
export const setCookie = (res: Response, name: string, value: string, seconds: number): void => {
  res.cookie(spelled(res.req, name), value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(res.req),
    maxAge: seconds * 1000,
    encode: String,
  });
};

/** Makes the browser forget a cookie. */
export const clearCookie = (res: Response, name: string): void => setCookie(res, name, '', 0);
