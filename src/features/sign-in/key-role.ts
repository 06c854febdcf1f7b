import type { TeamKey } from '../keys/records';
import { holderOf } from '../../web/routing/web';
import { type KeyRights, roleOfKey } from '../../web/admission/visitor';
import { admits } from '../keys/contract';

/** Whether somebody may sign in with a key at a time, in milliseconds since 1970. */
export const keySignsIn = (key: TeamKey, now: number): boolean =>
  admits(key, now) && roleOfKey(holderOf(key)) !== null;

/** Why a key signs nobody in. */
export const whyNoRole = ({ providers }: KeyRights): string =>
  providers === null
    ? 'This key cannot sign in here: it does not have the scope "read" or "admin".'
    : 'This key cannot sign in here: it is limited to providers, and the pages show what all of them pushed.';
