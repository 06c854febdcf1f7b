import type * as t from 'io-ts';

import type { AnyCodec } from '../codec/codec';
import type { EntryRules } from '../codec/entry';
import type { Fields, StructRules } from '../codec/struct';
import { type NodeKind, type NodeWords, type Properties, row, text } from '../model/table';
import {
  type FieldsOfKind,
  type Relation,
  relationOf,
  type StructOfFields,
  structOfFields,
} from './field';

/** A kind of row: its node, and the relationships that its rows state. */
export interface RowKind {
  readonly node: NodeKind;
  readonly relations: readonly Relation[];
}

/** The codec of an object with any fields. */
export interface AnyStruct extends AnyCodec {
  readonly required: Fields;
  readonly optional: Fields;
  readonly rules: StructRules;
}

/** An entry of a payload. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * The values by which an entry claims that somebody is known (docs/rules.md: Trusts). The fields
 * that a modifying entry of an increment leaves out do not change.
 */
export type Claims = (entry: Entry) => readonly unknown[];

/**
 * A kind of entity that payloads list. It is declared once, and everything that the service does
 * with it follows from the declaration.
 */
export interface EntityKind extends RowKind {
  /** The field that lists its entities, in the payload or in an application. */
  readonly list: string;
  /** What that field holds. */
  readonly listDoc: string;
  /** Whether the field `list` holds one entity instead of a list. */
  readonly isSingle: boolean;
  /** The word that messages use for it. */
  readonly word: string;
  /** The field `<definition>_properties` declares its custom properties. `null` if it has none. */
  readonly definition: string | null;
  /**
   * The `identity_type` of an entity that holds permissions and roles. `null` if this kind holds
   * none.
   */
  readonly identityType: string | null;
  readonly fields: FieldsOfKind;
  /** `null` if its entities claim nothing. */
  readonly claims: Claims | null;
  /** The codec of an entity in a full push. */
  readonly codec: AnyStruct;
  /** The rules of its entries in increments. */
  readonly entry: EntryRules;
}

/**
 * A kind whose list and fields the type system knows. `S` is `true` if a payload has one such
 * entity.
 */
export interface KindOf<
  L extends string,
  F extends FieldsOfKind,
  S extends boolean = false,
> extends EntityKind {
  readonly list: L;
  readonly isSingle: S;
  readonly fields: F;
  readonly codec: StructOfFields<F>;
}

/** The type of a kind's entities in a full push. */
export type EntityOf<K extends EntityKind> = t.TypeOf<K['codec']>;

/** What the declaration of a kind says. */
export interface KindWords<L extends string, F extends FieldsOfKind, S extends boolean = false> {
  readonly list: L;
  readonly isSingle?: S;
  readonly word: string;
  /** The word that problems of shape use for it, if it is not `word`. */
  readonly codecName?: string;
  readonly label: string;
  /**
   * The colour in which Neo4j Browser draws it. Directories are blue, principals of applications
   * green, what gives access purple, resources orange.
   */
  readonly colour: string;
  readonly also?: readonly string[];
  readonly doc: string;
  /** An entity's id is the first of these fields that is set. */
  readonly ids: readonly string[];
  readonly definition?: string;
  readonly identityType?: string;
  readonly fields: F;
  readonly rules?: StructRules;
  readonly entry?: Partial<EntryRules>;
  readonly claims?: Claims;
  /** Properties that no field of the kind sets. */
  readonly otherProperties?: Properties;
  readonly lookups?: NodeWords['lookups'];
  readonly indexes?: NodeWords['indexes'];
  /** Relationships that its rows state in addition to those of its fields. */
  readonly relations?: (node: NodeKind) => readonly Relation[];
}

const SOURCE_IDENTITY: Properties = {
  source_identity: text('Id of its source in another identity provider.', 'mention'),
  source_identity_provider_type: text('Type of that identity provider, or `any`.', 'structure'),
};

const propertiesOf = (fields: FieldsOfKind): Properties => {
  const properties: Record<string, Properties[string]> = {};
  for (const [name, { becomes, doc }] of Object.entries(fields)) {
    if (becomes._tag === 'property')
      properties[name] = { type: becomes.type, doc, names: becomes.names };
    if (becomes._tag === 'source identity') Object.assign(properties, SOURCE_IDENTITY);
  }
  return properties;
};

/** Declares a kind of entity. */
export const kind = <L extends string, F extends FieldsOfKind, S extends boolean = false>(
  words: KindWords<L, F, S>,
): KindOf<L, F, S> => {
  const { list, word, label, also = [], doc, ids, fields, otherProperties = {} } = words;
  const node = row(label, {
    also,
    doc,
    colour: words.colour,
    ids,
    properties: { ...propertiesOf(fields), ...otherProperties },
    lookups: words.lookups ?? {},
    indexes: words.indexes ?? [],
    custom: words.definition !== undefined,
  });
  const missing = ids.includes('name') && fields.name?.isNeeded === true ? 'name' : 'id';
  return {
    node,
    list,
    listDoc: doc,
    isSingle: (words.isSingle ?? false) as S,
    word,
    fields,
    claims: words.claims ?? null,
    definition: words.definition ?? null,
    identityType: words.identityType ?? null,
    codec: structOfFields(words.codecName ?? word, fields, words.rules),
    entry: { ids, missing, ...words.entry },
    relations: [
      ...Object.values(fields).flatMap((field) => relationOf(field, node) ?? []),
      ...(words.relations?.(node) ?? []),
    ],
  };
};
