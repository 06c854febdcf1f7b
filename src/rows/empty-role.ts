import { LocalRole } from '../templates/application/local-roles';
import type { Draft } from './row/draft';

/** Whether a draft is of a role that allows nothing and includes no role, about which a push warns (docs/rules.md: Warnings). */
export const isEmptyRole = ({ kind, stated }: Draft): boolean =>
  kind === LocalRole &&
  !stated.some(({ kind: { type } }) => type === 'ALLOWS' || type === 'INCLUDES');
