import { LocalRole, type LocalRoleEntity } from '../templates/application/local-roles';
import type { Draft } from './row/draft';

/**
 * Whether a role lists no permission and no role. This says the same as `isEmptyRole` if the
 * payload is valid, since each listed name then leads somewhere.
 */
export const isListedEmpty = ({
  permissions,
  roles,
}: Pick<LocalRoleEntity, 'permissions' | 'roles'>): boolean =>
  !permissions?.length && !roles?.length;

/**
 * Whether this is the draft of a role that allows nothing and includes no role. A push warns about
 * it (docs/rules.md: Warnings).
 */
export const isEmptyRole = ({ kind, stated }: Draft): boolean =>
  kind === LocalRole &&
  !stated.some(({ kind: { type } }) => type === 'ALLOWS' || type === 'INCLUDES');
