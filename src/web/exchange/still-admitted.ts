import type { Response } from 'express';

import type { Role, TeamKeyScope } from '../../contract/team-key';

/** What a caller may do and see. */
export interface Admitted {
  readonly scopes: readonly TeamKeyScope[];
  /** Ids of the providers that the key is limited to; `null`: no limit. */
  readonly providers: readonly string[] | null;
  /** The role of a person; `null` for keys. */
  readonly role: Role | null;
}

/** Reads the key or session of a request again; `null`: the service would refuse the request now. */
export type LookAgain = () => Promise<Admitted | null>;

interface Locals {
  lookAgain?: LookAgain;
}

/** Says how the key or session of a request is read again. */
export const setLookAgain = (res: Response, lookAgain: LookAgain): void => {
  (res.locals as Locals).lookAgain = lookAgain;
};

/** How the key or session of a request is read again. */
export const lookAgainOf = (res: Response): LookAgain => {
  const { lookAgain } = res.locals as Locals;
  if (lookAgain === undefined) throw new Error('nobody can read the key or session again');
  return lookAgain;
};

/**
 * What the caller of a request may do now; `null`: the service would refuse the request. Answers that
 * last look before each piece, since a key or session may end meanwhile (docs/security.md: Keys, scopes
 * and limits to providers).
 */
export const stillAdmitted = (res: Response): Promise<Admitted | null> => lookAgainOf(res)();
