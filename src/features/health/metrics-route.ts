import type { RequestHandler } from 'express';

import type { Metrics } from '../../metrics';
import { secondsSinceStart } from '../../web/exchange/request-id';
import { takingNone } from '../../web/lists/list-query';
import type { Respond } from '../../web/exchange/respond';
import { foundFor } from '../../web/routing/find-route';
import type { Route } from '../../web/routing/route';
import { endpoints } from './endpoints';

/** Counts requests by their route. The ids in a path do not make a series of their own. */
export const measureRequests =
  ({ request }: Pick<Metrics, 'request'>): RequestHandler =>
  (req, res, next) => {
    res.once('close', () => {
      const path = foundFor(res).ofPath[0]?.path.replaceAll('\\', '') ?? 'none';
      request(req.method, path, res.statusCode, secondsSinceStart(res));
    });
    next();
  };

/** `/metrics` for Prometheus; its key needs the scope `read` (docs/rules.md: Requests). */
export const metricsRoute = (
  respond: Respond,
  { contentType, text }: Pick<Metrics, 'contentType' | 'text'>,
): Route => ({
  ...endpoints.metrics,
  handler: takingNone(respond, async (_req, res) => {
    const body = await text();
    res.set('Content-Type', contentType).send(body);
  }),
});
