import type { Response } from 'express';

import type { KeyAct } from '../../graph/records/event-record';
import type { KeyHolder } from '../routing/web';
import { requestIdOf } from '../exchange/request-id';

/**
 * Who sends the request, and what its key may do. For a person who signed in, `keyId` and `name` are
 * those that events name (`Visitor`).
 */
export type Caller = KeyHolder;

interface Locals {
  caller?: Caller;
}

/** The caller with a key of the settings, who may do everything. */
export const ownerWith = (setting: 'API_KEY' | 'API_KEY_NEXT'): Caller => ({
  keyId: null,
  name: setting,
  scopes: ['admin', 'cypher'],
  providers: null,
});

/** Keeps the caller of a request for the handlers that run later. */
export const setCaller = (res: Response, caller: Caller): void => {
  (res.locals as Locals).caller = caller;
};

/** The caller of a request; `undefined` before it has signed in. */
export const callerIfAny = (res: Response): Caller | undefined => (res.locals as Locals).caller;

/** The caller of a request that has signed in. */
export const callerOf = (res: Response): Caller => {
  const caller = callerIfAny(res);
  if (caller === undefined) throw new Error('the request has not signed in');
  return caller;
};

/**
 * Whether the caller may see who did something. A key that is limited to providers must not see the
 * names of other keys.
 */
export const seesKeys = (res: Response): boolean => callerOf(res).providers === null;

/**
 * The key, the address and the request id of an act, which events and records name. The address is
 * that of the connection: behind a proxy the proxy's, unless `TRUSTED_PROXIES` names the proxy.
 */
export const actOf = (res: Response): KeyAct => {
  const { keyId, name } = callerOf(res);
  return { by: { keyId, name, address: res.req.ip ?? null }, requestId: requestIdOf(res) };
};
