import type { RequestHandler } from 'express';

import type { TeamKeyScope } from '../contract/team-key';
import { type Caller, callerOf } from './caller';
import type { Respond } from './respond';

const PROVIDERS = '/api/v1/providers/custom';
const TEAM_KEYS = /^\/api\/(preview|v1)\/teamkeys(?![^/:])/;

// What shows no more than a limited caller may see: lists leave out the rest.
const SHOWN_IN_PART = new Set([
  PROVIDERS,
  `${PROVIDERS}/templates`,
  '/api/preview/events',
  '/api/v1/events',
]);

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

const scopeOf = (method: string, path: string): TeamKeyScope =>
  TEAM_KEYS.test(path) ? 'admin' : isReading(method) ? 'read' : 'push';

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
  if (SHOWN_IN_PART.has(path.replace(/\/$/, ''))) return isReading(method);
  const provider = providerIn(path);
  return provider !== null && providers.includes(provider);
};

/** Lets a caller do what its key allows; 403 comes before 404 and 400 (api.md 3). */
export const authorize =
  (respond: Respond): RequestHandler =>
  ({ method, path }, res, next) => {
    const caller = callerOf(res);
    const scope = scopeOf(method, path);
    const hasScope = caller.scopes.includes(scope) || caller.scopes.includes('admin');
    if (hasScope && mayReach(caller, method, path)) {
      next();
      return;
    }
    const message = hasScope
      ? 'The key is limited to other providers.'
      : `The key does not have the scope "${scope}".`;
    respond.failure(res, { _tag: 'PermissionDenied', message });
  };
