import type { RequestHandler, Response } from 'express';

import { type Failure, invalid } from '../../problem';
import { bodyBoundsOf, setBodyBounds } from '../bodies/body-bounds';
import type { Respond } from '../exchange/respond';
import { foundFor } from './find-route';
import type { Route } from './route';

const NO_SUCH_PATH: Failure = { _tag: 'NotFound', message: 'There is no such path.' };
const NO_ENCODING = invalid('The path is not valid percent-encoding.', { problems: [], total: 0 });

// Pages of Neo4j Browser come from another address and send headers of their own.
const shareWithPages = (res: Response): void =>
  void res.set({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'pragma, cache-control',
    'access-control-allow-methods': 'GET, HEAD',
  });

const allowedBy = (routes: readonly Route[]): string =>
  routes.map(({ method }) => method.toUpperCase()).join(', ');

/**
 * Runs the route of a request. It answers 404 if there is none, or 405 if the path accepts only
 * other methods.
 */
export const runRoute =
  (respond: Respond): RequestHandler =>
  (req, res, next) => {
    const { ofPath, route, params } = foundFor(res);
    if (ofPath.length === 0) return respond.failure(res, NO_SUCH_PATH);
    const isShared = ofPath.some(({ isSharedWithPages }) => isSharedWithPages);
    if (isShared) shareWithPages(res);
    if (route === undefined) {
      return isShared && req.method === 'OPTIONS'
        ? respond.success(res, {})
        : respond.methodNotAllowed(res, allowedBy(ofPath));
    }
    if (params === null) return respond.failure(res, NO_ENCODING);
    setBodyBounds(res, bodyBoundsOf(route));
    req.params = { ...params };
    return route.handler(req, res, next);
  };
