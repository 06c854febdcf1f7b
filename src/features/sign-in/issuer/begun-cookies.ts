import { createHash } from 'node:crypto';

import type { Request, Response } from 'express';

import {
  clearCookie,
  cookiesBeginning,
  cookiesOf,
  type SentCookie,
  setCookie,
} from '../../../web/exchange/cookies';

/** The names of the cookies with which a browser comes back from the issuer begin so. */
const BEGINNING = 'grantgraph-issuer-';

/**
 * How many sign-ins a browser may have begun, and how many bytes they may have. Each is a tab. Proxies
 * accept 8 KB of cookies, and there are others.
 */
const MOST = 8;
const MOST_BYTES = 6_000;

/** Each state has a cookie of its own, so that no tab takes the sign-in of another one. */
const nameOf = (state: string): string =>
  `${BEGINNING}${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

/** What a browser brings back of the sign-in with a state. */
export const broughtOf = (req: Request, state: string): readonly string[] =>
  cookiesOf(req, nameOf(state));

/** Makes the browser forget the sign-in with a state, and no other one. */
export const forget = (res: Response, state: string): void => clearCookie(res, nameOf(state));

/**
 * Lets a browser keep a sign-in that it begins. It forgets the oldest ones if they become too many.
 */
export const keep = async (
  res: Response,
  { state, sealed }: { readonly state: string; readonly sealed: string },
  seconds: number,
  untilOf: (sealed: string) => Promise<number>,
): Promise<void> => {
  const aged = await Promise.all(
    cookiesBeginning(res.req, BEGINNING).map(async (cookie) => ({
      cookie,
      until: await untilOf(cookie.value),
    })),
  );
  const sizeOf = ({ name, value }: SentCookie): number => name.length + value.length;
  const own = { name: nameOf(state), value: sealed };
  let [count, bytes] = [1, sizeOf(own)];
  for (const { cookie } of aged.toSorted((one, other) => other.until - one.until)) {
    count += 1;
    bytes += sizeOf(cookie);
    if (count > MOST || bytes > MOST_BYTES) clearCookie(res, cookie.name);
  }
  setCookie(res, own.name, sealed, seconds);
};
