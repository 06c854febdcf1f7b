import type { Part, Parts } from './application-parts';
import type { Statement, Target } from './entity';
import {
  applicationScope,
  customPropertyProblems,
  customValues,
  type Declaration,
} from './definitions';
import type { Label, Value, Values } from './graph';
import { keyOf } from './key';
import type {
  Application,
  ApplicationPayload,
  IdentityToPermissions,
  StatementElement,
} from './payload';
import { below, type Problem } from './pointer';
import { bind } from './reference';
import { identity } from './stated-links';
import { byCodeUnits, fold, listed } from './text';
import type { Mention } from './warnings';

interface Context {
  readonly dataSource: string;
  readonly declarations: readonly Declaration[];
  readonly problems: Problem[];
  readonly mentions: Mention[];
}

/** Who holds a statement: the node, and the text that stands for it in keys (design.md 3.2). */
interface Holder extends Target {
  readonly id: string;
}

const kindOfIdentityType = new Map<string, Label>([
  ['local_user', 'LocalUser'],
  ['local_group', 'LocalGroup'],
  ['local_role', 'LocalRole'],
  ['local_access_creds', 'AccessCredential'],
  ['local_agent', 'LocalAgent'],
]);

/** Reads `identity_to_permissions`: one statement per thing held, scopes united (graph.md 2, 8, 9). */
export function readStatements(
  payload: ApplicationPayload,
  parts: Parts,
  context: Context,
): readonly Statement[] {
  const entries = listed(payload.identity_to_permissions);
  mentionIdentities(entries, context);
  return united(
    entries.flatMap((entry, at) => {
      const pointer = below('/identity_to_permissions', at);
      const read =
        (field: 'application_permissions' | 'role_assignments') =>
        (element: StatementElement, i: number): readonly Statement[] =>
          readElement(entry, element, pointer, below(pointer, field, i), parts, context);
      return [
        ...listed(entry.application_permissions).flatMap(read('application_permissions')),
        ...listed(entry.role_assignments).flatMap(read('role_assignments')),
      ];
    }),
  );
}

/** The identities that state something, each once (graph.md 8, design.md 3.10). */
function mentionIdentities(entries: readonly IdentityToPermissions[], { mentions }: Context): void {
  const seen = new Set<string>();
  entries.forEach((entry, at) => {
    const elements = [...listed(entry.application_permissions), ...listed(entry.role_assignments)];
    if (identityType(entry) !== 'idp' || elements.length === 0) return;
    if (seen.has(fold(entry.identity))) return;
    seen.add(fold(entry.identity));
    mentions.push({
      about: 'identities',
      names: [entry.identity],
      where: 'identity_to_permissions',
      pointer: below('/identity_to_permissions', at),
    });
  });
}

function identityType(entry: IdentityToPermissions): string {
  return entry.identity_type ?? 'idp';
}

function readElement(
  entry: IdentityToPermissions,
  element: StatementElement,
  entryPointer: string,
  pointer: string,
  parts: Parts,
  context: Context,
): readonly Statement[] {
  const { dataSource, problems } = context;
  const of = bind(element.application, parts.applications, below(pointer, 'application'), problems);
  const isGrant = pointer.includes('/application_permissions/');
  const permission = isGrant
    ? bind(element.permission ?? '', parts.permissions, below(pointer, 'permission'), problems)
    : null;
  // What is inside an unknown application is not looked up (design.md 2).
  if (of === null) return [];
  const role = isGrant ? null : bindRole(element, of, parts, below(pointer, 'role'), problems);
  const holder = holderOf(entry, of, parts, below(entryPointer, 'identity'), problems);
  const resources = listed(element.resources).flatMap((reference, at) => {
    const inside = parts.resources.filter((one) => one.application === of.id);
    const resource = bind(reference, inside, below(pointer, 'resources', at), problems);
    return resource === null ? [] : [resource.key];
  });
  const values = isGrant ? {} : customOf(element, of, pointer, context);
  const held = permission ?? role;
  if (holder === null || held === null) return [];
  const key = [of.id, identityType(entry), holder.id, held.id];
  return [
    {
      kind: isGrant ? 'Grant' : 'RoleAssignment',
      key: isGrant
        ? keyOf(dataSource, 'Grant', ...key)
        : keyOf(dataSource, 'RoleAssignment', ...key, textOfProperties(values)),
      application: of.id,
      holder,
      held: { label: held.kind, key: held.key },
      values,
      // With neither half given the scope is the application (graph.md 9: grant scope).
      onApplication: element.apply_to_application ?? listed(element.resources).length === 0,
      resources,
    },
  ];
}

function bindRole(
  element: StatementElement,
  of: Part<Application>,
  parts: Parts,
  pointer: string,
  problems: Problem[],
) {
  const roles = parts.locals.filter((one) => one.kind === 'LocalRole' && one.application === of.id);
  return bind(element.role ?? '', roles, pointer, problems);
}

/** The identity of an entry, a local one looked up in the element's application (graph.md 4). */
function holderOf(
  entry: IdentityToPermissions,
  of: Part<Application>,
  parts: Parts,
  pointer: string,
  problems: Problem[],
): Holder | null {
  if (identityType(entry) === 'idp') {
    return { ...identity(entry.identity), id: fold(entry.identity) };
  }
  const kind = kindOfIdentityType.get(identityType(entry));
  const locals = parts.locals.filter((one) => one.kind === kind && one.application === of.id);
  const holder = bind(entry.identity, locals, pointer, problems);
  return holder === null ? null : { label: holder.kind, key: holder.key, id: holder.id };
}

/** A role assignment's custom properties (api.md 4). */
function customOf(
  { custom_properties: sent }: StatementElement,
  of: Part<Application>,
  pointer: string,
  { declarations, problems }: Context,
): Values {
  const scope = applicationScope(of.applicationType, 'role_assignment_properties');
  const at = below(pointer, 'custom_properties');
  problems.push(...customPropertyProblems(sent, scope, declarations, at));
  return customValues(sent, scope, declarations);
}

/** Custom properties as the last part of a key (design.md 3.2). */
function textOfProperties(values: Values): string {
  const pairs = Object.entries(values)
    .map(([name, value]) => [name.slice('customprop_'.length), keyText(value)] as const)
    .toSorted(([a], [b]) => byCodeUnits(a, b));
  return pairs.length === 0 ? '' : JSON.stringify(pairs);
}

function keyText(value: Value): unknown {
  return typeof value === 'object' && 'instant' in value ? value.instant : value;
}

/** Statements of one key as one: their scopes unite (graph.md 8). */
function united(statements: readonly Statement[]): readonly Statement[] {
  const byKey = new Map<string, Statement>();
  for (const one of statements) {
    const before = byKey.get(one.key);
    byKey.set(one.key, {
      ...one,
      onApplication: one.onApplication || before?.onApplication === true,
      resources: [...(before?.resources ?? []), ...one.resources],
    });
  }
  return [...byKey.values()];
}
