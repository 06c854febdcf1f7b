import type { Response } from 'express';

import type { Role } from '../../contract/team-key';
import { roleOfKey } from '../../features/sign-in/contract';
import { callerOf } from './caller';
import { visitorIfAny } from './visitor';

/**
 * The role of who sends a request: that of a person, or the one that a key would give who signs in
 * with it. `null`: none.
 */
export const roleOf = (res: Response): Role | null => {
  const visitor = visitorIfAny(res);
  return visitor === undefined ? roleOfKey(callerOf(res)) : visitor.role;
};
