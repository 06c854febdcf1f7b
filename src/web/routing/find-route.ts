import type { RequestHandler, Response } from 'express';
import { match } from 'path-to-regexp';

import { type Admission, isForPeople, type Route } from './route';
import { type Failure, invalid } from '../../problem';
import { bodyBoundsOf, setBodyBounds } from '../bodies/body-bounds';
import type { Respond } from '../exchange/respond';

type Params = Readonly<Record<string, string>>;

/** What the router found for a request. */
export interface Found {
  /** The routes of the path, with any method; none if the path is unknown. */
  readonly ofPath: readonly Route[];
  /** The route of the path with the request's method. */
  readonly route: Route | undefined;
  /** The decoded parameters of the path; `null` if their percent-encoding is wrong. */
  readonly params: Params | null;
}

const decoded = (raw: Params): Params | null => {
  try {
    return Object.fromEntries(
      Object.entries(raw).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
  } catch {
    return null;
  }
};

const SCIM = '/scim/v2/';

const NOTHING: Found = { ofPath: [], route: undefined, params: {} };

/**
 * Finds the route of a request. It compares paths letter by letter as the client sent them, but
 * allows one more `/` at the end. Below `/scim/v2/` it also allows more than one `/` between two
 * names, since clients join a base URL that ends with one. Percent-encoded characters belong to a
 * parameter: `%2F` does not end one, and `%3A` does not begin a verb. HEAD takes the route of GET.
 */
export const routeFinder = (
  routes: readonly Route[],
): ((method: string, path: string) => Found) => {
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) => {
    const ofPath = routes.filter((route) => route.path === path);
    const mayHoldColons = ofPath.some((route) => route.idsMayHoldColons);
    const matches = match<Record<string, string>>(path, { sensitive: true, decode: false });
    return { ofPath, mayHoldColons, matches };
  });
  return (method, sent) => {
    const path = sent.startsWith(SCIM) ? sent.replace(/\/{2,}/g, '/') : sent;
    for (const { ofPath, mayHoldColons, matches } of paths) {
      const found = matches(path);
      if (found === false) continue;
      if (!mayHoldColons && Object.values(found.params).some((id) => id.includes(':'))) continue;
      const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
      const route = ofPath.find((one) => one.method === wanted);
      return { ofPath, route, params: decoded(found.params) };
    }
    return NOTHING;
  };
};

interface Locals {
  found: Found;
}

/** Finds the route of each request before any other check. */
export const findRoute = (routes: readonly Route[]): RequestHandler => {
  const find = routeFinder(routes);
  return ({ method, path }, res, next) => {
    (res.locals as Locals).found = find(method, path);
    next();
  };
};

/** The route that `findRoute` found for a request. */
export const foundFor = (res: Response): Found => (res.locals as Locals).found;

/** What a request must bring: nothing, a key, or the session of a person. */
export type Needed = 'nothing' | 'keys' | 'people';

const neededFor = (access: Admission): Needed =>
  access === 'open' ? 'nothing' : isForPeople(access) ? 'people' : 'keys';

/**
 * What a request must bring. A path that is unknown reveals nothing, and so needs nothing. Where a
 * path does not accept the method, a key that its other methods need comes before a session.
 */
export const admissionOf = ({ ofPath, route }: Found): Needed => {
  if (route !== undefined) return neededFor(route.access);
  const needed = ofPath.map(({ access }) => neededFor(access));
  return (['keys', 'people'] as const).find((one) => needed.includes(one)) ?? 'nothing';
};

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
