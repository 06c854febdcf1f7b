import type { Request, Response } from 'express';
import { rateLimit, type RateLimitRequestHandler } from 'express-rate-limit';

import type { Failure } from '../../problem';
import { type MayTry, type WayIn, WAYS_IN } from '../routing/web';
import { CLIENT_NETWORK_BITS } from '../listening/client-network';

/** Counts a request as a failed sign-in, also if its status is neither 401 nor 429. */
export const noteRefused = (res: Response): void => {
  res.locals.isRefusedSignIn = true;
};

/** Does not count a request, though it is refused: who sends an ended key guesses nothing. */
export const noteNoGuess = (res: Response): void => {
  res.locals.isNoGuess = true;
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

const limiterOf = (most: number): RateLimitRequestHandler =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit: most,
    ipv6Subnet: CLIENT_NETWORK_BITS,
    skipSuccessfulRequests: true,
    // If Neo4j could not say whether the key is known, the try does not count.
    requestWasSuccessful: (_req, { statusCode, locals }) =>
      locals.isNoGuess === true ||
      (statusCode !== 401 && statusCode !== 429 && locals.isRefusedSignIn !== true),
    standardHeaders: false,
    legacyHeaders: false,
    // The service trusts headers with addresses only of `TRUSTED_PROXIES`.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_req, res, next) => {
      res.locals.isLimited = true;
      next();
    },
  });

/**
 * Limits how many unknown keys, codes and sessions a client address, or an IPv6 network, may try in a
 * minute. Each kind has its own count of `most`. A try that succeeds does not count (docs/security.md: One caller
 * does not starve the others).
 */
export const limitSignIns = (most: number): MayTry => {
  const limiters = Object.fromEntries(WAYS_IN.map((way) => [way, limiterOf(most)])) as Record<
    WayIn,
    RateLimitRequestHandler
  >;
  return async (way, req, res) => {
    await new Promise<void>((resolve, reject) => {
      void limiters[way](req, res, (error?: unknown) =>
        error instanceof Error ? reject(error) : resolve(),
      );
    });
    if (res.locals.isLimited !== true) return null;
    const { resetTime } = (req as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
    const left = (resetTime?.getTime() ?? Date.now() + WINDOW_MS) - Date.now();
    return { retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) };
  };
};
