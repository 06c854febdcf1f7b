import { Application } from '../templates/application/applications';
import { LocalRole } from '../templates/application/local-roles';
import { Permission } from '../templates/application/permissions';
import { RoleAssignment } from '../templates/application/statements';
import type { RowContext } from '../rows/row/context';
import type { Draft } from '../rows/row/draft';
import { type Stated, stated } from '../rows/row/row';
import { relationshipKindIfAny } from '../templates/graph/relationships';
import type { Entities } from './working/entities';
import { renamedRoles, unbind } from './finish';
import type { Permissions } from './working/permissions';
import type { CurrentRows } from './working/current-rows';
import type { Statements } from './statements';

interface Changed {
  readonly current: CurrentRows;
  readonly entities: Entities;
  readonly statements: Statements;
  readonly permissions: Permissions;
  readonly context: RowContext;
}

/**
 * Removes all references to what the increment deleted, and the statements of it and about it.
 * Updates references to what it renamed or retyped.
 */
export const unbindGone = ({
  current,
  entities,
  statements,
  permissions,
  context,
}: Changed): void => {
  for (const application of [...entities.touched]) {
    if (application.kind !== Application || !application.wasDeleted) continue;
    for (const row of current.within(application.id)) {
      if (!entities.isEntity(row.row.kind)) statements.of(row).end(...application.wentAt);
    }
  }
  unbind(current, entities, (row, deleted) => {
    const statement = statements.of(row);
    // A statement refers to resources and applications only by its scope.
    const on = relationshipKindIfAny(row.row.kind, 'ON', deleted.kind);
    if (on === null) {
      statement.end(...deleted.wentAt);
      return;
    }
    const scope = stated(on, deleted.key);
    if (on.isLong) statement.know(scope);
    statement.draft?.retract(({ identity }) => identity === scope.identity);
  });
  for (const permission of permissions.touched) {
    const now = permission.rows.map(({ key }) => key);
    const old = permission.before.map(({ row }) => row.key);
    const remaining = new Set(now);
    const isSame = old.length === now.length && old.every((key) => remaining.has(key));
    if (old.length === 0 || (isSame && !permission.wasDeleted)) continue;
    const bound = new Set(old);
    // A reference to a permission leads to all its nodes. So the first node finds all rows that
    // refer to it.
    for (const key of old.slice(0, 1)) {
      for (const row of current.referring(Permission.label, key)) {
        if (!permission.wasDeleted) context.multiply(now.length, () => '/permissions');
        if (entities.isEntity(row.row.kind)) {
          const role = entities.of(row);
          if (!role.isAlive || role.isAdded) continue;
          rebind(role.draft, bound, permission.wasDeleted ? [] : now);
        } else {
          const statement = statements.of(row);
          if (permission.wasDeleted) statement.end(...permission.wentAt);
          else if (statement.draft !== null) rebind(statement.draft, bound, now);
        }
      }
    }
  }
  for (const role of renamedRoles(entities)) {
    for (const row of current.referring(LocalRole.label, role.key)) {
      if (row.row.kind !== RoleAssignment) continue;
      if (
        !row.row.relationships.some(({ kind, other }) => kind.type === 'OF' && other === role.key)
      )
        continue;
      statements.of(row).draft?.text('name', role.name);
    }
  }
};

/**
 * Moves references from the old nodes of a permission to its new ones. A permission is one entity,
 * however many nodes it has (docs/rules.md: Application payloads).
 */
const rebind = (draft: Draft, old: ReadonlySet<string>, now: readonly string[]): void => {
  const isBound = ({ kind, other }: Stated): boolean => kind.to === Permission && old.has(other);
  const kinds = new Set(draft.stated.filter(isBound).map(({ kind }) => kind));
  if (kinds.size === 0) return;
  draft.retract(isBound);
  for (const kind of kinds) for (const key of now) draft.relate(kind, key);
};
