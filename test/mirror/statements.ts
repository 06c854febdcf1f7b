import type { KnownInApplication, KnownParts } from './application-parts';
import { checkedCustomValues, type Checks } from './checks';
import { applicationScope } from './definitions';
import type { Statement, Target } from './entity';
import type { Label, Value, Values } from './graph';
import { keyOf } from './key';
import type { ApplicationPayload, IdentityToPermissions, StatementElement } from './payload';
import { below, type Problem } from './pointer';
import { bind } from './reference';
import { identity } from './stated-links';
import { byCodeUnits, fold, listed } from './text';
import type { Mention } from './warnings';

/** What reading statements needs beside what they may lead to. */
export interface StatementContext {
  readonly dataSource: string;
  readonly checks: Checks;
}

/** The two lists of an entry (spec). */
export const elementLists = ['application_permissions', 'role_assignments'] as const;

/** An element of an entry, and where both stand. */
export interface Placed {
  readonly list: (typeof elementLists)[number];
  readonly entry: IdentityToPermissions;
  readonly entryPointer: string;
  readonly element: StatementElement;
  readonly pointer: string;
}

/** A statement without its scope: who holds what (docs/rules.md: Increments). */
export type StatementName = Omit<Statement, 'onApplication' | 'resources'>;

/** Who holds a statement: the node, and the text that stands for it in keys (docs/rules.md: Keys). */
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

/** Reads `identity_to_permissions`: one statement per thing held, scopes united (docs/rules.md: Nodes, Problems, Effective access). */
export function readStatements(
  payload: ApplicationPayload,
  known: KnownParts,
  context: StatementContext & { readonly mentions: Mention[] },
): readonly Statement[] {
  const entries = listed(payload.identity_to_permissions);
  const held = entries.flatMap((entry, at) =>
    elementsOf(entry, below('/identity_to_permissions', at)).flatMap((placed) => {
      const { of, name } = nameOf(placed, known, context);
      const resources =
        of === null ? [] : boundResources(placed, of, known, context.checks.problems);
      return name === null ? [] : [fullStatement(name, placed.element, resources)];
    }),
  );
  context.mentions.push(
    ...mentionsOfIdentities(
      entries.map((entry, at) => {
        const pointer = below('/identity_to_permissions', at);
        return { entry, pointer, states: elementsOf(entry, pointer).length > 0 };
      }),
    ),
  );
  return united(held);
}

/** The elements of an entry, in the order of its lists. */
export function elementsOf(entry: IdentityToPermissions, entryPointer: string): readonly Placed[] {
  return elementLists.flatMap((list) =>
    listed(entry[list]).map((element, at): Placed => {
      return { list, entry, entryPointer, element, pointer: below(entryPointer, list, at) };
    }),
  );
}

/** The federated identities that state something, each once (docs/rules.md: Problems, Statements). */
export function mentionsOfIdentities(
  entries: readonly {
    readonly entry: IdentityToPermissions;
    readonly pointer: string;
    readonly states: boolean;
  }[],
): readonly Mention[] {
  const seen = new Set<string>();
  return entries.flatMap(({ entry, pointer, states }): readonly Mention[] => {
    if (identityType(entry) !== 'idp' || !states || seen.has(fold(entry.identity))) return [];
    seen.add(fold(entry.identity));
    return [
      {
        about: 'identities',
        names: [entry.identity],
        key: '',
        field: '',
        where: 'identity_to_permissions',
        pointer: below(pointer, 'identity'),
      },
    ];
  });
}

/** The type of an entry's identity; `idp` unless set (spec). */
export function identityType(entry: IdentityToPermissions): string {
  return entry.identity_type ?? 'idp';
}

/** The application and the statement that an element names; null when something in it is not known. */
export function nameOf(
  { list, entry, entryPointer, element, pointer }: Placed,
  known: KnownParts,
  { dataSource, checks }: StatementContext,
): { readonly of: KnownInApplication | null; readonly name: StatementName | null } {
  const { problems } = checks;
  const at = (field: string): string => below(pointer, field);
  const of = bind(element.application, known.applications, at('application'), problems);
  const isGrant = list === 'application_permissions';
  const permission = isGrant
    ? bind(element.permission ?? '', known.permissions, at('permission'), problems)
    : null;
  // What is inside an unknown application is not looked up (docs/rules.md: Problems).
  if (of === null) return { of, name: null };
  const roles = known.locals.filter((one) => one.kind === 'LocalRole' && isIn(of, one));
  const role = isGrant ? null : bind(element.role ?? '', roles, at('role'), problems);
  const holder = holderOf(entry, of, known, below(entryPointer, 'identity'), problems);
  const scope = applicationScope(of.applicationType, 'role_assignment_properties');
  const before = problems.length;
  const values = isGrant ? {} : checkedCustomValues(element, scope, pointer, checks);
  // Properties at fault name no statement (docs/increments.md 5.2).
  const isFaulty = problems.length > before;
  const held = permission ?? role;
  if (holder === null || held === null || isFaulty) return { of, name: null };
  const key = [of.id, identityType(entry), holder.id, held.id];
  return {
    of,
    name: {
      kind: isGrant ? 'Grant' : 'RoleAssignment',
      key: isGrant
        ? keyOf(dataSource, 'Grant', ...key)
        : keyOf(dataSource, 'RoleAssignment', ...key, textOfProperties(values)),
      application: of.id,
      holder,
      held: { label: held.kind, key: held.key },
      values,
    },
  };
}

/** The keys of an element's resources, looked up in its application. */
export function boundResources(
  { element, pointer }: Placed,
  of: KnownInApplication,
  known: KnownParts,
  problems: Problem[],
): readonly string[] {
  const inside = known.resources.filter((one) => isIn(of, one));
  return listed(element.resources).flatMap((reference, at) => {
    const resource = bind(reference, inside, below(pointer, 'resources', at), problems);
    return resource === null ? [] : [resource.key];
  });
}

/** An element as a full push states it: with neither half given its scope is the application (docs/rules.md: Effective access). */
export function fullStatement(
  name: StatementName,
  element: StatementElement,
  resources: readonly string[],
): Statement {
  const onApplication = element.apply_to_application ?? listed(element.resources).length === 0;
  return { ...name, onApplication, resources };
}

/** The identity of an entry, a local one looked up in an application (docs/rules.md: Keys). */
export function holderOf(
  entry: IdentityToPermissions,
  of: KnownInApplication,
  known: KnownParts,
  pointer: string,
  problems: Problem[],
): Holder | null {
  if (identityType(entry) === 'idp') {
    return { ...identity(entry.identity), id: fold(entry.identity) };
  }
  const kind = kindOfIdentityType.get(identityType(entry));
  const locals = known.locals.filter((one) => one.kind === kind && isIn(of, one));
  const holder = bind(entry.identity, locals, pointer, problems);
  return holder === null ? null : { label: holder.kind, key: holder.key, id: holder.id };
}

function isIn(of: KnownInApplication, one: KnownInApplication): boolean {
  return one.application === of.id;
}

/** Custom properties as the last part of a key (docs/rules.md: Keys). */
function textOfProperties(values: Values): string {
  const pairs = Object.entries(values)
    .map(([name, value]) => [name.slice('customprop_'.length), keyText(value)] as const)
    .toSorted(([a], [b]) => byCodeUnits(a, b));
  return pairs.length === 0 ? '' : JSON.stringify(pairs);
}

function keyText(value: Value): unknown {
  return typeof value === 'object' && 'instant' in value ? value.instant : value;
}

/** Statements of one key as one: their scopes unite (docs/rules.md: Problems). */
export function united(statements: readonly Statement[]): readonly Statement[] {
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
