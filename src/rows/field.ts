import { NO_TYPES, type TypesByName } from '../check/definitions';
import type { PropertyType } from '../contract/shared';
import { fold, nfc } from '../model/fold';
import { parseInstant } from '../model/instant';
import { type ChosenPrefix, CUSTOM_PREFIX } from '../model/property-name';
import type { NodeKind, RelationshipKind } from '../model/table';
import { relationshipKind } from '../model/relationships';
import { titleOf } from '../warning';
import type { Mention, RowContext } from './context';
import type { Draft } from './draft';
import type { Place } from './place';
import { NO_PROPERTIES, type PropertyValues, type Value } from './row';

/** One field of an entity: what its value puts into the entity's row. */
export interface Field<E> {
  readonly name: keyof E & string;
  /** The properties and relationships that it sets, and nothing else does. */
  readonly properties: readonly string[];
  readonly relationships: readonly RelationshipKind[];
  readonly write: (draft: Draft, entity: E, place: Place, context: RowContext) => void;
  /** Notes what of it others must bring, as `write` does too. */
  readonly mention?: (entity: E, place: Place, context: RowContext) => void;
}

/** A field that sets properties. */
export const valued = <E>(
  name: keyof E & string,
  write: (draft: Draft, entity: E) => void,
  ...properties: readonly string[]
): Field<E> => ({ name, properties: [name, ...properties], relationships: [], write });

/** A field that states relationships. */
export const relating = <E>(
  name: keyof E & string,
  kind: RelationshipKind,
  write: Field<E>['write'],
): Field<E> => ({ name, properties: [], relationships: [kind], write });

/** What others must bring: each name as it was first sent, by the key of the shared node that it means. */
type Awaited = ReadonlyMap<string, string>;

const NOTHING: Awaited = new Map();

const awaited = (names: readonly string[], keyOf: (name: string) => string): Awaited => {
  if (names.length === 0) return NOTHING;
  const found = new Map<string, string>();
  for (const name of names) {
    const key = keyOf(name);
    if (!found.has(key)) found.set(key, name);
  }
  return found;
};

/** A field that names what others must bring, and relates to each of it unless told otherwise. */
const awaiting = <E>(
  name: keyof E & string,
  kind: RelationshipKind,
  missing: Mention['missing'],
  namesOf: (entity: E, context: RowContext) => Awaited,
  relate: (draft: Draft, entity: E, names: Awaited, context: RowContext) => void = (
    draft,
    _entity,
    names,
  ) => {
    for (const key of names.keys()) draft.relate(kind, key);
  },
): Field<E> => {
  const note = (names: Awaited, place: Place, context: RowContext): void => {
    if (names.size === 0) return;
    context.mentions.push({
      pointer: `${place.pointer}/${name}`,
      names,
      missing,
      subject: place.subject,
      where: () => `${titleOf(place.subject())}: ${name}`,
    });
  };
  return {
    name,
    properties: [],
    relationships: [kind],
    write: (draft, entity, place, context) => {
      const names = namesOf(entity, context);
      if (names.size === 0) return;
      relate(draft, entity, names, context);
      note(names, place, context);
    },
    mention: (entity, place, context) => note(namesOf(entity, context), place, context),
  };
};

/** A text of the specification. */
export const text = <K extends string>(name: K): Field<{ readonly [P in K]?: string | null }> =>
  valued(name, (draft, entity) => draft.text(name, entity[name]));

/** A boolean. */
export const flag = <K extends string>(name: K): Field<{ readonly [P in K]?: boolean | null }> =>
  valued(name, (draft, entity) => draft.set(name, entity[name]));

/** An RFC 3339 time, stored in UTC (graph.md 2). */
export const time = <K extends string>(name: K): Field<{ readonly [P in K]?: string | null }> =>
  valued(name, (draft, entity) =>
    draft.set(name, entity[name] ? parseInstant(entity[name]) : null),
  );

/** References by name or id within the application or identity provider: a relationship to each. */
export const references = <E>(
  name: keyof E & string,
  from: NodeKind,
  type: string,
  to: NodeKind,
  read: (entity: E) => readonly { readonly reference: string; readonly step: string }[],
): Field<E> => {
  const kind = relationshipKind(from, type, to);
  return relating(name, kind, (draft, entity, place, context) => {
    const list = read(entity);
    // Named again it says nothing more, and a typed permission has many nodes.
    const related = new Set<object>();
    list.forEach(({ reference, step }) => {
      const pointer = (): string => `${place.pointer}/${name}${step}`;
      // A permission is outside applications.
      const named = context.resolve(
        to,
        to.label === 'Permission' ? '' : place.application,
        reference,
        pointer,
      );
      if (named === null || related.has(named)) return;
      if (named.keys.includes(draft.key)) {
        context.refuse(
          pointer(),
          'SELF_REFERENCE',
          () => `${titleOf(place.subject())} names itself`,
        );
        return;
      }
      related.add(named);
      context.multiply(named.keys.length, pointer);
      for (const key of named.keys) draft.relate(kind, key);
    });
  });
};

/** References that are a list of strings. */
export const referenceList = <K extends string>(
  name: K,
  from: NodeKind,
  type: string,
  to: NodeKind,
): Field<{ readonly [P in K]?: readonly string[] | null }> =>
  references(name, from, type, to, (entity) =>
    (entity[name] ?? []).map((reference, index) => ({ reference, step: `/${index}` })),
  );

/** Identities of an account or group: an Identity each, warned about while nobody matches (graph.md 8). */
export const identities = (
  to: NodeKind,
  from: NodeKind,
): Field<{ readonly identities?: readonly string[] | null }> => {
  const kind = relationshipKind(from, 'IDENTITY_OF', to);
  return awaiting('identities', kind, 'identity', ({ identities: names }, context) =>
    names?.length
      ? awaited(
          names.filter((name) => name !== ''),
          (name) => context.identity(name),
        )
      : NOTHING,
  );
};

interface Owner {
  readonly external_id: string;
  readonly owner_type?: string | null;
  readonly primary?: boolean | null;
}

/** Owners of an application's entity (api.md 4). */
export const owners = (
  from: NodeKind,
  identity: NodeKind,
): Field<{ readonly owners?: readonly Owner[] | null }> => {
  const kind = relationshipKind(from, 'OWNED_BY', identity);
  return awaiting(
    'owners',
    kind,
    'identity',
    ({ owners: given }, context) =>
      given?.length
        ? awaited(
            given.map(({ external_id }) => external_id),
            (name) => context.identity(name),
          )
        : NOTHING,
    (draft, { owners: given }, _names, context) => {
      for (const { external_id, owner_type, primary } of given ?? []) {
        const properties: Record<string, Value> = {};
        if (owner_type) properties.owner_type = nfc(owner_type);
        if (primary !== null && primary !== undefined) properties.primary = primary;
        draft.relate(kind, context.identity(external_id), properties);
      }
    },
  );
};

type Arns =
  | readonly { readonly identity: string }[]
  | { readonly identity?: readonly string[] | null }
  | null
  | undefined;

const arnsOf = (arns: Arns): readonly string[] => {
  const given = arns ?? [];
  return 'map' in given ? given.map(({ identity }) => identity) : (given.identity ?? []);
};

/** Cloud roles that a principal assumes, in both shapes (spec: Assumed role ARNs). */
export const assumedRoles = (
  from: NodeKind,
  cloudRole: NodeKind,
): Field<{ readonly assumed_role_arns?: Arns }> => {
  const kind = relationshipKind(from, 'ASSUMES_ROLE', cloudRole);
  return awaiting('assumed_role_arns', kind, 'IAM role', ({ assumed_role_arns: arns }, context) =>
    awaited(arnsOf(arns), (arn) => context.cloudRole(arn)),
  );
};

interface Mentioned {
  readonly node_type: string;
  readonly id: string;
}

/** Entities outside the payload, by kind and id: what `entities_owned` and `connections` name; one may stand without its list. */
export const externalEntities = <K extends string>(
  name: K,
  from: NodeKind,
  type: string,
  to: NodeKind,
): Field<{ readonly [P in K]?: readonly Mentioned[] | Mentioned | null }> => {
  const kind = relationshipKind(from, type, to);
  return relating(name, kind, (draft, entity, _place, context) => {
    for (const { node_type, id } of [entity[name] ?? []].flat() as Mentioned[]) {
      draft.relate(kind, context.externalEntity(node_type, id));
    }
  });
};

/** Tags; they accumulate over pushes (graph.md 6). */
export const tags: Field<{
  readonly tags?: readonly { readonly key: string; readonly value?: string | null }[] | null;
}> = {
  name: 'tags',
  properties: [],
  relationships: [],
  write: (draft, entity, _place, context) => {
    for (const { key, value } of entity.tags ?? []) draft.tag(context.tag(key, value));
  },
};

/** A value of a custom or dynamic property, as sent; `null` when that means unset (graph.md 2). */
const customValue = (value: unknown, type: PropertyType | undefined): Value | null => {
  if (type === 'TIMESTAMP') return typeof value === 'string' ? parseInstant(value) : null;
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return Array.isArray(value) && value.length > 0 ? (value as readonly string[]) : null;
};

/** Puts properties under a prefix, so that no payload text becomes a bare property name (graph.md 2). */
export const putPrefixed = (
  properties: Record<string, Value>,
  prefix: ChosenPrefix,
  values: object | null | undefined,
  types: TypesByName = NO_TYPES,
): void => {
  if (values === null || values === undefined) return;
  for (const name of Object.keys(values)) {
    const kept = customValue(values[name as keyof typeof values], types.get(name));
    if (kept !== null) properties[`${prefix}${name}`] = kept;
  }
};

/** Custom properties alone. */
export const customProperties = (
  values: object | null | undefined,
  types: TypesByName,
): PropertyValues => {
  if (values === null || values === undefined) return NO_PROPERTIES;
  const properties: Record<string, Value> = {};
  putPrefixed(properties, CUSTOM_PREFIX, values, types);
  return properties;
};

/** One spelling for each folded text: the first in code-unit order. */
export const distinctFolded = (texts: readonly string[]): readonly string[] => {
  const spelled = new Map<string, string>();
  for (const text of texts.map(nfc).sort()) {
    if (!spelled.has(fold(text))) spelled.set(fold(text), text);
  }
  return [...spelled.values()];
};
