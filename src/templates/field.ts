import type { AnyCodec } from '../codec/codec';
import { struct, type Struct, type StructRules } from '../codec/struct';
import { CloudRole, ExternalEntity, Identity, Tag as TagNode } from '../model/shared-nodes';
import type { PlainNames, NodeKind, ValueType } from '../model/table';
import { type RelationshipType, types } from './relationship-type';

/** Means the kind that has the field, because a kind cannot name itself in its own declaration. */
export const ITSELF = 'itself';

/**
 * How a payload spells references: a list of texts, a list of `{identity}`, parent groups in either
 * shape, a list of `{id}`, or one `{id}`. `managers` is a list of `{id}` in which an entity may
 * name itself; that reference states nothing.
 */
export type ReferenceSpelling = 'texts' | 'identities' | 'parents' | 'ids' | 'id' | 'managers';

/** What the graph makes of a field's value. */
export type Becomes =
  /**
   * A property with the field's name. If it is a set, its texts are stored sorted and each once.
   */
  | {
      readonly _tag: 'property';
      readonly type: ValueType;
      readonly names: PlainNames;
      readonly isSet?: boolean;
    }
  /** The properties `source_identity` and `source_identity_provider_type`. */
  | { readonly _tag: 'source identity' }
  /** A relationship to each entity of the payload that the field names, by id or name. */
  | {
      readonly _tag: 'references';
      readonly type: RelationshipType;
      readonly to: NodeKind | typeof ITSELF;
      readonly spelling: ReferenceSpelling;
    }
  /** An IDENTITY_OF relationship from each Identity. */
  | { readonly _tag: 'identities' }
  /** An OWNED_BY relationship to each Identity. */
  | { readonly _tag: 'owners' }
  /** An ASSUMES_ROLE relationship to each CloudRole. */
  | { readonly _tag: 'assumed roles' }
  /** A relationship to each ExternalEntity. */
  | { readonly _tag: 'external entities'; readonly type: RelationshipType }
  /** An ASSIGNED_TO relationship to each app, with its own properties. */
  | { readonly _tag: 'assignments'; readonly to: NodeKind }
  /** A TAGGED relationship to each Tag. */
  | { readonly _tag: 'tags' }
  /** Custom or dynamic properties, each with its prefix. */
  | { readonly _tag: 'custom' }
  | { readonly _tag: 'dynamic' }
  /**
   * Nothing by itself. Code of the template processes it, such as operations and fields that place
   * an entity.
   */
  | { readonly _tag: 'the template' };

/** One field of a kind: how payloads spell it, what it means, and what the graph makes of it. */
export interface Field<C extends AnyCodec = AnyCodec, N extends boolean = boolean> {
  readonly codec: C;
  readonly isNeeded: N;
  readonly doc: string;
  readonly becomes: Becomes;
}

export type FieldsOfKind = Readonly<Record<string, Field>>;

type Needed<F extends FieldsOfKind> = {
  [K in keyof F as F[K]['isNeeded'] extends true ? K : never]: F[K]['codec'];
};
type Optional<F extends FieldsOfKind> = {
  [K in keyof F as F[K]['isNeeded'] extends true ? never : K]: F[K]['codec'];
};

/** The codec of an object with these fields. */
export type StructOfFields<F extends FieldsOfKind> = Struct<Needed<F>, Optional<F>>;

const codecsOf = (fields: FieldsOfKind, isNeeded: boolean): Readonly<Record<string, AnyCodec>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.isNeeded === isNeeded)
      .map(([name, { codec }]) => [name, codec]),
  );

const docsOf = (fields: FieldsOfKind): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { doc }]) => [name, doc]));

/** Makes the codec of an object with these fields. */
export const structOfFields = <F extends FieldsOfKind>(
  name: string,
  fields: F,
  rules: StructRules = {},
): StructOfFields<F> =>
  struct(name, codecsOf(fields, true), codecsOf(fields, false), {
    ...rules,
    docs: docsOf(fields),
  }) as unknown as StructOfFields<F>;

/**
 * A type of relationship that the rows of a kind state: its type, the node at the other end, and
 * which end the row is.
 */
export interface Relation {
  readonly type: RelationshipType;
  readonly other: NodeKind;
  readonly owner: 'from' | 'to';
  /** Its sentence for the documentation, if it says more than that of the type. */
  readonly doc?: string;
  /**
   * Whether one row may state very many relationships of this type. They have no properties in
   * addition to `since`, and all relations of the type agree about this.
   */
  readonly isLong?: boolean;
}

/** The relation that a field states, or `null` if it states none. */
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
