import type { PermissionEntity } from '../../templates/application/permissions';
import type { EntryOf } from '../../codec/entry';
import type { Named } from '../../check/names';
import { Permission } from '../../templates/application/permissions';
import { fold, nfc } from '../../model/fold';
import { permissionRows } from '../../rows/permission';
import type { Row } from '../../rows/row/row';
import type { CurrentRows, CurrentRow } from './current-rows';
import { textOf } from './working';
import { listAt } from '../../model/grouped';

const KEPT = ['permission_type', 'apply_to_sub_resources'] as const;

/**
 * A permission while an increment changes it. It is one entity, however many nodes it has
 * (docs/rules.md: Application payloads).
 */
export class WorkingPermission {
  entity: PermissionEntity | null;
  wasDeleted = false;
  /** The pointers of the entries that deleted it. */
  readonly wentAt: string[] = [];
  isAdded = false;

  constructor(
    readonly name: string,
    readonly before: readonly CurrentRow[],
  ) {
    const [first] = before;
    this.entity =
      first === undefined
        ? null
        : {
            name,
            ...(Object.fromEntries(
              KEPT.flatMap((field) => {
                const value = first.row.properties[field];
                return value === undefined ? [] : [[field, value]];
              }),
            ) as Partial<PermissionEntity>),
            application_type: (first.row.properties.application_types ?? []) as readonly string[],
            resource_types: before.flatMap(({ row: { properties } }) =>
              typeof properties.resource_type === 'string' ? [properties.resource_type] : [],
            ),
          };
  }

  add(entity: PermissionEntity): void {
    this.entity = entity;
    this.isAdded = true;
  }

  /** Replaces the fields that the entry has. */
  modify(changes: EntryOf<PermissionEntity>): void {
    if (this.entity !== null) this.entity = { ...this.entity, ...changes, name: this.name };
  }

  end(pointer: string): void {
    if (this.entity !== null) this.wentAt.push(pointer);
    this.wasDeleted ||= this.before.length > 0;
    this.entity = null;
    this.isAdded = false;
  }

  private made: { readonly of: PermissionEntity; readonly rows: readonly Row[] } | null = null;

  /** The rows of its present state. They are cached, because every reference needs them. */
  get rows(): readonly Row[] {
    const { entity } = this;
    if (entity === null) return [];
    if (this.made?.of !== entity) this.made = { of: entity, rows: permissionRows([entity]) };
    return this.made.rows;
  }
}

/** The permissions of a data source while an increment changes them. */
export class Permissions {
  private readonly permissions = new Map<string, WorkingPermission>();
  private readonly byFolded = new Map<string, WorkingPermission[]>();

  constructor(private readonly current: CurrentRows) {}

  get touched(): Iterable<WorkingPermission> {
    return this.permissions.values();
  }

  /** The permission with exactly this name. */
  at(name: string): WorkingPermission {
    const exact = nfc(name);
    const known = this.permissions.get(exact);
    if (known !== undefined) return known;
    const rows = this.current
      .named(Permission.label, fold(exact))
      .filter(({ row }) => row.properties.name === exact);
    const permission = new WorkingPermission(exact, rows);
    this.permissions.set(exact, permission);
    const folded = fold(exact);
    listAt(this.byFolded, folded).push(permission);
    return permission;
  }

  /** The names of the permissions that the increment has looked at and that exist. */
  *names(): Iterable<string> {
    for (const { name, entity } of this.permissions.values()) if (entity !== null) yield name;
  }

  /** The permissions whose folded name is this text. */
  namedLike(folded: string): readonly Named[] {
    for (const { row } of this.current.named(Permission.label, folded)) {
      this.at(textOf(row.properties, 'name'));
    }
    return (this.byFolded.get(folded) ?? [])
      .filter(({ entity }) => entity !== null)
      .map((permission) => ({
        id: permission.name,
        name: permission.name,
        pointer: '',
        steps: [[permission.name]],
        keys: permission.rows.map(({ key }) => key),
        title: () => `permission ${JSON.stringify(permission.name)}`,
      }));
  }
}
