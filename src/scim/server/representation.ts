import type { MemberResource, StoredResource } from './directory';
import { COMMON, type ResourceKind } from './attributes';
import { waitingIn } from './writing/entries';
import { type Resource, resourceOf } from './resource';

/** A resource as clients read it. */
export type Representation = Readonly<Record<string, unknown>>;

/**
 * The address of a resource, behind a base that is empty or ends with a slash. Without one it is
 * relative to the root of the data source's endpoints (RFC 7643, 2.3.7).
 */
export const locationOf = (
  base: string,
  { endpoint }: Pick<ResourceKind, 'endpoint'>,
  id: string,
) => `${base}${endpoint}/${encodeURIComponent(id)}`;

const groupsOf = (base: string, { groups }: StoredResource): readonly object[] =>
  groups.map(({ id, name }) => ({
    value: id,
    $ref: locationOf(base, { endpoint: 'Groups' }, id),
    display: name,
    type: 'direct',
  }));

/** The members that exist, then those that wait. */
const membersOf = (
  base: string,
  stored: StoredResource,
  members: readonly MemberResource[],
): readonly object[] => [
  ...members.map(({ id, kind }) => ({
    value: id,
    $ref: locationOf(base, { endpoint: `${kind}s` }, id),
    type: kind,
  })),
  ...waitingIn(stored).map((value) => ({ value })),
];

const shown = (base: string, resource: Resource, names: readonly string[]): Representation =>
  Object.fromEntries(
    names.flatMap((name) => {
      const held = resource[name];
      if (held === undefined) return [];
      if (name !== 'manager') return [[name, held] as const];
      const { value = '' } = held as Readonly<Record<string, string>>;
      return [[name, { value, $ref: locationOf(base, { endpoint: 'Users' }, value) }] as const];
    }),
  );

const namesOf = (attributes: readonly { readonly name: string }[]): readonly string[] =>
  attributes.map(({ name }) => name);

/** A resource as clients read it; without members where those were not read. */
export const representationOf = (
  kind: ResourceKind,
  stored: StoredResource,
  members: readonly MemberResource[] | null,
  base: string,
): Representation => {
  const resource = resourceOf(kind, stored);
  const { extension } = kind;
  const extended = extension === null ? {} : shown(base, resource, namesOf(extension.attributes));
  const isExtended = Object.keys(extended).length > 0;
  const groups = kind.name === 'User' ? groupsOf(base, stored) : [];
  const all = members === null ? [] : membersOf(base, stored, members);
  return {
    schemas: [kind.schema, ...(isExtended && extension !== null ? [extension.schema] : [])],
    id: stored.id,
    ...shown(base, resource, namesOf([...COMMON, ...kind.attributes])),
    ...(groups.length > 0 && { groups }),
    ...(all.length > 0 && { members: all }),
    ...(isExtended && extension !== null && { [extension.schema]: extended }),
    meta: {
      resourceType: kind.name,
      created: stored.since,
      lastModified: stored.changed,
      location: locationOf(base, kind, stored.id),
    },
  };
};
