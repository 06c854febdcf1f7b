import type { Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';

import { CLIENT_NETWORK_BITS } from '../listening/client-network';

/** Whether the address of a request may still try keys; if not, after how many seconds it may. */
export type MayTry = (
  req: Request,
  res: Response,
) => Promise<{ readonly retryAfterSeconds: number } | null>;

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
    requestWasSuccessful: (_req, { statusCode }) => statusCode !== 401 && statusCode !== 429,
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
