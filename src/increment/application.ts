import { declaredByApplication } from '../check/application';
import { checkDeclarations } from '../check/custom-properties';
import type { Definitions } from '../check/definitions';
import type { Permission as PermissionEntity } from '../contract/application';
import type { ApplicationEntry, ApplicationIncrement, ResourceEntry } from '../contract/increment';
import type { EntryOf } from '../contract/entry';
import {
  AccessCredential,
  Application,
  LocalAgent,
  LocalGroup,
  LocalRole,
  LocalUser,
  Permission,
  Resource,
  RoleAssignment,
} from '../model/application-nodes';
import { fold, nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { relationshipKind } from '../model/relationships';
import { DataSource } from '../model/service-nodes';
import { Identity } from '../model/shared-nodes';
import type { Operation } from '../contract/shared';
import { RowContext } from '../rows/context';
import type { EntityKind } from '../rows/entity-kind';
import { distinctFolded } from '../rows/field';
import { applications, localKinds } from '../rows/local-kinds';
import { resources } from '../rows/resource';
import { Entities } from './entities';
import { type Around, Entries } from './entries';
import {
  anyStands,
  bindReferences,
  entityRows,
  judgeDynamicProperties,
  renamedRoles,
  retypedApplications,
  rowOf,
  touchMoved,
  unbind,
} from './finish';
import type { Outcome, TouchedRow } from './outcome';
import { Permissions } from './permissions';
import { Remarks } from './problems';
import type { Standing } from './standing';
import { Statements } from './statements';
import { textOf, type Working } from './working';

const KINDS = [applications, ...localKinds, resources];
// Permissions have no tags (docs/increments.md 2.2).
const OF_PERMISSIONS: readonly Operation[] = ['add', 'modify', 'delete'];
const PRINCIPALS = [LocalUser, LocalGroup, LocalRole, LocalAgent, AccessCredential];

/** What an increment of applications leads to (graph.md 7); resources may be nested at most so many levels deep. */
export const applicationIncrement = (
  payload: ApplicationIncrement,
  remembered: Definitions,
  standing: Standing,
  levels: number,
): Outcome => new Run(payload, remembered, standing, levels).outcome();

class Run {
  private readonly remarks = new Remarks();
  private readonly declared: Definitions;
  private readonly permissions: Permissions;
  private readonly entities: Entities;
  private readonly context: RowContext;
  private readonly entries: Entries;
  private readonly statements: Statements;

  constructor(
    private readonly payload: ApplicationIncrement,
    remembered: Definitions,
    private readonly standing: Standing,
    private readonly levels: number,
  ) {
    this.declared = checkDeclarations(
      declaredByApplication(payload),
      remembered,
      this.remarks.problems,
    );
    const definitions = this.declared.merge(remembered);
    this.permissions = new Permissions(standing);
    this.entities = new Entities(standing, KINDS, this.permissions);
    this.context = new RowContext(this.entities, definitions);
    const { entities, context, remarks } = this;
    this.entries = new Entries(entities, standing, definitions, context, remarks);
    this.statements = new Statements(standing, entities, entities, definitions, context, remarks);
  }

  outcome(): Outcome {
    const { payload, standing, entities, context, remarks } = this;
    (payload.applications ?? []).forEach((application, index) =>
      this.application(application, `/applications/${index}`),
    );
    (payload.permissions ?? []).forEach((permission, index) =>
      this.permission(permission, `/permissions/${index}`),
    );

    this.unbind();
    entities.settle();
    bindReferences(entities, context);
    judgeDynamicProperties(entities, remarks);
    (payload.identity_to_permissions ?? []).forEach((entry, index) =>
      this.statements.enter(entry, `/identity_to_permissions/${index}`),
    );
    this.statements.mentionIdentities();

    touchMoved(standing, entities);
    this.judgeTypes();
    this.judgeDepth();
    this.judgeApplications();
    this.judgeIdentities();

    for (const application of retypedApplications(entities)) {
      for (const row of standing.within(application.id)) {
        if (entities.isEntity(row.row.kind)) entities.of(row);
        else this.statements.of(row);
      }
    }
    const rows = [...this.entityRows(), ...this.permissionRows(), ...this.statementRows()];
    const stand = rows.flatMap(({ after }) => after ?? []);
    return {
      problems: [remarks.problems.list(), context.problems.list()],
      rows,
      shared: context.shared,
      mentions: context.mentions,
      remarks: [...context.remarks, ...remarks.warnings],
      definitions: this.declared,
      types: {
        application_types: distinctFolded(
          stand.flatMap(({ kind, properties: { application_type: type } }) =>
            kind === Application && typeof type === 'string' ? [type] : [],
          ),
        ),
        resource_types: distinctFolded(
          stand.flatMap(({ properties: { resource_type: type } }) =>
            typeof type === 'string' ? [type] : [],
          ),
        ),
        idp_types: [],
      },
    };
  }

  private application(entry: ApplicationEntry, pointer: string): void {
    const outside: Around = { application: null, parent: null, operation: null, isUnknown: false };
    const entered = this.entries.enter(applications, entry, pointer, outside);
    if (entered === null || entered.operation === 'delete') return;
    const { entity, operation } = entered;
    const around: Around = {
      application: entity,
      parent: null,
      operation: operation === 'add' ? 'add' : null,
      isUnknown: entered.isUnknown,
    };
    // Nothing of an application that does not stand can be found.
    if (entity === null) return;
    for (const kind of localKinds as readonly EntityKind<never>[]) {
      const list = entry[kind.list as 'local_users'] ?? [];
      list.forEach((local, index) => {
        this.entries.enter(kind, local, `${pointer}/${kind.list}/${index}`, around);
      });
    }
    const ofResources = operation === 'add_resource' ? 'add' : operation;
    this.resources(entry.resources ?? [], `${pointer}/resources`, {
      ...around,
      operation: ofResources === 'add' || ofResources === 'delete_resource' ? ofResources : null,
    });
  }

  private resources(entries: readonly ResourceEntry[], pointer: string, around: Around): void {
    entries.forEach((entry, index) => {
      const at = `${pointer}/${index}`;
      const entered = this.entries.enter(resources, entry, at, around);
      if (entered === null || entered.operation === 'delete') return;
      const { entity, operation } = entered;
      this.resources(entry.sub_resources ?? [], `${at}/sub_resources`, {
        application: around.application,
        parent: entity?.key ?? null,
        operation: operation === 'add' ? 'add' : null,
        isUnknown: entered.isUnknown,
      });
    });
  }

  private permission(entry: EntryOf<PermissionEntity>, pointer: string): void {
    const operation: Operation | null = entry.operation || null;
    const name = entry.name ?? '';
    const title = `permission ${JSON.stringify(name)}`;
    const permission = this.permissions.at(name);
    if (operation === 'add') {
      if (permission.isAdded) {
        this.remarks.refuse(pointer, 'DUPLICATE_ID', () => `${title} is added before`);
      } else permission.add({ ...entry, name: nfc(name) });
    } else if (operation === 'modify') {
      if (permission.entity === null) {
        this.remarks.refuse(
          pointer,
          'UNKNOWN_ENTITY',
          (hints) =>
            `there is no ${title}${hints.didYouMean(
              name,
              this.permissions.namedLike(name).map((one) => one.name),
            )}`,
        );
      } else permission.modify(entry);
    } else if (operation === 'delete' || operation === null) {
      if (permission.entity === null) {
        this.remarks.warn(pointer, `Cannot find ${title} (${operation ?? 'context'})`);
      }
      if (operation === 'delete') permission.end(pointer);
    } else {
      this.remarks.refuseOperation(pointer, 'a permission', operation, OF_PERMISSIONS);
    }
  }

  /** What leaves takes along what is bound to it, and every statement of or about it. */
  private unbind(): void {
    const { standing, entities, statements } = this;
    for (const application of [...entities.touched]) {
      if (application.kind !== Application || !application.wasDeleted) continue;
      for (const row of standing.within(application.id)) {
        if (!entities.isEntity(row.row.kind))
          statements.end(statements.of(row), ...application.wentAt);
      }
    }
    const whatWentAt = (key: string): readonly string[] =>
      [...entities.touched].find((one) => one.key === key)?.wentAt ?? [];
    unbind(standing, entities, (row, key) => {
      const statement = statements.of(row);
      const isScope = row.row.relationships.some(
        ({ kind, other }) => kind.type === 'ON' && other === key,
      );
      if (!isScope) statements.end(statements.of(row), ...whatWentAt(key));
      else statement.draft?.retract(({ kind, other }) => kind.type === 'ON' && other === key);
    });
    for (const permission of this.permissions.touched) {
      const now = permission.rows.map(({ key }) => key);
      const old = permission.before.map(({ row }) => row.key);
      const isSame = old.length === now.length && old.every((key) => now.includes(key));
      if (old.length === 0 || (isSame && !permission.wasDeleted)) continue;
      for (const key of old) {
        for (const row of standing.referring(Permission.label, key)) {
          if (entities.isEntity(row.row.kind)) {
            const role = entities.of(row);
            if (!role.isAlive || role.isAdded) continue;
            this.rebind(role.draft, old, permission.wasDeleted ? [] : now);
          } else {
            const statement = statements.of(row);
            if (permission.wasDeleted) statements.end(statements.of(row), ...permission.wentAt);
            else if (statement.draft !== null) this.rebind(statement.draft, old, now);
          }
        }
      }
    }
    for (const role of renamedRoles(entities)) {
      for (const row of standing.referring(LocalRole.label, role.key)) {
        if (row.row.kind !== RoleAssignment) continue;
        if (
          !row.row.relationships.some(({ kind, other }) => kind.type === 'OF' && other === role.key)
        )
          continue;
        statements.of(row).draft?.text('name', role.name);
      }
    }
  }

  /** A permission is one entity by name: what names it goes to all its nodes (graph.md 3). */
  private rebind(draft: Working['draft'], old: readonly string[], now: readonly string[]): void {
    const bound = draft.stated.filter(
      ({ kind, other }) => kind.to === Permission && old.includes(other),
    );
    if (bound.length === 0) return;
    draft.retract((stated) => bound.includes(stated));
    for (const { kind } of bound) for (const key of now) draft.relate(kind, key);
  }

  /** Ids on all or none of a type (spec: Resource), for the types that resources were added of. */
  private judgeTypes(): void {
    const { entities, standing, remarks } = this;
    const typeOf = ({ draft }: Working): string => fold(textOf(draft.properties, 'resource_type'));
    const groups = new Map<string, Working[]>();
    const all = [...entities.touched].filter(({ kind }) => kind === Resource);
    for (const resource of all) {
      if (!resource.isAdded) continue;
      const group = JSON.stringify([resource.application, typeOf(resource)]);
      groups.set(group, [...(groups.get(group) ?? []), resource]);
    }
    for (const [group, added] of groups) {
      const [application, type] = JSON.parse(group) as [string, string];
      const ofType = all.filter((one) => one.application === application && typeOf(one) === type);
      const gone = new Set(
        all.filter(({ before, isAlive }) => before !== null && !isAlive).map(({ key }) => key),
      );
      const stands = (hasId: boolean): boolean =>
        ofType.some(({ isAlive, id }) => isAlive && (id !== '') === hasId) ||
        standing.typed(application, type, hasId, gone.size + 1).some((key) => !gone.has(key));
      if (!stands(true) || !stands(false)) continue;
      const without = added.filter(({ id }) => id === '');
      for (const { placedAt } of without.length > 0 ? without : added) {
        remarks.refuse(
          placedAt ?? '',
          'MIXED_IDS',
          () => 'of its resource type some have an id and others have none',
        );
      }
    }
  }

  private judgeDepth(): void {
    // Deeper than a payload may nest, no full push could say it.
    for (const resource of [...this.entities.touched]) {
      if (resource.kind !== Resource || !resource.isAlive) continue;
      const upwards = this.entities.upwards(resource);
      // What is below the first one too deep is too deep for the same reason.
      if (upwards.length !== this.levels + 1) continue;
      const placed = upwards.find(({ placedAt }) => placedAt !== null);
      if (placed === undefined) continue;
      this.remarks.refuse(
        placed.placedAt ?? '',
        'TOO_DEEP',
        () => `leads to resources nested deeper than ${this.levels} levels`,
      );
    }
  }

  private judgeApplications(): void {
    const gone = [...this.entities.touched].filter(
      ({ kind, wasDeleted }) => kind === Application && wasDeleted,
    );
    if (gone.length === 0 || anyStands(this.standing, [Application], this.entities)) return;
    for (const pointer of gone.flatMap(({ wentAt }) => wentAt)) {
      this.remarks.refuse(pointer, 'NO_APPLICATION', () => 'leaves no application');
    }
  }

  private judgeIdentities(): void {
    const { entities, standing, remarks, statements } = this;
    const federated = [...statements.touched].filter(
      ({ before, wentAt }) =>
        wentAt.length > 0 &&
        before?.row.relationships.some(
          ({ kind }) => kind.type === 'HOLDS' && kind.from === Identity,
        ) === true,
    );
    const principals = [...entities.touched].filter(
      ({ kind, wasDeleted }) => PRINCIPALS.includes(kind) && wasDeleted,
    );
    const wentAt = [
      ...federated.flatMap((statement) => statement.wentAt),
      ...principals.flatMap(({ wentAt }) => wentAt),
    ];
    if (wentAt.length === 0 || anyStands(standing, PRINCIPALS, entities)) return;
    // Without local principals every statement is a federated identity's.
    const touched = [...statements.touched];
    if (touched.some(({ draft }) => draft !== null)) return;
    const gone = new Set(touched.map(({ key }) => key));
    const isAny = ['Grant', 'RoleAssignment'].some((label) =>
      standing.some(label, gone.size + 1).some((key) => !gone.has(key)),
    );
    if (isAny) return;
    for (const pointer of wentAt) {
      remarks.refuse(pointer, 'NO_IDENTITY', () => 'leaves no identity at all');
    }
  }

  private entityRows(): readonly TouchedRow[] {
    const from = relationshipKind(Application, 'FROM', DataSource);
    return entityRows(this.entities, (draft, entity) => {
      const { kind } = entity;
      if (kind === Application) {
        draft.text('application', entity.name);
        draft.relate(from, '');
        return;
      }
      this.inApplication(draft, entity.application);
      if (kind === Resource) draft.text('path', this.entities.paths(entity).names);
    });
  }

  private inApplication(draft: Working['draft'], name: string): void {
    const application = this.entities.at(Application, keyOf(Application.label, name));
    draft.text('application', name);
    draft.text('application_type', textOf(application.draft.properties, 'application_type'));
  }

  private permissionRows(): readonly TouchedRow[] {
    return [...this.permissions.touched].flatMap(({ before, rows }) => {
      const after = new Map(rows.map((row) => [row.key, row]));
      const standing = new Set(before.map(({ row }) => row.key));
      return [
        ...before.map((row) => ({ before: row, after: after.get(row.row.key) ?? null })),
        ...rows
          .filter(({ key }) => !standing.has(key))
          .map((row) => ({ before: null, after: row })),
      ];
    });
  }

  private statementRows(): readonly TouchedRow[] {
    return [...this.statements.touched].flatMap(({ before, draft }): TouchedRow[] => {
      if (draft === null) return before === null ? [] : [{ before, after: null }];
      this.inApplication(draft, textOf(draft.properties, 'application'));
      return [{ before, after: rowOf(draft) }];
    });
  }
}
