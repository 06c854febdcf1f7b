import type { AnyCodec } from '../codec/codec';
import { struct, type Struct, type StructRules } from '../codec/struct';
import { CloudRole, ExternalEntity, Identity, Tag as TagNode } from '../model/shared-nodes';
import type { NodeKind, ValueType } from '../model/table';
import { type RelationshipType, types } from './relationship-type';

/** In place of a kind of node: the kind that has the field. */
export const ITSELF = 'itself';

/**
 * How a payload spells a list of references: texts, `{identity}`, either shape of parent groups, `{id}`, or one `{id}`. A list of managers has
 * `{id}` too, and an entity may name itself there, which states nothing.
 */
export type ReferenceSpelling = 'texts' | 'identities' | 'parents' | 'ids' | 'id' | 'managers';

/** What the value of a field becomes in the graph. */
export type Becomes =
  /** The property of the same name; the texts of a set are kept sorted, each once. */
  | { readonly _tag: 'property'; readonly type: ValueType; readonly isSet?: boolean }
  /** `source_identity` and `source_identity_provider_type`. */
  | { readonly _tag: 'source identity' }
  /** A relationship to each entity of the payload that it names, by id or name. */
  | {
      readonly _tag: 'references';
      readonly type: RelationshipType;
      readonly to: NodeKind | typeof ITSELF;
      readonly spelling: ReferenceSpelling;
    }
  /** IDENTITY_OF from each Identity. */
  | { readonly _tag: 'identities' }
  /** OWNED_BY to each Identity. */
  | { readonly _tag: 'owners' }
  /** ASSUMES_ROLE to each CloudRole. */
  | { readonly _tag: 'assumed roles' }
  /** A relationship to each ExternalEntity. */
  | { readonly _tag: 'external entities'; readonly type: RelationshipType }
  /** ASSIGNED_TO an app, with properties of its own. */
  | { readonly _tag: 'assignments'; readonly to: NodeKind }
  /** TAGGED to each Tag. */
  | { readonly _tag: 'tags' }
  /** Custom or dynamic properties, under their prefix. */
  | { readonly _tag: 'custom' }
  | { readonly _tag: 'dynamic' }
  /** What the template itself sees to: operations, and fields that say where something stands. */
  | { readonly _tag: 'the template' };

/** One field of a kind of entity, declared once: its shape in payloads, its meaning in words, and what it becomes. */
export interface Field<C extends AnyCodec = AnyCodec, N extends boolean = boolean> {
  readonly codec: C;
  readonly isNeeded: N;
  readonly doc: string;
  readonly becomes: Becomes;
}

/** Fields by name. */
export type FieldsOfKind = Readonly<Record<string, Field>>;

type Needed<F extends FieldsOfKind> = {
  [K in keyof F as F[K]['isNeeded'] extends true ? K : never]: F[K]['codec'];
};
type Optional<F extends FieldsOfKind> = {
  [K in keyof F as F[K]['isNeeded'] extends true ? never : K]: F[K]['codec'];
};

/** The codec of an object that has these fields. */
export type StructOfFields<F extends FieldsOfKind> = Struct<Needed<F>, Optional<F>>;

const codecsOf = (fields: FieldsOfKind, isNeeded: boolean): Readonly<Record<string, AnyCodec>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.isNeeded === isNeeded)
      .map(([name, { codec }]) => [name, codec]),
  );

/** The codec of an object that has these fields. */
export const structOfFields = <F extends FieldsOfKind>(
  name: string,
  fields: F,
  rules: StructRules = {},
): StructOfFields<F> =>
  struct(
    name,
    codecsOf(fields, true),
    codecsOf(fields, false),
    rules,
  ) as unknown as StructOfFields<F>;

/** The kinds of relationship that a field states: their type, the other end, and whether the entity is the end or the start. */
export interface Relation {
  readonly type: RelationshipType;
  readonly other: NodeKind;
  readonly owner: 'from' | 'to';
  /** Where it says more than that of the type. */
  readonly doc?: string;
}

/** The relation that a field of a kind states; `null` when it states none. */
export const relationOf = ({ becomes }: Field, node: NodeKind): Relation | null => {
  switch (becomes._tag) {
    case 'references':
      return {
        type: becomes.type,
        other: becomes.to === ITSELF ? node : becomes.to,
        owner: 'from',
      };
    case 'identities':
      return { type: types.IDENTITY_OF, other: Identity, owner: 'to' };
    case 'owners':
      return { type: types.OWNED_BY, other: Identity, owner: 'from' };
    case 'assumed roles':
      return { type: types.ASSUMES_ROLE, other: CloudRole, owner: 'from' };
    case 'external entities':
      return { type: becomes.type, other: ExternalEntity, owner: 'from' };
    case 'assignments':
      return { type: types.ASSIGNED_TO, other: becomes.to, owner: 'from' };
    case 'tags':
      return { type: types.TAGGED, other: TagNode, owner: 'from' };
    case 'property':
    case 'source identity':
    case 'custom':
    case 'dynamic':
    case 'the template':
      return null;
  }
};
