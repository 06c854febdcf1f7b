import { type RequestHandler, Router } from 'express';

import { queryArchive } from '../../kit/archive';
import { guide } from '../../kit/guide';
import { styleSheet } from '../../kit/style';
import type { Respond } from '../exchange/respond';

/**
 * Neo4j Browser, which comes from another address, fetches style and guide with headers of its own, so that the browser asks beforehand. The kit is open
 * and holds no data.
 */
const shared =
  (respond: Respond): RequestHandler =>
  (req, res, next) => {
    res.set({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'pragma, cache-control',
      'access-control-allow-methods': 'GET, HEAD',
    });
    if (req.method === 'OPTIONS') respond.success(res, {});
    else next();
  };

/** The names under which a service may be reached; all else that is sent for one is not repeated. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?$/;

/** The analyst's kit: saved queries, style and guide for Neo4j Browser, without a key (api.md 7). */
export const kitRoutes = (respond: Respond): Router => {
  const router = Router();
  const serve = (path: string, type: string, content: (address: string) => string | Buffer): void =>
    void router
      .route(path)
      .all(shared(respond))
      .get((req, res) => {
        const host = req.headers.host ?? '';
        res.type(type).send(content(HOST.test(host) ? `${req.protocol}://${host}` : ''));
      })
      .all((_req, res) => respond.methodNotAllowed(res, 'GET'));

  const archive = Buffer.from(queryArchive());
  const style = styleSheet();
  serve('/kit/queries.zip', 'application/zip', () => archive);
  serve('/kit/style.grass', 'text/plain; charset=utf-8', () => style);
  serve('/kit/guide.html', 'text/html; charset=utf-8', guide);
  return router;
};
