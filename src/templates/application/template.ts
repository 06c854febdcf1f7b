import type { RowKind } from '../kind';
import { applications } from './applications';
import { localKinds } from './local-kinds';
import { Permission } from './permissions';
import { resources } from './resources';
import { grants, roleAssignments } from './statements';

const permissions: RowKind = { node: Permission, relations: [] };

/** Every kind of row of the template `application`. */
export const applicationRowKinds: readonly RowKind[] = [
  applications,
  ...localKinds,
  resources,
  permissions,
  grants,
  roleAssignments,
];
