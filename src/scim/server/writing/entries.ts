import type { MemberResource, StoredResource } from '../directory';
import { GROUP, OTHER_EMAILS, type ResourceKind, USER, WAITING_MEMBERS } from '../attributes';
import type { Entity } from '../resource';

type Values = Readonly<Record<string, unknown>>;

/** An entry of an increment. */
export interface Entry {
  readonly kind: ResourceKind;
  readonly values: Values;
  readonly custom: Values;
}

const LISTS = new Set<string>([OTHER_EMAILS, WAITING_MEMBERS]);

const set = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const differing = (before: Values, after: Values): Values =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] ?? null),
    ),
  );

/** The field that names an existing entity. Its own id never changes. */
const idOf = ({ identity, id }: Pick<StoredResource, 'identity' | 'id'>): Values =>
  identity === null ? { name: id } : { identity };

const references = (ids: Iterable<string>): readonly object[] =>
  [...ids].map((identity) => ({ identity }));

/** The entry of a new resource. */
export const addition = (
  kind: ResourceKind,
  identity: string,
  { fields, custom }: Entity,
): Entry => ({
  kind,
  values: { operation: 'add', identity, ...set(fields) },
  custom: set(custom),
});

/** The entry of a resource that changes; null if nothing does. */
export const change = (
  kind: ResourceKind,
  stored: StoredResource,
  before: Entity,
  after: Entity,
): Entry | null => {
  const fields = differing(before.fields, after.fields);
  const custom = differing(before.custom, after.custom);
  const isSame = Object.keys(fields).length === 0 && Object.keys(custom).length === 0;
  return isSame
    ? null
    : { kind, values: { operation: 'modify', ...idOf(stored), ...fields }, custom };
};

/** The entry that removes a resource. */
export const removalOf = (kind: ResourceKind, stored: StoredResource): Entry => ({
  kind,
  values: { operation: 'delete', ...idOf(stored) },
  custom: {},
});

/** The entry of a member whose groups change. */
export const membership = (member: MemberResource, groups: Iterable<string>): Entry => ({
  kind: member.kind === 'User' ? USER : GROUP,
  values: { operation: 'modify', ...idOf(member), groups: references(groups) },
  custom: {},
});

/** The groups of an entry that adds a resource. */
export const inGroups = (entry: Entry, groups: readonly string[]): Entry =>
  groups.length === 0
    ? entry
    : { ...entry, values: { ...entry.values, groups: references(groups) } };

/** The entry of a group whose waiting members change. */
export const waiting = (group: StoredResource, ids: readonly string[]): Entry => ({
  kind: GROUP,
  values: { operation: 'modify', ...idOf(group) },
  custom: { [WAITING_MEMBERS]: ids.length === 0 ? null : ids },
});

/** Those ids among the custom properties of a group that wait for a member. */
export const waitingIn = ({ properties }: StoredResource): readonly string[] => {
  const ids = properties[`customprop_${WAITING_MEMBERS}`];
  return Array.isArray(ids) ? ids.map(String) : [];
};

const typesOf = (entries: readonly Entry[], kind: ResourceKind): object =>
  Object.fromEntries(
    entries
      .filter((entry) => entry.kind === kind)
      .flatMap(({ custom }) => Object.keys(custom))
      .map((name) => [name, LISTS.has(name) ? 'STRING_LIST' : 'STRING']),
  );

const listOf = (entries: readonly Entry[], kind: ResourceKind): readonly object[] =>
  entries
    .filter((entry) => entry.kind === kind)
    .map(({ values, custom }) =>
      Object.keys(custom).length === 0 ? values : { ...values, custom_properties: custom },
    );

/** The increment of some entries (docs/rules.md: Increments). */
export const incrementOf = (entries: readonly Entry[]): object => ({
  incremental_change: true,
  custom_property_definition: {
    user_properties: typesOf(entries, USER),
    group_properties: typesOf(entries, GROUP),
  },
  users: listOf(entries, USER),
  groups: listOf(entries, GROUP),
});
