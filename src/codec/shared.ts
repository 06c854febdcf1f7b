import type * as t from 'io-ts';

import { dictionary, list, sequence, shapes } from './collections';
import { flag, number } from './scalars';
import { struct } from './struct';
import { enumeration, patternText, requiredText, Text, text } from './text';

/** What an entry of an incremental push does (docs/rules.md: Increments). */
export const Operation = enumeration('operation', [
  'add',
  'modify',
  'delete',
  'add_resource',
  'delete_resource',
  'add_tag',
  'delete_tag',
  'remove_tag',
]);
export type Operation = t.TypeOf<typeof Operation>;

/** A tag (docs/rules.md: Tags, Property names for the patterns). */
export const Tag = struct(
  'tag',
  {
    key: patternText('tag key', {
      mayBeEmpty: false,
      pattern: /^[\p{L}\p{N}_]+$/u,
      characters: 'letters, digits and _',
    }),
  },
  {
    value: patternText('tag value', {
      mayBeEmpty: true,
      pattern: /^[\p{L}\p{N} _,@.-]*$/u,
      characters: 'letters, digits, spaces and _ , @ . -',
    }),
  },
);
export type Tag = t.TypeOf<typeof Tag>;

/** The name of a custom or dynamic property (docs/rules.md: Property names). */
export const PropertyName = patternText('property name', {
  mayBeEmpty: true,
  pattern: /^[\p{L}_][\p{L}\p{N}_]*$/u,
  characters: 'letters, digits and _, at least one, and no digit first',
});

/** The types that a custom property may be declared to have (docs/rules.md: Custom properties). */
export const PropertyType = enumeration('property type', [
  'BOOLEAN',
  'NUMBER',
  'STRING',
  'STRING_LIST',
  'TIMESTAMP',
]);
export type PropertyType = t.TypeOf<typeof PropertyType>;

/** The declared types of an entity kind's custom properties (docs/rules.md: Custom properties). */
export const PropertyTypes = dictionary('property types', PropertyName, PropertyType);
export type PropertyTypes = t.TypeOf<typeof PropertyTypes>;

// Values of custom properties are the sender's own data (docs/rules.md: Problems).
const valueText = new Text('property text', { most: 4096, measure: 'bytes', mayBeEmpty: true });

/** The value of a custom property; whether it has the declared type is checked later. */
export const PropertyValue = shapes('property value', {
  text: valueText,
  number,
  boolean: flag,
  list: sequence(valueText),
});
export type PropertyValue = t.TypeOf<typeof PropertyValue>;

/** Custom properties by name (docs/rules.md: Values). */
export const CustomProperties = dictionary('custom properties', PropertyName, PropertyValue);
export type CustomProperties = t.TypeOf<typeof CustomProperties>;

/** Undeclared properties, deprecated: values as of custom ones, texts as of fields (docs/rules.md: Nodes). */
export const DynamicProperties = dictionary(
  'dynamic properties',
  PropertyName,
  shapes('dynamic property value', { text, number, boolean: flag, list: sequence(text) }),
);
export type DynamicProperties = t.TypeOf<typeof DynamicProperties>;

/** A reference in an object of its own. */
export const IdentityReference = struct(
  'reference',
  { identity: requiredText },
  {},
  { textMeans: 'identity' },
);
export type IdentityReference = t.TypeOf<typeof IdentityReference>;

/** Cloud roles that a principal assumes, in either shape (docs/rules.md: Identity provider payloads). */
export const AssumedRoleArns = shapes('assumed role ARNs', {
  list: list(IdentityReference),
  object: struct('assumed role ARNs', {}, { identity: list(requiredText) }),
});
export type AssumedRoleArns = t.TypeOf<typeof AssumedRoleArns>;
