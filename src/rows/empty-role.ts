import { LocalRole } from '../templates/application/local-roles';
import type { Draft } from './row/draft';

/**
 * Whether a draft is a role that gives nothing and includes no role. A push warns about such roles
 * (docs/rules.md: Warnings).
 */
export const isEmptyRole = ({ kind, stated }: Draft): boolean =>
  kind === LocalRole &&
  !stated.some(({ kind: { type } }) => type === 'ALLOWS' || type === 'INCLUDES');
