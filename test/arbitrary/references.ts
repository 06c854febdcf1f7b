import { partsOf, type Part, type Parts } from '../mirror/application-parts';
import type { Application, ApplicationPayload } from '../mirror/payload';
import { allGiven, type Referable } from '../mirror/reference';
import type { DataSource } from '../mirror/rows';
import { json } from './optional';

const dangling = 'nobody at all';

/** A draft's references, written as texts that name entities it holds, in one of their spellings. */
export function written(template: DataSource['template'], draft: object): object {
  return json(writers[template](draft));
}

/** The texts that name each item of a list. */
function named(list: Drafts, ...fields: readonly string[]): readonly (readonly string[])[] {
  return list.map((one) => allGiven(...fields.map((field) => one[field] as string)));
}

function writtenHris(draft: object): object {
  const { employees, groups, ...payload } = json(draft) as Drafted<'employees' | 'groups'>;
  const people = named(employees, 'id', 'name');
  const teams = named(groups, 'id', 'name');
  const oneTeam = (employee: Draft, field: string): Draft => {
    const sent = employee[field] as Draft | null | undefined;
    return typeof sent?.id === 'number' ? { [field]: { id: spelled(teams, sent.id) } } : {};
  };
  return {
    ...payload,
    employees: employees.map((one) => ({
      ...one,
      ...oneTeam(one, 'cost_center'),
      ...oneTeam(one, 'department'),
      ...list(one, 'managers', ({ id }: Draft) => ({ id: spelled(people, id) })),
      ...list(one, 'groups', ({ id }: Draft) => ({ id: spelled(teams, id) })),
    })),
    groups,
  };
}

function writtenIdentityProvider(draft: object): object {
  const { users, groups, apps, ...payload } = json(draft) as Drafted<'users' | 'groups' | 'apps'>;
  const people = named(users, 'identity', 'name');
  const teams = named(groups, 'identity', 'name');
  const portals = named(apps, 'id', 'name');
  const principal = (one: Draft): Draft => ({
    ...one,
    ...list(one, 'groups', (parent: Draft) =>
      'identity' in parent
        ? { identity: spelled(teams, parent.identity) }
        : { [spelled(teams, parent.parent)]: 'parent' },
    ),
    ...list(one, 'app_assignments', (assignment: Draft) => ({
      ...assignment,
      app_id: spelled(portals, assignment.app_id),
    })),
    ...(typeof one.manager_id === 'number' ? { manager_id: spelled(people, one.manager_id) } : {}),
  });
  return { ...payload, users: users.map(principal), groups: groups.map(principal), apps };
}

function writtenApplication(draft: object): object {
  const payload = json(draft) as Drafted<'applications'>;
  const parts = partsOf(payload as unknown as ApplicationPayload, '');
  return {
    ...payload,
    applications: payload.applications.map((one) => withReferences(one, parts)),
    ...list(payload, 'identity_to_permissions', (entry: Draft) => writtenEntry(entry, parts)),
  };
}

type Draft = Record<string, unknown>;
type Drafts = readonly Draft[];
type Drafted<Lists extends string> = { readonly [K in Lists]: Drafts } & Draft;

const writers: Readonly<Record<DataSource['template'], (draft: object) => object>> = {
  identity_provider: writtenIdentityProvider,
  hris: writtenHris,
  application: writtenApplication,
};

function withReferences(application: Draft, parts: Parts): Draft {
  const inside = (kind: string): readonly (readonly string[])[] =>
    textsOf(
      parts.locals.filter((one) => one.kind === kind && one.application === application.name),
    );
  const references = (one: Draft): Draft => ({
    ...one,
    ...list(one, 'groups', (n) => spelled(inside('LocalGroup'), n)),
    ...list(one, 'access_creds', (n) => spelled(inside('AccessCredential'), n)),
    ...list(one, 'models', (n) => spelled(inside('LocalModel'), n)),
    ...list(one, 'roles', (n) => spelled(inside('LocalRole'), n)),
    ...list(one, 'permissions', (n) => spelled(textsOf(parts.permissions), n)),
  });
  const fields = ['local_users', 'local_groups', 'local_roles', 'local_agents'];
  return fields.reduce((one, field) => ({ ...one, ...list(one, field, references) }), application);
}

const kindOf = new Map([
  ['local_user', 'LocalUser'],
  ['local_group', 'LocalGroup'],
  ['local_role', 'LocalRole'],
  ['local_access_creds', 'AccessCredential'],
  ['local_agent', 'LocalAgent'],
]);

/** An entry whose elements name what exists; a local identity lives in its first element's application. */
function writtenEntry({ local, ...entry }: Draft, parts: Parts): Draft {
  const elements = ['application_permissions', 'role_assignments'].flatMap(
    (field) => (entry[field] ?? []) as Drafts,
  );
  const home = applicationOf(elements[0]?.application, parts);
  const kind = kindOf.get(String(entry.identity_type));
  const locals = parts.locals.filter(
    (one) => one.kind === kind && one.application === home?.application,
  );
  // A local identity is mostly in one application only, so that all elements are about that one.
  const about = (element: Draft): Part<Application> | undefined =>
    kind === undefined ? applicationOf(element.application, parts) : home;
  const element = (one: Draft): Draft => {
    const application = about(one);
    const among = (list: readonly Part<unknown>[]): readonly (readonly string[])[] =>
      textsOf(list.filter((part) => part.application === application?.application));
    const roles = parts.locals.filter((part) => part.kind === 'LocalRole');
    return {
      ...one,
      application: spelled(
        application === undefined ? [] : textsOf([application]),
        one.application,
      ),
      ...('permission' in one
        ? { permission: spelled(textsOf(parts.permissions), one.permission) }
        : { role: spelled(among(roles), one.role) }),
      ...list(one, 'resources', (n) => spelled(among(parts.resources), n)),
    };
  };
  return {
    ...entry,
    identity: kind === undefined ? entry.identity : spelled(textsOf(locals), local),
    ...list(entry, 'application_permissions', element),
    ...list(entry, 'role_assignments', element),
  };
}

function applicationOf(n: unknown, parts: Parts): Part<Application> | undefined {
  return typeof n === 'number' ? parts.applications[n % parts.applications.length] : undefined;
}

function textsOf(candidates: readonly Referable[]): readonly (readonly string[])[] {
  return candidates.map(({ ids, otherIds, paths, names }) => [
    ...new Set([...ids, ...otherIds, ...paths, ...names]),
  ]);
}

/** One of the texts of one of the candidates, in one of its spellings: as it is for small numbers. */
function spelled(candidates: readonly (readonly string[])[], n: unknown): string {
  if (typeof n !== 'number' || n >= 9900) return dangling;
  const texts = candidates[n % candidates.length] ?? [];
  const text = texts[Math.floor(n / 10) % texts.length];
  if (text === undefined) return dangling;
  const spellings = [
    text,
    text,
    text,
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.normalize('NFD'),
  ];
  return spellings[Math.floor(n / 100) % spellings.length] ?? text;
}

/** A list field of a draft, each item rewritten; nothing when it is not a list. */
function list<T>(of: Draft, field: string, rewrite: (item: T) => unknown): Draft {
  const items = of[field];
  return Array.isArray(items) ? { [field]: (items as T[]).map(rewrite) } : {};
}
