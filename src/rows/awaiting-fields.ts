import { nfc } from '../model/fold';
import type { RelationshipKind } from '../model/table';
import { titleOf } from '../warning';
import type { Mention, RowContext } from './row/context';
import type { Draft } from './row/draft';
import type { FieldWriter } from './field-writer';
import type { Value } from './row/row';

/**
 * Names that refer to another data source, in their first spelling, by the key of the shared node
 * that each one means.
 */
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

/**
 * Makes the writer of a field whose names refer to another data source. It states a relationship to
 * each shared node, unless `relate` does something else.
 */
const awaiting = (
  name: string,
  kind: RelationshipKind,
  missing: Mention['missing'],
  namesOf: (value: unknown, context: RowContext) => Awaited,
  relate: (draft: Draft, value: unknown, names: Awaited, context: RowContext) => void = (
    draft,
    _value,
    names,
  ) => {
    for (const key of names.keys()) draft.relate(kind, key);
  },
): FieldWriter => ({
  name,
  properties: [],
  relationships: [kind],
  write: (draft, entity, place, context) => {
    const names = namesOf(entity[name], context);
    if (names.size === 0) return;
    relate(draft, entity[name], names, context);
    context.mentions.push({
      pointer: `${place.pointer}/${name}`,
      names,
      missing,
      subject: place.subject,
      where: () => `${titleOf(place.subject())}: ${name}`,
    });
  },
});

/**
 * Writes `identities`: a relationship to an Identity for each. The push warns about those that no
 * identity provider knows (docs/rules.md: Warnings).
 */
export const identities = (name: string, kind: RelationshipKind): FieldWriter =>
  awaiting(name, kind, 'identity', (value, context) => {
    const names = value as readonly string[] | null | undefined;
    return names?.length
      ? awaited(
          names.filter((one) => one !== ''),
          (one) => context.identity(one),
        )
      : NOTHING;
  });

interface Owner {
  readonly external_id: string;
  readonly owner_type?: string | null;
  readonly primary?: boolean | null;
}

type Owners = readonly Owner[] | null | undefined;

/** Writes the owners of an entity (docs/rules.md: Application payloads). */
export const owners = (name: string, kind: RelationshipKind): FieldWriter =>
  awaiting(
    name,
    kind,
    'identity',
    (value, context) => {
      const given = value as Owners;
      return given?.length
        ? awaited(
            given.map(({ external_id }) => external_id),
            (one) => context.identity(one),
          )
        : NOTHING;
    },
    (draft, value, _names, context) => {
      for (const { external_id, owner_type, primary } of (value as Owners) ?? []) {
        const properties: Record<string, Value> = {};
        if (owner_type) properties.owner_type = nfc(owner_type);
        if (primary !== null && primary !== undefined) properties.primary = primary;
        draft.relate(kind, context.identity(external_id), properties);
      }
    },
  );

type Arns =
  | readonly { readonly identity: string }[]
  | { readonly identity?: readonly string[] | null }
  | null
  | undefined;

const arnsOf = (arns: Arns): readonly string[] => {
  const given = arns ?? [];
  return 'map' in given ? given.map(({ identity }) => identity) : (given.identity ?? []);
};

/**
 * Writes the cloud roles that a principal assumes, in either shape (docs/rules.md: Identity
 * provider payloads).
 */
export const assumedRoles = (name: string, kind: RelationshipKind): FieldWriter =>
  awaiting(name, kind, 'IAM role', (value, context) =>
    awaited(arnsOf(value as Arns), (arn) => context.cloudRole(arn)),
  );
