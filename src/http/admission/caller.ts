import type { Response } from 'express';

import type { TeamKeyScope } from '../../contract/team-key';
import type { KeyAct } from '../../service/registry/team-keys';
import { isExpired } from '../../service/registry/team-keys';
import { requestIdOf } from '../exchange/request-id';

/** Who asks, and what it may. */
export interface Caller {
  /** Of its team key; `null` of the key of the settings. */
  readonly keyId: string | null;
  /** The name of its team key. */
  readonly name: string;
  readonly scopes: readonly TeamKeyScope[];
  /** Ids of the providers that it is limited to; `null`: all. */
  readonly providers: readonly string[] | null;
}

/** Whether a team key, as it is now, lets anybody see anything. */
export const mayRead = ({
  status,
  scopes,
  expires_at,
}: {
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly scopes: readonly TeamKeyScope[];
  readonly expires_at: string | null;
}): boolean =>
  status === 'ACTIVE' &&
  !isExpired({ expires_at }) &&
  (scopes.includes('read') || scopes.includes('admin'));

interface Locals {
  caller?: Caller;
}

/** Whoever has the key of the settings may everything. */
export const OWNER: Caller = { keyId: null, name: 'API_KEY', scopes: ['admin'], providers: null };

/** Leaves the caller of a request for those who ask. */
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

/** Who acts, and in which request, for the events of what only some may do. */
export const actOf = (res: Response): KeyAct => {
  const { keyId, name } = callerOf(res);
  return { by: { keyId, name }, requestId: requestIdOf(res) };
};
