import type * as t from 'io-ts';

import { dictionary, list, sequence, shapes } from './collections';
import { flag, number } from './scalars';
import { struct } from './struct';
import { enumeration, notes, patternText, requiredText, Text } from './text';

/** What an entry of an increment does with its entity (docs/rules.md: Increments). */
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

/** A tag (docs/rules.md: Tags). Its patterns are in docs/rules.md: Property names. */
export const Tag = struct(
  'tag',
  {
    key: patternText('tag key', {
      mayBeEmpty: false,
      pattern: /^[\p{L}\p{M}\p{N}_]+$/u,
      characters: 'letters with their marks, digits and _',
    }),
  },
  {
    value: patternText('tag value', {
      mayBeEmpty: true,
      pattern: /^[\p{L}\p{M}\p{N} _,@.-]*$/u,
      characters: 'letters with their marks, digits, spaces and _ , @ . -',
    }),
  },
  { docs: { key: 'What the tag is about.', value: 'What it says. Default: an empty text.' } },
);
export type Tag = t.TypeOf<typeof Tag>;

/** The name of a custom or dynamic property (docs/rules.md: Property names). */
export const PropertyName = patternText('property name', {
  mayBeEmpty: true,
  pattern: /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u,
  characters: 'letters with their marks, digits and _, at least one, and no digit or mark first',
});

/**
 * The types that a payload can declare for a custom property (docs/rules.md: Custom properties).
 */
export const PropertyType = enumeration('property type', [
  'BOOLEAN',
  'NUMBER',
  'STRING',
  'STRING_LIST',
  'TIMESTAMP',
]);
export type PropertyType = t.TypeOf<typeof PropertyType>;

/**
 * The declared types of the custom properties of one kind of entity (docs/rules.md: Custom
 * properties).
 */
export const PropertyTypes = dictionary('property types', PropertyName, PropertyType);
export type PropertyTypes = t.TypeOf<typeof PropertyTypes>;

// Texts of custom properties may be longer than fields (docs/rules.md: Limits).
const valueText = new Text('property text', {
  most: 4096,
  measure: 'bytes',
  mayBeEmpty: true,
  mayHaveLines: true,
});

/** The value of a custom property. Stage 2 checks whether it has the declared type. */
export const PropertyValue = shapes('property value', {
  text: valueText,
  number,
  boolean: flag,
  list: sequence(valueText),
});
export type PropertyValue = t.TypeOf<typeof PropertyValue>;

/** Custom properties by name (docs/rules.md: Custom properties). */
export const CustomProperties = dictionary('custom properties', PropertyName, PropertyValue);
export type CustomProperties = t.TypeOf<typeof CustomProperties>;

/**
 * Dynamic properties by name. Senders need not declare them. Their texts obey the limit of fields
 * (docs/rules.md: Custom properties).
 */
export const DynamicProperties = dictionary(
  'dynamic properties',
  PropertyName,
  shapes('dynamic property value', {
    text: notes,
    number,
    boolean: flag,
    list: sequence(notes),
  }),
);
export type DynamicProperties = t.TypeOf<typeof DynamicProperties>;

/** A reference that is spelled as an object. */
export const IdentityReference = struct(
  'reference',
  { identity: requiredText },
  {},
  { textMeans: 'identity', docs: { identity: 'The id or name of the entity that is meant.' } },
);
export type IdentityReference = t.TypeOf<typeof IdentityReference>;

/**
 * The cloud roles that a principal assumes, in either shape (docs/rules.md: Identity provider
 * payloads).
 */
export const AssumedRoleArns = shapes('assumed role ARNs', {
  list: list(IdentityReference),
  object: struct(
    'assumed role ARNs',
    {},
    { identity: list(requiredText) },
    { docs: { identity: 'The ARNs.' } },
  ),
});
export type AssumedRoleArns = t.TypeOf<typeof AssumedRoleArns>;
