import { json } from './optional';
import { branchesOf, chosen, itemsOf, mixed, textsOf, textsOfBranch } from './standing';

type Item = Record<string, unknown>;

/** Everything of a payload that an increment may name: what stands, as the full push that would bring it about. */
export interface Surroundings {
  readonly payload: Item;
  /** The standing application that is around; undefined in an identity provider. */
  readonly application: Item | undefined;
}

/** The fields that tell an item from others, and its name. */
const idFields = ['identity', 'unique_id', 'id', 'name', 'resource_type'];
const nestedLists = [
  'local_users',
  'local_groups',
  'local_roles',
  'local_agents',
  'local_models',
  'local_access_creds',
  'resources',
  'sub_resources',
];

/** The fields by which an entry of a list finds an item: all, or just enough of them. */
export function idOf(item: Item, list: string, n: number): Item {
  const given = idFields.filter((field) => (item[field] ?? '') !== '');
  const named = given.filter((field) => field !== 'resource_type');
  // Some kinds need an `id`, which may also be the name: references are forgiving in that.
  const needsId = ['apps', 'employees', 'system'].includes(list) || isHrisGroup(item, list);
  if (needsId && n % 4 === 1) return { id: item.name };
  if (needsId && n % 4 === 0) return { id: item.id };
  const one =
    n % 4 === 0 ? named.slice(0, 1) : n % 4 === 1 && named.includes('name') ? ['name'] : named;
  const kept = given.filter((field) => one.includes(field) || field === 'resource_type');
  return Object.fromEntries(kept.map((field) => [field, item[field]]));
}

/** Groups of an HR system have ids; those of an identity provider have identities. */
function isHrisGroup({ id }: Item, list: string): boolean {
  return list === 'groups' && id !== undefined;
}

/** An item's own fields, mostly with references to what stands; nothing that is nested. */
export function ownFields(item: Item, around: Surroundings, n: number): Item {
  const own = Object.entries(json(item)).filter(([field]) => !nestedLists.includes(field));
  return Object.fromEntries(
    own.map(([field, value], at) => [field, rebound(field, value, around, mixed(n, at))]),
  );
}

const neededOfEmployees = [
  'employee_number',
  'first_name',
  'last_name',
  'is_active',
  'employment_status',
];

/** A few of an item's fields, as a merge patch: set, unset or emptied. */
export function patchOf(item: Item, around: Surroundings, n: number): Item {
  const required = [
    'name',
    'application_type',
    'resource_type',
    ...('employee_number' in item ? neededOfEmployees : []),
  ];
  const fields = Object.entries(ownFields(item, around, n)).filter(
    ([field]) => !['identity', 'unique_id', 'id', 'resource_type', 'tags'].includes(field),
  );
  const patched = fields.filter((_field, at) => mixed(n, at) % 3 === 0);
  return Object.fromEntries(
    patched.map(([field, value], at): [string, unknown] => {
      const way = mixed(n, at + 50) % 5;
      if (required.includes(field) || way > 1) return [field, value];
      return [field, way === 0 ? null : emptied(value)];
    }),
  );
}

/** What unsets a field besides null: empty text or an empty list; an empty object changes nothing. */
function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : null;
}

/** The lists of an application that its entities' reference fields name (spec). */
const lists: Readonly<Record<string, string>> = {
  groups: 'local_groups',
  access_creds: 'local_access_creds',
  models: 'local_models',
  roles: 'local_roles',
};

/** A value in which references are, three of four times, to something that stands. */
function rebound(field: string, value: unknown, around: Surroundings, n: number): unknown {
  const { payload, application } = around;
  if (n % 4 === 0) return value;
  if (['cost_center', 'department'].includes(field) && isReference(value)) {
    const team = chosen(itemsOf(payload, 'groups').flatMap(textsOf), n);
    return { id: spelled(team, mixed(n, 9)) ?? 'nothing' };
  }
  if (!Array.isArray(value)) return value;
  const inList = (of: unknown, list: string): readonly string[] =>
    itemsOf(of, list).flatMap(textsOf);
  return value.map((item: unknown, at) => {
    const pick = (texts: readonly string[], otherwise: unknown): unknown =>
      spelled(chosen(texts, mixed(n, at)), mixed(n, at + 9)) ?? otherwise;
    if (typeof item === 'string' && field === 'permissions')
      return pick(inList(payload, 'permissions'), item);
    if (typeof item === 'string' && lists[field] !== undefined)
      return pick(inList(application, lists[field]), item);
    if (application === undefined && field === 'groups') {
      const one = item as Item;
      const text = pick(inList(payload, 'groups'), 'nobody') as string;
      if ('id' in one) return { id: text };
      return 'identity' in one ? { identity: text } : { [text]: 'parent' };
    }
    if (field === 'managers') {
      return { id: pick(inList(payload, 'employees'), 'nobody') };
    }
    if (field === 'app_assignments') {
      return { ...(item as Item), app_id: pick(inList(payload, 'apps'), 'nothing') };
    }
    return item;
  });
}

function isReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value;
}

/** A text, at times in another case. */
export function spelled(text: string | undefined, n: number): string | undefined {
  if (text === undefined || n % 6 > 1) return text;
  return n % 6 === 0 ? text.toUpperCase() : text.normalize('NFD');
}

/** References to resources of an application. */
export function resourceTexts(application: Item | undefined, count: number, n: number): string[] {
  const branches = application === undefined ? [] : branchesOf(application);
  return Array.from({ length: count }, (_, at) => {
    const branch = chosen(branches, mixed(n, at));
    const texts = branch === undefined ? ['nothing here'] : textsOfBranch(branch);
    return spelled(chosen(texts, mixed(n, at + 5)), mixed(n, at + 9)) ?? '';
  });
}
