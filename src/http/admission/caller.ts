import type { Response } from 'express';

import type { TeamKeyScope } from '../../contract/team-key';
import type { KeyAct } from '../../service/registry/team-keys';
import { isExpired } from '../../service/registry/team-keys';
import { requestIdOf } from '../exchange/request-id';

/** Who sends the request, and what its key may do. */
export interface Caller {
  /** The id of the team key; `null` for `API_KEY`. */
  readonly keyId: string | null;
  /** The name of the team key. */
  readonly name: string;
  readonly scopes: readonly TeamKeyScope[];
  /** Ids of the providers that the key is limited to; `null`: no limit. */
  readonly providers: readonly string[] | null;
}

/** Whether a team key may read now. */
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

/** The caller with `API_KEY`, who may do everything. */
export const OWNER: Caller = { keyId: null, name: 'API_KEY', scopes: ['admin'], providers: null };

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

/** The key and the request id of an act. Events name both. */
export const actOf = (res: Response): KeyAct => {
  const { keyId, name } = callerOf(res);
  return { by: { keyId, name }, requestId: requestIdOf(res) };
};
