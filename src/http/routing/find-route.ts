import type { RequestHandler, Response } from 'express';
import { match } from 'path-to-regexp';

import type { Route } from './route';

type Params = Readonly<Record<string, string>>;

/** What a request asks for. */
export interface Found {
  /** The routes of its path, whatever their method; none where there is no such path. */
  readonly ofPath: readonly Route[];
  /** The one that its method chooses. */
  readonly route: Route | undefined;
  /** The parameters of its path, decoded; `null` where they are no percent-encoding. */
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

const NOTHING: Found = { ofPath: [], route: undefined, params: {} };

/**
 * Finds what a request asks for among the routes. Paths are compared as they were sent, letter by letter, but for one `/` more at the end. What is
 * percent-encoded belongs to a parameter: `%2F` and `%3A` neither end one nor begin a verb. HEAD asks for what GET does.
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
  return (method, path) => {
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

/** Finds the route of each request before anything else is judged. */
export const findRoute = (routes: readonly Route[]): RequestHandler => {
  const find = routeFinder(routes);
  return ({ method, path }, res, next) => {
    (res.locals as Locals).found = find(method, path);
    next();
  };
};

/** What a request asks for. */
export const foundFor = (res: Response): Found => (res.locals as Locals).found;

/** Whether a request needs no key: its route is open, or there is no such path, which tells nobody anything. */
export const isOpen = ({ ofPath, route }: Found): boolean =>
  route === undefined ? ofPath.every(({ access }) => access === 'open') : route.access === 'open';
