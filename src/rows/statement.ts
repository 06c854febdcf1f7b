import type { Definitions } from '../check/definitions';
import type { ApplicationPayload } from '../templates/application/payload';
import type {
  ApplicationPermission,
  IdentityToPermissions,
  RoleAssignmentElement,
} from '../templates/application/statements';
import { byCodeUnits, fold, nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { Application } from '../templates/application/applications';
import { Grant, holderOf, RoleAssignment } from '../templates/application/statements';
import { LocalRole } from '../templates/application/local-roles';
import { Permission } from '../templates/application/permissions';
import { Resource } from '../templates/application/resources';
import { CUSTOM_PREFIX } from '../model/property-name';
import { Identity } from '../model/shared-nodes';
import { relationshipKind } from '../templates/graph/relationships';
import type { NodeKind } from '../model/table';
import type { Named } from '../check/names';
import type { RowContext } from './row/context';
import { Draft } from './row/draft';
import { customProperties } from './row/custom-values';
import { lookupsOf } from './row/lookups';
import { NO_PROPERTIES, type PropertyValues, type Row } from './row/row';

/**
 * One element of an `identity_to_permissions` entry with its place, before its names are looked up.
 */
interface Element {
  readonly entry: IdentityToPermissions;
  readonly element: ApplicationPermission | RoleAssignmentElement;
  readonly entryPointer: string;
  readonly pointer: string;
}

/**
 * Whether the scope of an element includes the application. By default it does if the element lists
 * no resources (docs/rules.md: Statements).
 */
export const coversApplication = ({
  apply_to_application,
  resources,
}: Pick<Element['element'], 'apply_to_application' | 'resources'>): boolean =>
  apply_to_application ?? (resources ?? []).length === 0;

/**
 * The drafts of grants and role assignments, by key. If a payload has the same statement twice,
 * their scopes are united (docs/rules.md: Statements).
 */
export class StatementDrafts {
  private readonly drafts = new Map<string, Draft>();
  private readonly applicationTypes: ReadonlyMap<string, string>;

  constructor(
    payload: ApplicationPayload,
    private readonly definitions: Definitions,
    private readonly context: RowContext,
  ) {
    this.applicationTypes = new Map(
      (payload.applications ?? []).map(({ name, application_type }) => [
        nfc(name),
        application_type,
      ]),
    );
  }

  add(kind: NodeKind, of: NodeKind, reference: string, field: string, place: Element): void {
    const { context } = this;
    const { element, pointer } = place;
    const application = context.resolve(
      Application,
      '',
      element.application,
      () => `${pointer}/application`,
    );
    // The application is needed to look up roles and resources. If it is unknown, the other
    // problems would follow from that one.
    const within = application?.id ?? null;
    const what =
      of === Permission || within !== null
        ? context.resolve(
            of,
            of === Permission ? '' : (within ?? ''),
            reference,
            () => `${pointer}/${field}`,
          )
        : null;
    if (within === null) return;
    const holder = this.holder(within, place);
    const scope = (element.resources ?? []).map((resource, index) =>
      context.resolve(Resource, within, resource, () => `${pointer}/resources/${index}`),
    );
    if (what === null || holder === null) return;

    const properties = this.properties(within, element);
    const key = keyOf(
      kind.label,
      within,
      place.entry.identity_type ?? 'idp',
      holder.id,
      what.id,
      ...(kind === RoleAssignment ? [canonical(properties)] : []),
    );
    const stated = this.drafts.get(key);
    const draft = stated ?? new Draft(kind, key);
    this.drafts.set(key, draft);
    draft.text('name', what.name);
    draft.text('application', within);
    draft.text('application_type', this.applicationTypes.get(within));
    Object.assign(draft.properties, properties);
    // A repeated statement has the same holder and permission or role. Skipping it saves time,
    // since a typed permission has many nodes.
    if (stated === undefined) hold(draft, holder, of, what);
    if (coversApplication(element)) scopeOnApplication(draft, within);
    for (const resource of scope) if (resource !== null) scopeOnResource(draft, resource);
  }

  rows(): readonly Row[] {
    return [...this.drafts.values()].map((draft) =>
      draft.row(lookupsOf(draft.kind, draft.properties)),
    );
  }

  private holder(
    application: string,
    { entry, entryPointer }: Element,
  ): { kind: NodeKind; id: string; key: string } | null {
    const { node: kind } = holderOf(entry);
    if (kind === Identity) {
      return { kind, id: fold(entry.identity), key: this.context.identity(entry.identity) };
    }
    const found = this.context.resolve(
      kind,
      application,
      entry.identity,
      () => `${entryPointer}/identity`,
    );
    return found === null ? null : { kind, id: found.id, key: found.keys[0] as string };
  }

  private properties(application: string, element: Element['element']): PropertyValues {
    if (!('role' in element)) return NO_PROPERTIES;
    const type = this.applicationTypes.get(application) ?? '';
    return customProperties(
      element.custom_properties,
      this.definitions.typesOf({ kind: 'role_assignment', application_type: type }),
    );
  }
}

/** States the holder of a statement, and the permission or role that it gives. */
export const hold = (
  draft: Draft,
  holder: { readonly kind: NodeKind; readonly key: string },
  of: NodeKind,
  what: Named,
): void => {
  draft.relate(relationshipKind(holder.kind, 'HOLDS', draft.kind), holder.key);
  for (const node of what.keys) draft.relate(relationshipKind(draft.kind, 'OF', of), node);
};

/** Adds the application itself to the scope. */
export const scopeOnApplication = (draft: Draft, application: string): void =>
  draft.relate(
    relationshipKind(draft.kind, 'ON', Application),
    keyOf(Application.label, application),
  );

/** Adds a resource to the scope. */
export const scopeOnResource = (draft: Draft, { keys: [key] }: Named): void => {
  if (key !== undefined) draft.relate(relationshipKind(draft.kind, 'ON', Resource), key);
};

/** Custom properties as a part of a key: `''` if there are none, else JSON pairs sorted by name. */
export const canonical = (properties: PropertyValues): string => {
  const entries = Object.entries(properties).map(
    ([name, value]) => [name.slice(CUSTOM_PREFIX.length), value] as const,
  );
  return entries.length === 0 ? '' : JSON.stringify(entries.sort(([a], [b]) => byCodeUnits(a, b)));
};

/** Notes to which federated identities the entries give something. */
const mentionHolders = (
  { identity_to_permissions: entries }: ApplicationPayload,
  context: RowContext,
): void => {
  (entries ?? []).forEach((entry, index) => {
    if (holderOf(entry).node !== Identity) return;
    const { application_permissions: permissions, role_assignments: roles } = entry;
    if (!permissions?.length && !roles?.length) return;
    context.mentionHolder(entry.identity, `/identity_to_permissions/${index}`);
  });
};

/**
 * Makes the rows of `identity_to_permissions`: one for each grant and role assignment
 * (docs/rules.md: Statements).
 */
export const statementRows = (
  payload: ApplicationPayload,
  definitions: Definitions,
  context: RowContext,
): readonly Row[] => {
  const statements = new StatementDrafts(payload, definitions, context);
  mentionHolders(payload, context);
  (payload.identity_to_permissions ?? []).forEach((entry, index) => {
    const entryPointer = `/identity_to_permissions/${index}`;
    (entry.application_permissions ?? []).forEach((element, at) => {
      const pointer = `${entryPointer}/application_permissions/${at}`;
      statements.add(Grant, Permission, element.permission, 'permission', {
        entry,
        element,
        entryPointer,
        pointer,
      });
    });
    (entry.role_assignments ?? []).forEach((element, at) => {
      const pointer = `${entryPointer}/role_assignments/${at}`;
      statements.add(RoleAssignment, LocalRole, element.role, 'role', {
        entry,
        element,
        entryPointer,
        pointer,
      });
    });
  });
  return statements.rows();
};
