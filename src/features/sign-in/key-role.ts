import type { TeamKey } from '../keys/records';
import type { Role } from '../../contract/team-key';
import { holderOf, type KeyHolder } from '../../web/routing/web';
import { admits } from '../keys/contract';

/** What a key may be, as far as a role follows from it. */
type KeyRights = Pick<KeyHolder, 'scopes' | 'providers'>;

/**
 * The role of somebody who signs in with a key; `null`: the key signs nobody in. The pages show what
 * all providers pushed, so a key that is limited to providers does not. With `read` a key sees events
 * and exports, so it gives the role that sees them too.
 */
export const roleOfKey = ({ scopes, providers }: KeyRights): Role | null => {
  if (providers !== null) return null;
  if (scopes.includes('admin')) return 'administrator';
  return scopes.includes('read') ? 'auditor' : null;
};

/** Whether somebody may sign in with a key at a time, in milliseconds since 1970. */
export const keySignsIn = (key: TeamKey, now: number): boolean =>
  admits(key, now) && roleOfKey(holderOf(key)) !== null;

/** Why a key signs nobody in. */
export const whyNoRole = ({ providers }: KeyRights): string =>
  providers === null
    ? 'This key cannot sign in here: it does not have the scope "read" or "admin".'
    : 'This key cannot sign in here: it is limited to providers, and the pages show what all of them pushed.';
