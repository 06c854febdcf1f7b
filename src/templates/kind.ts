import type * as t from 'io-ts';

import type { AnyCodec } from '../codec/codec';
import type { EntryRules } from '../codec/entry';
import type { Fields, StructRules } from '../codec/struct';
import { type NodeKind, type NodeWords, type Properties, row } from '../model/table';
import {
  type FieldsOfKind,
  type Relation,
  relationOf,
  type StructOfFields,
  structOfFields,
} from './field';

/** A kind of row: its node, and what its rows state. */
export interface RowKind {
  readonly node: NodeKind;
  readonly relations: readonly Relation[];
}

/** The codec of an object, whatever its fields are. */
export interface AnyStruct extends AnyCodec {
  readonly required: Fields;
  readonly optional: Fields;
  readonly rules: StructRules;
}

/** A kind of entity that payloads list, declared once: all that the service does with it follows from here. */
export interface EntityKind extends RowKind {
  /** The field of the payload, or of what it stands in, that lists it. */
  readonly list: string;
  /** Whether that field holds one entity instead of a list. */
  readonly isSingle: boolean;
  /** How messages name it. */
  readonly word: string;
  /** Definitions of its custom properties stand in `<definition>_properties`; `null` when it has none. */
  readonly definition: string | null;
  /** How `identity_type` names it as a holder of permissions and roles; `null` when it holds none. */
  readonly identityType: string | null;
  readonly fields: FieldsOfKind;
  /** One entity of a full push. */
  readonly codec: AnyStruct;
  /** What an entry of an increment must have. */
  readonly entry: EntryRules;
}

/** A kind with the list that has it and the fields that it has. */
export interface KindOf<L extends string, F extends FieldsOfKind> extends EntityKind {
  readonly list: L;
  readonly fields: F;
  readonly codec: StructOfFields<F>;
}

/** An entity of a kind, as a full push has it. */
export type EntityOf<K extends EntityKind> = t.TypeOf<K['codec']>;

/** The words in which a kind is declared. */
export interface KindWords<L extends string, F extends FieldsOfKind> {
  readonly list: L;
  readonly isSingle?: boolean;
  readonly word: string;
  /** How problems of shape name it, where that is not its word. */
  readonly codecName?: string;
  readonly label: string;
  /** The colour in which Neo4j Browser draws it: directories blue, applications' principals green, what gives access purple, resources orange. */
  readonly colour: string;
  readonly also?: readonly string[];
  readonly doc: string;
  /** The fields of which the first that is set is its id. */
  readonly ids: readonly string[];
  readonly definition?: string;
  readonly identityType?: string;
  readonly fields: F;
  readonly rules?: StructRules;
  readonly entry?: Partial<EntryRules>;
  /** Properties that no field of its own sets. */
  readonly beside?: Properties;
  readonly lookups?: NodeWords['lookups'];
  readonly indexes?: NodeWords['indexes'];
  /** What it states beside what its fields do. */
  readonly relations?: (node: NodeKind) => readonly Relation[];
}

const SOURCE_IDENTITY: Properties = {
  source_identity: { type: 'text', doc: 'Id of the one in another identity provider.' },
  source_identity_provider_type: {
    type: 'text',
    doc: 'Which identity providers that may be.',
  },
};

const propertiesOf = (fields: FieldsOfKind): Properties => {
  const properties: Record<string, Properties[string]> = {};
  for (const [name, { becomes, doc }] of Object.entries(fields)) {
    if (becomes._tag === 'property') properties[name] = { type: becomes.type, doc };
    if (becomes._tag === 'source identity') Object.assign(properties, SOURCE_IDENTITY);
  }
  return properties;
};

/** Declares a kind of entity. */
export const kind = <L extends string, F extends FieldsOfKind>(
  words: KindWords<L, F>,
): KindOf<L, F> => {
  const { list, word, label, also = [], doc, ids, fields, beside = {} } = words;
  const node = row(label, {
    also,
    doc,
    colour: words.colour,
    ids,
    properties: { ...propertiesOf(fields), ...beside },
    lookups: words.lookups ?? {},
    indexes: words.indexes ?? [],
    custom: words.definition !== undefined,
  });
  const missing = ids.includes('name') && fields.name?.isNeeded === true ? 'name' : 'id';
  return {
    node,
    list,
    isSingle: words.isSingle ?? false,
    word,
    fields,
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
