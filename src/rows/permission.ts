import type { Names } from '../check/names';
import type { PermissionEntity } from '../templates/application/permissions';
import { byCodeUnits, fold, nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { Permission } from '../templates/application/permissions';
import { Draft } from './row/draft';
import { distinctFolded } from './row/custom-values';
import { lookupsOf } from './row/lookups';
import type { Row } from './row/row';

/**
 * The resource types of a permission, one for each of its nodes. `null` represents the node without
 * a type (docs/rules.md: Application payloads).
 */
const typesOf = ({ resource_types }: PermissionEntity): readonly (string | null)[] => {
  const types = distinctFolded(resource_types ?? []);
  return types.length === 0 ? [null] : types;
};

const keysOf = (permission: PermissionEntity): readonly string[] =>
  typesOf(permission).map((type) =>
    type === null
      ? keyOf(Permission.label, nfc(permission.name))
      : keyOf(Permission.label, nfc(permission.name), fold(type)),
  );

/**
 * Adds the permissions that references can name. A permission is one entity, however many nodes it
 * has (docs/rules.md: Application payloads).
 */
export const enterPermissions = (names: Names, permissions: readonly PermissionEntity[]): void => {
  permissions.forEach((permission, index) => {
    const name = nfc(permission.name);
    names.add(Permission.label, '', {
      id: name,
      name,
      pointer: `/permissions/${index}`,
      steps: [[name]],
      keys: keysOf(permission),
      title: () => `permission ${JSON.stringify(permission.name)}`,
    });
  });
};

/** Makes the rows of permissions: one for each listed resource type, or one without a type. */
export const permissionRows = (permissions: readonly PermissionEntity[]): readonly Row[] =>
  permissions.flatMap((permission) => {
    const applications = distinctFolded(permission.application_type ?? []);
    const keys = keysOf(permission);
    const canonical = [...new Set(permission.permission_type ?? [])].sort(byCodeUnits);
    return typesOf(permission).map((type, index) => {
      const draft = new Draft(Permission, keys[index] as string);
      draft.text('name', permission.name);
      // A permission without a canonical type is uncategorized (docs/rules.md: Values).
      draft.set('permission_type', canonical.length === 0 ? ['Uncategorized'] : canonical);
      draft.text('resource_type', type);
      draft.set('application_types', applications);
      draft.set('apply_to_sub_resources', permission.apply_to_sub_resources);
      return draft.row(lookupsOf(Permission, draft.properties));
    });
  });
