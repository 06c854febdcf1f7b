import { list } from '../../codec/collections';
import { flag } from '../../codec/scalars';
import { Operation } from '../../codec/shared';
import { struct } from '../../codec/struct';
import { enumeration, requiredText } from '../../codec/text';
import type * as t from 'io-ts';

import { flag as flagProperty, folded, row, text, texts } from '../../model/table';

/** Canonical types of permissions (docs/rules.md: Enumerations). */
export const PermissionType = enumeration('permission type', [
  'DataRead',
  'DataWrite',
  'MetadataRead',
  'MetadataWrite',
  'NonData',
  'DataCreate',
  'DataDelete',
  'MetadataCreate',
  'MetadataDelete',
  'Uncategorized',
]);
export type PermissionType = t.TypeOf<typeof PermissionType>;

/** A native permission. It becomes one node for each resource type that it lists. */
export const PermissionCodec = struct(
  'permission',
  { name: requiredText },
  {
    permission_type: list(PermissionType),
    application_type: list(requiredText),
    apply_to_sub_resources: flag,
    resource_types: list(requiredText),
    operation: Operation,
  },
  {
    docs: {
      name: 'Name.',
      permission_type: 'What it lets its holder do, in canonical types.',
      application_type: 'The types of applications in which it holds. Default: all.',
      apply_to_sub_resources:
        'Whether it also holds on everything that a resource contains. Default: `false`.',
      resource_types: 'The types of resources on which it holds through a role.',
      operation: 'What an increment does with the permission. Full pushes must not have it.',
    },
  },
);
export type PermissionEntity = t.TypeOf<typeof PermissionCodec>;

/** A node of a native permission. */
export const Permission = row('Permission', {
  colour: '#C9A7E8',
  doc: 'A native permission. It has one node for each type in `resource_types`, or one node without a type.',
  properties: {
    name: text('Name.', 'structure'),
    permission_type: texts('Canonical permissions, sorted.', 'nobody'),
    resource_type: text(
      'Type of resources. Through a role, the permission holds only on resources of this type.',
      'structure',
    ),
    application_types: texts(
      'The field `application_type`, sorted: the permission holds only in applications of these types.',
      'structure',
    ),
    apply_to_sub_resources: flagProperty('Whether it also holds on what a resource contains.'),
  },
  lookups: {
    fold_name: folded('`name`, folded.', 'name'),
    fold_resource_type: folded('`resource_type`, folded.', 'resource_type'),
    fold_application_types: {
      ...texts('`application_types`, folded.', 'lookup'),
      folds: 'application_types',
      isVersioned: true,
    },
  },
  indexes: ['fold_name'],
});
