import type { RequestHandler } from 'express';

import { type Failure, invalid } from '../../problem';
import { bodyBoundsOf, setBodyBounds } from '../bodies/body-bounds';
import type { Respond } from '../exchange/respond';
import { foundFor } from './find-route';
import type { Route } from './route';

const NO_SUCH_PATH: Failure = { _tag: 'NotFound', message: 'There is no such path.' };
const NO_ENCODING = invalid('The path is not valid percent-encoding.', { problems: [], total: 0 });

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
    if (route === undefined) return respond.methodNotAllowed(res, allowedBy(ofPath));
    if (params === null) return respond.failure(res, NO_ENCODING);
    setBodyBounds(res, bodyBoundsOf(route));
    req.params = { ...params };
    return route.handler(req, res, next);
  };
