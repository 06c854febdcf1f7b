import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { flag } from '../../codec/scalars';
import { CustomProperties, Operation } from '../../codec/shared';
import { struct } from '../../codec/struct';
import { enumeration, requiredText } from '../../codec/text';
import { Identity } from '../../model/shared-nodes';
import { type NodeKind, row, text } from '../../model/table';
import type { Relation } from '../field';
import type { RowKind } from '../kind';
import { types } from '../relationship-type';
import { Application } from './applications';
import { inApplication, ofApplicationType } from './local-kind';
import { localKinds } from './local-kinds';
import { LocalRole } from './local-roles';
import { Permission } from './permissions';
import { Resource } from './resources';

const scopeDocs = {
  application: 'The name of the application.',
  resources: 'The resources on which it holds, each by its id, its path or its name.',
  apply_to_application:
    'Whether it holds on the complete application. Default: `true` if no resources are listed.',
  operation: 'What an increment does with it. Full pushes must not have it.',
};

/** A permission that an identity holds on a scope. */
export const ApplicationPermission = struct(
  'application permission',
  { application: requiredText, permission: requiredText },
  { resources: list(requiredText), apply_to_application: flag, operation: Operation },
  { docs: { ...scopeDocs, permission: 'The name of the permission.' } },
);
export type ApplicationPermission = t.TypeOf<typeof ApplicationPermission>;

/** A role that an identity holds on a scope. */
export const RoleAssignmentCodec = struct(
  'role assignment',
  { application: requiredText, role: requiredText },
  {
    resources: list(requiredText),
    apply_to_application: flag,
    custom_properties: CustomProperties,
    operation: Operation,
  },
  {
    docs: {
      ...scopeDocs,
      role: 'The id or name of the role.',
      custom_properties: 'Properties that the payload declares for role assignments.',
    },
  },
);
export type RoleAssignmentElement = t.TypeOf<typeof RoleAssignmentCodec>;

const holding = localKinds.flatMap(({ identityType, node, word }) =>
  identityType === null ? [] : [{ identityType, node, word }],
);

/**
 * The kinds that may hold permissions and roles, by `identity_type`: the node, and the word in
 * messages.
 */
export const holders: ReadonlyMap<string, { readonly node: NodeKind; readonly word: string }> =
  new Map([
    ['idp', { node: Identity, word: 'identity' }],
    ...holding.map(({ identityType, node, word }) => [identityType, { node, word }] as const),
  ]);

/** The kind of the identity in an entry. The default is `idp`. */
export const IdentityType = enumeration<string>('identity type', [
  'idp',
  ...holding.map(({ identityType }) => identityType),
]);

/** An entry of `identity_to_permissions`: what one identity holds. */
export const IdentityToPermissions = struct(
  'identity to permissions entry',
  { identity: requiredText },
  {
    identity_type: IdentityType,
    application_permissions: list(ApplicationPermission),
    role_assignments: list(RoleAssignmentCodec),
    operation: Operation,
  },
  {
    docs: {
      identity: 'Who holds it: an id or name, or for `idp` a login, email or group name.',
      identity_type: 'The kind of the identity. Default: `idp`, known by an identity provider.',
      application_permissions: 'The permissions that it holds.',
      role_assignments: 'The roles that it holds.',
      operation: 'What an increment does with all of this. Full pushes must not have it.',
    },
  },
);
export type IdentityToPermissions = t.TypeOf<typeof IdentityToPermissions>;

/** The kind of the identity in an entry, whose `identity_type` stage 1 has checked. */
export const holderOf = ({
  identity_type,
}: {
  readonly identity_type?: string | null | undefined;
}): {
  readonly node: NodeKind;
  readonly word: string;
} => {
  const holder = holders.get(identity_type ?? 'idp');
  if (holder === undefined) throw new Error(`nobody holds as ${String(identity_type)}`);
  return holder;
};

const stated = (of: NodeKind, doc: string): readonly Relation[] => [
  ...[...holding.map(({ node }) => node), Identity].map((other): Relation => ({
    type: types.HOLDS,
    other,
    owner: 'to',
  })),
  { type: types.OF, other: of, owner: 'from', doc },
  ...[Application, Resource].map((other): Relation => ({
    type: types.ON,
    other,
    owner: 'from',
    isLong: true,
  })),
];

/** A permission that a principal holds on a scope. */
export const Grant = row('Grant', {
  colour: '#D65D8F',
  also: ['Entitlement'],
  doc: 'A permission that a principal holds on a scope: one for each identity, application and permission.',
  properties: { name: text("The permission's name.", 'title'), ...inApplication },
  lookups: ofApplicationType,
});
export const grants: RowKind = {
  node: Grant,
  relations: stated(Permission, 'The permission that it grants: each of its nodes.'),
};

/** A role that a principal holds on a scope. */
export const RoleAssignment = row('RoleAssignment', {
  colour: '#B03A6E',
  also: ['Entitlement'],
  doc: 'A role that a principal holds on a scope: one for each identity, application, role and custom properties.',
  properties: { name: text("The role's name.", 'title'), ...inApplication },
  lookups: ofApplicationType,
  custom: true,
});
export const roleAssignments: RowKind = {
  node: RoleAssignment,
  relations: stated(LocalRole, 'The role that it assigns.'),
};
