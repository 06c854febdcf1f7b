import type * as t from 'io-ts';

import type { AnyCodec, JsonSchema } from '../codec/codec';
import { Dictionary, List, Recursive, Shapes } from '../codec/collections';
import { Entry } from '../codec/entry';
import { Exact, exact, type ExactFields, has, MapOf, mapOf, Nullable, OneOf } from '../codec/exact';
import { ParentGroup } from '../codec/parent-group';
import { IdentityReference } from '../codec/shared';
import { type Fields, Struct } from '../codec/struct';
import { anyText, Enumeration, requiredText, Text, type TextRule } from '../codec/text';
import { anyJson } from './answers/values';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import { type Template, templates } from '../templates/templates';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

// Written in a form that every dialect of patterns reads.
const NO_CONTROL = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
const NO_CONTROL_BUT_LINES = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

const textSchema = ({ most, least, mayBeEmpty, mayHaveLines, pattern }: TextRule): JsonSchema => ({
  type: 'string',
  // A JSON Schema counts characters. A text has at most as many characters as bytes.
  maxLength: most,
  ...(mayBeEmpty ? {} : { minLength: least ?? 1 }),
  pattern: pattern?.source ?? (mayHaveLines === true ? NO_CONTROL_BUT_LINES : NO_CONTROL),
});

/** Adds the values that leave an optional field unset (docs/rules.md: Values). */
const optionalOf = (schema: JsonSchema, { unset }: AnyCodec): JsonSchema => ({
  anyOf: [
    schema,
    { type: 'null' },
    ...(unset === 'empty text' ? [{ const: '' }] : []),
    ...(unset === 'empty object' ? [{ type: 'object', maxProperties: 0 }] : []),
  ],
});

/** Writes codecs as JSON Schemas. Each object is defined once, under its own name. */
export class SchemaWriter {
  private readonly names = new Map<AnyCodec, string>();
  private readonly written: Record<string, JsonSchema> = {};

  /** `base` is the place of the definitions in the document. */
  constructor(private readonly base = '#/$defs/') {}

  /** The definitions of all objects that the schemas written so far refer to. */
  get definitions(): Readonly<Record<string, JsonSchema>> {
    return this.written;
  }

  /** The schema of the values that a codec accepts. */
  of(codec: AnyCodec): JsonSchema {
    if (codec instanceof Struct) {
      return this.defined(codec, () => this.struct(codec as Struct<Fields, Fields>));
    }
    if (codec instanceof Exact) {
      return this.defined(codec, () => this.exact(codec as Exact<ExactFields>));
    }
    if (codec instanceof Nullable) {
      return { anyOf: [this.of((codec as Nullable<AnyCodec>).inner), { type: 'null' }] };
    }
    if (codec instanceof MapOf) {
      const { value } = codec as MapOf<AnyCodec>;
      return { type: 'object', additionalProperties: this.of(value) };
    }
    if (codec instanceof OneOf) {
      const { members } = codec as OneOf<readonly AnyCodec[]>;
      return this.defined(codec, () => ({ anyOf: members.map((member) => this.of(member)) }));
    }
    if (codec instanceof Entry) return this.of(codec.inner);
    if (codec instanceof Recursive) return this.of(codec.inner());
    if (codec instanceof Enumeration) return { enum: codec.values };
    if (codec instanceof Text) return textSchema(codec.rule);
    if (codec instanceof List) {
      const { element, most } = codec as List<AnyCodec>;
      const bound = most === Infinity ? {} : { maxItems: most };
      return { type: 'array', items: this.of(element), ...bound };
    }
    if (codec instanceof Dictionary) {
      return {
        type: 'object',
        propertyNames: textSchema(codec.key.rule),
        additionalProperties: { anyOf: [this.of(codec.value as AnyCodec), { type: 'null' }] },
      };
    }
    if (codec instanceof Shapes) {
      const members = Object.values(codec.members as Record<string, AnyCodec>);
      return { anyOf: members.map((member) => this.of(member)) };
    }
    if (codec === ParentGroup) {
      const marks = {
        type: 'object',
        minProperties: 1,
        propertyNames: textSchema(requiredText.rule),
        additionalProperties: { const: 'parent' },
      };
      return { anyOf: [this.of(IdentityReference), marks] };
    }
    if (codec.schema === null) throw new Error(`the codec "${codec.name}" has no schema`);
    return codec.schema;
  }

  private struct({ name, required, optional, rules }: Struct<Fields, Fields>): JsonSchema {
    const { oneOf, isOpen = false, isChange = false, docs = {} } = rules;
    const described = (field: string, schema: JsonSchema): readonly [string, JsonSchema] => [
      field,
      docs[field] === undefined ? schema : { ...schema, description: docs[field] },
    ];
    return {
      title: name,
      type: 'object',
      properties: {
        ...Object.fromEntries(
          Object.entries<AnyCodec>(required).map(([field, codec]) =>
            described(field, this.of(codec)),
          ),
        ),
        ...Object.fromEntries(
          Object.entries<AnyCodec>(optional).map(([field, codec]) =>
            described(field, isChange ? this.of(codec) : optionalOf(this.of(codec), codec)),
          ),
        ),
      },
      required: Object.keys(required),
      ...(isOpen ? {} : { additionalProperties: false }),
      ...(oneOf === undefined
        ? {}
        : { anyOf: oneOf.fields.map((field) => ({ required: [field] })) }),
    };
  }

  /** Answers may get further fields in later versions, so their schemas forbid none. */
  private exact({ name, fields }: Exact<ExactFields>): JsonSchema {
    const all = Object.entries(fields);
    if (all.length === 0) return { title: name, type: 'object', maxProperties: 0 };
    return {
      title: name,
      type: 'object',
      properties: Object.fromEntries(
        all.map(([field, { codec, doc, isDeprecated }]) => [
          field,
          {
            ...this.of(codec),
            description: doc,
            ...(isDeprecated ? { deprecated: true } : {}),
          },
        ]),
      ),
      required: all.filter(([, { mayBeAbsent }]) => !mayBeAbsent).map(([field]) => field),
    };
  }

  private defined(codec: AnyCodec, write: () => JsonSchema): JsonSchema {
    const known = this.names.get(codec);
    if (known !== undefined) return { $ref: this.base + known };
    const name = this.freeName(codec.name.replaceAll(' ', '_'));
    this.names.set(codec, name);
    // The name is entered first, because resources contain resources.
    this.written[name] = {};
    this.written[name] = write();
    return { $ref: this.base + name };
  }

  private freeName(name: string): string {
    for (let at = 1; ; at += 1) {
      const free = at === 1 ? name : `${name}_${at}`;
      if (!Object.hasOwn(this.written, free)) return free;
    }
  }
}

const schema = mapOf('JSON Schema', anyJson);

/** The JSON Schema of a template's payloads. */
export const PayloadSchema = exact('payload schema', {
  $schema: has(anyText, 'The dialect of JSON Schema.'),
  title: has(anyText, 'Of which template it is.'),
  description: has(anyText, 'What it cannot say.'),
  if: has(schema, 'Whether a payload is an increment.'),
  then: has(schema, 'An increment.'),
  else: has(schema, 'A full payload.'),
  $defs: has(mapOf('definitions', schema), 'What these refer to.'),
});
export type PayloadSchema = t.TypeOf<typeof PayloadSchema>;

/**
 * The JSON Schema of a template's payloads, full and incremental. It says of their shape what a
 * schema can say.
 */
export const payloadSchema = (template: Template): PayloadSchema => {
  const writer = new SchemaWriter();
  const whole = templates[template].whole(RESOURCE_LEVELS);
  const increment = templates[template].increment(1);
  const isIncrement = {
    type: 'object',
    properties: { incremental_change: { const: true } },
    required: ['incremental_change'],
  };
  const schema = { if: isIncrement, then: writer.of(increment), else: writer.of(whole) };
  return {
    $schema: DIALECT,
    title: `Payload of the template ${template}`,
    description:
      'The shape of payloads. The service limits lengths in bytes, while a schema counts characters. It accepts keys in any case. It checks names and references when a payload is pushed.',
    ...schema,
    $defs: writer.definitions,
  };
};
