import type { RequestHandler, Response } from 'express';

import { isObject } from '../../codec/codec';
import type { TeamKeyScope } from '../../contract/team-key';
import type { Failure } from '../../problem';
import { setBodyJudge } from '../bodies/body-judge';
import type { Respond } from '../exchange/respond';
import { type Admitted, lookAgainOf, setLookAgain } from '../exchange/still-admitted';
import { admissionOf, type Found, foundFor } from '../routing/find-route';
import { type Access, isForKeys, isForPeople } from '../routing/route';
import { type Caller, callerOf } from './caller';
import { visitorOf } from './visitor';

const READING = new Set(['GET', 'HEAD']);

/**
 * What a request needs if its path exists but does not accept its method. The service checks this
 * first, so 403 comes before 405 (docs/security.md: Keys, scopes and limits to providers).
 */
const withoutRoute = (method: string): Access => ({
  scopes: [READING.has(method) ? 'read' : 'push'],
  limitedKeys: 'never',
});

/** Whether scopes allow what needs a scope. `admin` allows everything but queries in Cypher. */
const allows = (held: readonly TeamKeyScope[], needed: TeamKeyScope): boolean =>
  held.includes(needed) || (needed !== 'cypher' && held.includes('admin'));

/** What a caller may do, as far as the path and method of a request decide. */
type Holder = Pick<Admitted, 'scopes' | 'providers'>;

/** The first scope that the key lacks. */
const missingScope = (
  { scopes: held, providers }: Holder,
  { scopes, orScope, unlimitedAlso = [] }: Access,
): TeamKeyScope | undefined => {
  const does = (scope: TeamKeyScope): boolean => allows(held, scope);
  if (orScope !== undefined && does(orScope)) return undefined;
  const needed = providers === null ? [...scopes, ...unlimitedAlso] : scopes;
  return needed.find((scope) => !does(scope));
};

const lacking = (scope: TeamKeyScope): string =>
  [
    `The key does not have the scope "${scope}"; a holder of a key with the scope "admin" can give it.`,
    ...(scope === 'cypher' ? ['Saved queries need "read" only: POST /api/v1/queries/….'] : []),
  ].join(' ');

/** Why the key may not send this body; `null` if it may. */
const bodyRefusal = (
  body: unknown,
  { scopes: held }: Caller,
  { flagScopes = {} }: Access,
): Failure | null => {
  if (!isObject(body)) return null;
  const [missing] = Object.entries(flagScopes).flatMap(([field, scope]) =>
    body[field] === true && !allows(held, scope) ? [scope] : [],
  );
  return missing === undefined ? null : { _tag: 'PermissionDenied', message: lacking(missing) };
};

/** Why a key that is limited to providers may not do this; `null` if it may. */
const limitOf = (
  { providers }: Holder,
  { limitedKeys }: Access,
  { params }: Found,
): string | null => {
  if (providers === null || limitedKeys === 'shown in part') return null;
  if (limitedKeys === 'never') return 'The key is limited to providers: it may not do this.';
  const provider = params?.providerId;
  return provider !== undefined && providers.includes(provider)
    ? null
    : 'The key is limited to other providers.';
};

/** Why a person may not use a path; `null` if they may. Nothing here depends on what exists. */
const peopleRefusal = (
  { role }: Pick<Admitted, 'role'>,
  { ofPath, route }: Found,
): string | null => {
  const admits = (route === undefined ? ofPath : [route]).some(
    ({ access }) =>
      isForPeople(access) &&
      (access.people === 'signed in' || (role !== null && access.people.includes(role))),
  );
  if (admits) return null;
  return role === null
    ? 'You have no role here: you can see only your own access.'
    : `Your role, ${role}, does not allow this.`;
};

/** The access that a request with a key needs. */
const keyAccess = ({ route }: Found, method: string): Access =>
  route !== undefined && isForKeys(route.access) ? route.access : withoutRoute(method);

/** Why a key may not send a request; `null` if it may. */
const keyRefusal = (holder: Holder, access: Access, found: Found): string | null => {
  const missing = missingScope(holder, access);
  return missing === undefined ? limitOf(holder, access, found) : lacking(missing);
};

/** Makes a second look at a key or session refuse what the first one would refuse. */
const alsoLater = (res: Response, refusalOf: (now: Admitted) => string | null): void => {
  const look = lookAgainOf(res);
  setLookAgain(res, async () => {
    const now = await look();
    return now === null || refusalOf(now) !== null ? null : now;
  });
};

/**
 * Lets a caller do what its key allows; 403 comes before 404 and 400 (docs/rules.md: Requests). The
 * check uses the route that the router found, and the provider id that the handler of the route
 * will see. It does not look at the path itself.
 */
export const authorize =
  (respond: Respond): RequestHandler =>
  ({ method }, res, next) => {
    const found = foundFor(res);
    const needed = admissionOf(found);
    if (needed === 'nothing') return next();
    if (needed === 'people') {
      const refusal = peopleRefusal(visitorOf(res), found);
      if (refusal === null) {
        alsoLater(res, (now) => peopleRefusal(now, found));
        return next();
      }
      return respond.failure(res, { _tag: 'PermissionDenied', message: refusal });
    }
    const caller = callerOf(res);
    const access = keyAccess(found, method);
    const message = keyRefusal(caller, access, found);
    if (message === null) {
      alsoLater(res, (now) => keyRefusal(now, access, found));
      setBodyJudge(res, (body) => bodyRefusal(body, caller, access));
      next();
    } else respond.failure(res, { _tag: 'PermissionDenied', message });
  };
