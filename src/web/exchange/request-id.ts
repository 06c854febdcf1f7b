import { randomUUID } from 'node:crypto';

import type { RequestHandler, Response } from 'express';

/** What this middleware stores for the handlers of a request. */
interface Locals {
  requestId: string;
  startedAt: number;
}

const localsOf = (res: Response): Locals => res.locals as Locals;

/** The id of a request: 32 hex digits (docs/rules.md: Requests). */
export const requestIdOf = (res: Response): string => localsOf(res).requestId;

/** Seconds since the request's head arrived. */
export const secondsSinceStart = (res: Response): number =>
  (performance.now() - localsOf(res).startedAt) / 1000;

/** A new request id: 32 hex digits (docs/rules.md: Requests). */
export const newRequestId = (): string => randomUUID().replaceAll('-', '');

/**
 * What every answer forbids to browsers: to guess another type, to load or run anything, and to
 * show it within another page. Pages for people set policies of their own.
 */
export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * How many listeners wait for the end of a response at most: those of admission, bounds and logs, and
 * up to ten of a stream with gzip. By default Node takes more than ten for a leak, and warns.
 */
const MOST_LISTENERS = 30;

/**
 * Gives each request an id, which the header `X-Request-Id`, errors and log lines have, and bounds the
 * listeners of its response.
 */
export const identifyRequest: RequestHandler = (_req, res, next) => {
  const locals = localsOf(res);
  locals.requestId = newRequestId();
  locals.startedAt = performance.now();
  res.setMaxListeners(MOST_LISTENERS);
  res.set({ 'X-Request-Id': locals.requestId, ...SAFE_HEADERS });
  next();
};
