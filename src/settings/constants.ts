import { following } from './constant';
import { PARTS, PUSH, PUSH_LIMITS } from './push-constants';
import {
  BODY_LIMITS,
  EVENTS,
  NEO4J_LIMITS,
  QUESTION_LIMITS,
  RETENTION,
  SCIM,
  UPLOAD_LIMITS,
} from './request-constants';
import { oneOf } from './setting';

/**
 * The values that are no longer settings, each with its reason. docs/operating.md (Constants) lists
 * them from here. Most were settings of an earlier release: the service still reads their variables,
 * and the start warns of it.
 */
export const CONSTANTS = {
  embedded: {
    line: following(
      'NEO4J_LINE',
      oneOf('5.26', 'calendar'),
      'that of the store in `DATA_DIR`, else the newest that a Java on this machine can run',
      'Version line of the embedded Neo4j, `5.26` or `calendar`.',
      'A store fixes its line, and without a store the newest is best.',
    ),
  },
  push: PUSH,
  parts: PARTS,
  events: EVENTS,
  retention: RETENTION,
  scim: SCIM,
  limits: {
    ...PUSH_LIMITS,
    ...BODY_LIMITS,
    ...UPLOAD_LIMITS,
    ...QUESTION_LIMITS,
    ...NEO4J_LIMITS,
  },
} as const;
