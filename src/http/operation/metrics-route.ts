import { type RequestHandler, Router } from 'express';

import type { Metrics } from '../../metrics';
import { secondsSinceStart } from '../exchange/request-id';
import type { Respond } from '../exchange/respond';

/** Counts requests by the route that took them, so that ids in paths make no series of their own. */
export const measureRequests =
  ({ request }: Pick<Metrics, 'request'>): RequestHandler =>
  (req, res, next) => {
    res.once('close', () => {
      const route = (req.route as { readonly path?: unknown } | undefined)?.path;
      const path = typeof route === 'string' ? route.replaceAll('\\', '') : 'none';
      request(req.method, path, res.statusCode, secondsSinceStart(res));
    });
    next();
  };

/** `/metrics`, for Prometheus; with a key that may read (api.md 7). */
export const metricsRoute = (
  { contentType, text }: Pick<Metrics, 'contentType' | 'text'>,
  respond: Respond,
): Router => {
  const router = Router();
  router
    .route('/metrics')
    .get(async (_req, res) => {
      const body = await text();
      res.set('Content-Type', contentType).send(body);
    })
    .all((_req, res) => respond.methodNotAllowed(res, 'GET'));
  return router;
};
