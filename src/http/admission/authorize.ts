import type { RequestHandler } from 'express';

import type { TeamKeyScope } from '../../contract/team-key';
import type { Respond } from '../exchange/respond';
import { type Caller, callerOf } from './caller';

const PROVIDERS = '/api/v1/providers/custom';
const TEAM_KEYS = /^\/api\/(preview|v1)\/teamkeys(?![^/:])/;

// What shows no more than a limited caller may see: lists leave out the rest.
const SHOWN_IN_PART = new Set([
  PROVIDERS,
  `${PROVIDERS}/templates`,
  '/api/preview/events',
  '/api/v1/events',
  '/api/v1/events:stream',
]);

const QUERY = '/api/v1/query';

// A query reads, although it is posted.
const isReading = (method: string, path: string): boolean =>
  method === 'GET' || method === 'HEAD' || path.replace(/\/$/, '') === QUERY;

// These also tell what stands in the graph, which `push` alone does not show.
const TELLING = /^\/api\/v1\/providers\/custom\/[^/]+\/datasources\/[^/]+:(plan|verify)\/?$/;

const scopesOf = (method: string, path: string): readonly TeamKeyScope[] => {
  if (TEAM_KEYS.test(path)) return ['admin'];
  if (isReading(method, path)) return ['read'];
  return TELLING.test(path) ? ['push', 'read'] : ['push'];
};

// What a connector reads to find, or miss, its own provider and data source, and how its pushes ended (README.md: Team keys).
const OF_CONNECTORS =
  /^\/api\/v1\/providers\/custom(\/templates|\/[^/:]+(\/datasources(\/[^/:]+(\/pushes(\/[^/:]+)?)?)?)?)?\/?$/;

const isOfConnectors = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && OF_CONNECTORS.test(path);

/** The id of the provider that a path leads to. */
const providerIn = (path: string): string | null => {
  const id = /^\/api\/v1\/providers\/custom\/([^/:]+)/.exec(path)?.[1];
  try {
    return id === undefined ? null : decodeURIComponent(id);
  } catch {
    return null;
  }
};

const mayReach = ({ providers }: Caller, method: string, path: string): boolean => {
  if (providers === null) return true;
  if (SHOWN_IN_PART.has(path.replace(/\/$/, ''))) return isReading(method, path);
  const provider = providerIn(path);
  return provider !== null && providers.includes(provider);
};

/** Lets a caller do what its key allows; 403 comes before 404 and 400 (api.md 3). */
export const authorize =
  (respond: Respond): RequestHandler =>
  ({ method, path }, res, next) => {
    const caller = callerOf(res);
    const isAdmitted =
      caller.scopes.includes('admin') ||
      (caller.scopes.includes('push') && isOfConnectors(method, path));
    const missing = isAdmitted
      ? undefined
      : scopesOf(method, path).find((scope) => !caller.scopes.includes(scope));
    if (missing === undefined && mayReach(caller, method, path)) {
      next();
      return;
    }
    const message =
      missing === undefined
        ? 'The key is limited to other providers.'
        : `The key does not have the scope "${missing}".`;
    respond.failure(res, { _tag: 'PermissionDenied', message });
  };
