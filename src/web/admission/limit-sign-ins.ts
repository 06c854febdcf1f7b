import type { Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';

import type { Failure } from '../../problem';
import type { MayTry } from '../routing/web';
import { CLIENT_NETWORK_BITS } from '../listening/client-network';

/** Counts a request as a sign-in that failed, though its answer is none of 401 and 429. */
export const noteRefused = (res: Response): void => {
  res.locals.isRefusedSignIn = true;
};

/** The answer to an address that tried too many unknown keys or sessions. */
export const limited = (
  { retryAfterSeconds }: { readonly retryAfterSeconds: number },
  what: 'keys' | 'sessions' | 'codes',
): Failure => ({
  _tag: 'Exhausted',
  message: `Too many unknown ${what} came from this address; try again later.`,
  retryAfterSeconds,
});

const WINDOW_MS = 60_000;

/**
 * Limits how many unknown keys a client address, or an IPv6 network, may try in a minute. A try that
 * succeeds does not count (docs/security.md: One caller does not starve the others).
 */
export const limitSignIns = (most: number): MayTry => {
  const limiter = rateLimit({
    windowMs: WINDOW_MS,
    limit: most,
    ipv6Subnet: CLIENT_NETWORK_BITS,
    skipSuccessfulRequests: true,
    // If Neo4j could not say whether the key is known, the try does not count.
    requestWasSuccessful: (_req, res) =>
      res.statusCode !== 401 && res.statusCode !== 429 && res.locals.isRefusedSignIn !== true,
    standardHeaders: false,
    legacyHeaders: false,
    // The address is that of the connection. The service does not trust headers that name another
    // one.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res, next) => {
      res.locals.isLimited = true;
      next();
    },
  });
  return async (req, res) => {
    await new Promise<void>((resolve, reject) => {
      void limiter(req, res, (error?: unknown) =>
        error instanceof Error ? reject(error) : resolve(),
      );
    });
    if (res.locals.isLimited !== true) return null;
    const { resetTime } = (req as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
    const left = (resetTime?.getTime() ?? Date.now() + WINDOW_MS) - Date.now();
    return { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) };
  };
};
