import cors from 'cors';
import type { RequestHandler } from 'express';

import { foundFor } from './routing/find-route';

/**
 * The kit holds no data and needs no key, so pages of every address may load it. Neo4j Browser sends
 * headers of its own with its requests (`sentry-trace`, `baggage`), and the next release may send
 * others: whichever headers a page names, it may send.
 */
const withAllPages = cors({ origin: '*', methods: ['GET', 'HEAD'], maxAge: 600 });

/**
 * Lets pages of these origins send requests from a browser (`CORS_ORIGINS`). Keys travel in a
 * header, so no cookie is needed. Routes that say so are shared with all pages.
 */
export const shareWithPages = (origins: readonly string[] | undefined): RequestHandler => {
  const withSome: RequestHandler =
    origins === undefined
      ? (_req, _res, next) => next()
      : cors({
          origin: origins.includes('*') ? '*' : [...origins],
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
          exposedHeaders: ['X-Request-Id', 'Retry-After'],
          maxAge: 600,
        });
  return (req, res, next) => {
    const isForAll = foundFor(res).ofPath.some(({ isSharedWithPages }) => isSharedWithPages);
    return (isForAll ? withAllPages : withSome)(req, res, next);
  };
};
