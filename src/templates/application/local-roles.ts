import { ITSELF } from '../field';
import { neededText, references } from '../fields';
import type { EntityOf } from '../kind';
import { types } from '../relationship-type';
import { ids, localKind } from './local-kind';
import { Permission } from './permissions';

export const localRoles = localKind({
  list: 'local_roles',
  word: 'local role',
  label: 'LocalRole',
  colour: '#8E5BC0',
  also: ['Role', 'Principal'],
  doc: 'A role of an application. It allows permissions, includes other roles, and can hold permissions itself.',
  definition: 'local_role',
  identityType: 'local_role',
  fields: {
    name: neededText('Name.', 'title'),
    ...ids,
    permissions: references(types.ALLOWS, Permission, 'Permissions that it allows, by name.'),
    roles: references(types.INCLUDES, ITSELF, 'Roles that it includes.'),
  },
});
export const LocalRole = localRoles.node;
export type LocalRoleEntity = EntityOf<typeof localRoles>;
