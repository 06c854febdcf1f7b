import { declaredByApplication } from '../check/application';
import { checkDeclarations } from '../check/custom-properties';
import type { Definitions } from '../check/definitions';
import { Permission, type PermissionEntity } from '../templates/application/permissions';
import type {
  ApplicationEntry,
  ApplicationIncrement,
  ResourceEntry,
} from '../templates/application/payload';
import type { EntryOf } from '../codec/entry';
import { Application, applications } from '../templates/application/applications';
import { Resource, resources } from '../templates/application/resources';
import { fold, nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { relationshipKind } from '../templates/graph/relationships';
import { DataSource } from '../model/service-nodes';
import type { Operation } from '../codec/shared';
import { RowContext } from '../rows/row/context';
import { distinctFolded } from '../rows/row/custom-values';
import { localKinds } from '../templates/application/local-kinds';
import { Entities } from './working/entities';
import { Edits } from './edits';
import { Entries } from './entries';
import type { Around } from './working/entry-identity';
import {
  bindReferences,
  entityRows,
  judgeDynamicProperties,
  retypedApplications,
  touchMoved,
} from './finish';
import type { Outcome } from './outcome';
import { judgeEnd } from './judgement';
import { Permissions } from './working/permissions';
import { ignoredFields } from './working/ignored-fields';
import { CONTEXT, Remarks } from './working/problems';
import type { CurrentRows } from './working/current-rows';
import { StatementBinder } from './statement-binder';
import { Statements } from './statements';
import { unbindGone } from './unbinding';
import { subjectOf, titleOf } from '../warning';
import type { TouchedRow } from './working/touched-row';
import { textOf, type Working } from './working/working';

const KINDS = [applications, ...localKinds, resources];
// Permissions have no tags (docs/increments.md 2.2).
const OF_PERMISSIONS: readonly Operation[] = ['add', 'modify', 'delete'];

/**
 * Computes what an increment of applications changes (docs/rules.md: Increments). Resources may
 * nest to `levels`. Throws `ExpandsTooFar` if rows would state too many relationships to nodes of
 * typed permissions.
 */
export const applicationIncrement = (
  payload: ApplicationIncrement,
  remembered: Definitions,
  current: CurrentRows,
  levels: number,
  mostMultiplied = Infinity,
): Outcome => new Run(payload, remembered, current, levels, mostMultiplied).outcome();

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
    private readonly current: CurrentRows,
    private readonly levels: number,
    mostMultiplied: number,
  ) {
    this.declared = checkDeclarations(
      declaredByApplication(payload),
      remembered,
      this.remarks.problems,
    );
    const definitions = this.declared.merge(remembered);
    this.permissions = new Permissions(current);
    this.entities = new Entities(current, KINDS, this.permissions);
    this.context = new RowContext(this.entities, definitions, mostMultiplied);
    const { entities, context, remarks } = this;
    this.entries = new Entries(
      entities,
      new Edits(entities, current, definitions, context, remarks),
      remarks,
    );
    this.statements = new Statements(
      current,
      new StatementBinder(entities, entities, definitions, context, remarks),
      entities,
      context,
      remarks,
    );
  }

  outcome(): Outcome {
    const { payload, current, entities, statements, context, remarks } = this;
    (payload.applications ?? []).forEach((application, index) =>
      this.application(application, `/applications/${index}`),
    );
    (payload.permissions ?? []).forEach((permission, index) =>
      this.permission(permission, `/permissions/${index}`),
    );

    unbindGone({ current, entities, statements, permissions: this.permissions, context });
    // This comes before references are bound, because some may use the new path of a resource below
    // a renamed one.
    touchMoved(current, entities);
    entities.settle();
    bindReferences(entities, context);
    judgeDynamicProperties(entities, remarks);
    (payload.identity_to_permissions ?? []).forEach((entry, index) =>
      statements.enter(entry, `/identity_to_permissions/${index}`),
    );
    statements.mentionIdentities();

    judgeEnd({ current, entities, statements, remarks, levels: this.levels });

    for (const application of retypedApplications(entities)) {
      for (const row of current.within(application.id)) {
        if (entities.isEntity(row.row.kind)) entities.of(row);
        else statements.of(row);
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
    // Nothing can be found inside an unknown application, but operations are still checked.
    for (const kind of localKinds) {
      const list: readonly object[] = entry[kind.list] ?? [];
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
    const subject = subjectOf('permission', name);
    const title = titleOf(subject);
    const permission = this.permissions.at(name);
    if (operation === 'add') {
      if (permission.isAdded) {
        this.remarks.refuse(
          pointer,
          'DUPLICATE_ID',
          () => `an earlier entry adds ${title} already`,
        );
      } else permission.add({ ...entry, name: nfc(name) });
    } else if (operation === 'modify') {
      if (permission.entity === null) {
        this.remarks.refuse(
          pointer,
          'UNKNOWN_ENTITY',
          (hints) =>
            `there is no ${title}${hints.didYouMean(name, [
              ...this.permissions.namedLike(fold(name)).map((one) => one.name),
              ...this.entities.currentSpellings(Permission.label, ''),
            ])}`,
        );
      } else permission.modify(entry);
    } else if (operation === 'delete' || operation === null) {
      if (permission.entity === null) {
        this.remarks.warnOfUnknown(pointer, subject, operation ?? CONTEXT);
      }
      if (operation === 'delete') permission.end(pointer);
      else this.remarks.warnOfIgnored(pointer, subject, ignoredFields(entry));
    } else {
      this.remarks.refuseOperation(pointer, 'a permission', operation, OF_PERMISSIONS);
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
      const current = new Set(before.map(({ row }) => row.key));
      return [
        ...before.map((row) => ({ before: row, after: after.get(row.row.key) ?? null })),
        ...rows.filter(({ key }) => !current.has(key)).map((row) => ({ before: null, after: row })),
      ];
    });
  }

  private statementRows(): readonly TouchedRow[] {
    return [...this.statements.touched].flatMap((statement): TouchedRow[] => {
      const { draft } = statement;
      if (draft !== null) this.inApplication(draft, textOf(draft.properties, 'application'));
      return [statement.touched() ?? []].flat();
    });
  }
}
