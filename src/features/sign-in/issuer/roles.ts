import type { Role } from '../../../contract/team-key';

/** The values of a claim that give each role. */
export interface RoleValues {
  readonly administrator: readonly string[];
  readonly auditor: readonly string[];
  readonly analyst: readonly string[];
}

/** What an issuer says about somebody. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Whether the issuer left a claim out of the token, and says so: what it would hold is elsewhere
 * (OpenID Connect Core, 5.6.2). Entra ID does so with the groups of somebody who is in very many.
 */
export const isLeftOut = (claims: Claims, claim: string): boolean => {
  const { _claim_names: elsewhere, hasgroups } = claims;
  const names = typeof elsewhere === 'object' && elsewhere !== null ? elsewhere : {};
  const [first = claim] = claim.split('.');
  return (
    [claim, first].some((name) => Object.hasOwn(names, name)) ||
    (claim === 'groups' && (hasgroups === true || hasgroups === 'true'))
  );
};

const GREATEST_FIRST: readonly Role[] = ['administrator', 'auditor', 'analyst'];

/** A claim by its name, or by the path to it, such as `realm_access.roles`. */
export const claimOf = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step))
      return undefined;
    found = (found as Claims)[step];
  }
  return found;
};

/** The greatest role that a claim gives; `null`: none. Values count only if they are equal. */
export const roleOfClaims = (claims: Claims, claim: string, values: RoleValues): Role | null => {
  const claimed = [claimOf(claims, claim)].flat();
  return (
    GREATEST_FIRST.find((role) => values[role].some((value) => claimed.includes(value))) ?? null
  );
};
