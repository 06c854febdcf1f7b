import type { Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';

/** Whether the address of a request may still try keys; if not, in how many seconds. */
export type MayTry = (
  req: Request,
  res: Response,
) => Promise<{ readonly retryAfterSeconds: number } | null>;

const WINDOW_MS = 60_000;

/**
 * Counts by client address how often a key is tried that is not known to let anybody in, up to so many a minute; a try that succeeds is not counted
 * (docs/security.md: One caller does not starve the others).
 */
export const limitSignIns = (most: number): MayTry => {
  const limiter = rateLimit({
    windowMs: WINDOW_MS,
    limit: most,
    skipSuccessfulRequests: true,
    // What Neo4j could not tell is no refused try.
    requestWasSuccessful: (_req, { statusCode }) => statusCode !== 401 && statusCode !== 429,
    standardHeaders: false,
    legacyHeaders: false,
    // Addresses are those of connections: a header of the client's is not believed.
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
