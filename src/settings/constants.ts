import { PARTS, PUSH, PUSH_LIMITS } from './push-constants';
import {
  BODY_LIMITS,
  CONSOLE,
  EVENTS,
  NEO4J_LIMITS,
  QUESTION_LIMITS,
  UPLOAD_LIMITS,
} from './request-constants';

/**
 * The values that operators need not set, each with its reason. docs/operating.md (Constants) lists
 * them from here.
 */
export const CONSTANTS = {
  push: PUSH,
  parts: PARTS,
  events: EVENTS,
  console: CONSOLE,
  limits: {
    ...PUSH_LIMITS,
    ...BODY_LIMITS,
    ...UPLOAD_LIMITS,
    ...QUESTION_LIMITS,
    ...NEO4J_LIMITS,
  },
} as const;
