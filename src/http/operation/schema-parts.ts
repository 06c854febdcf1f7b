import type { JsonSchema } from '../../codec/codec';

/** The schema of a list. */
export const array = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** The schema of an object that has all of some fields. */
export const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** Any object. */
export const ANY_OBJECT: JsonSchema = { type: 'object' };

/** Any text. */
export const TEXT: JsonSchema = { type: 'string' };

/** Yes or no. */
export const FLAG: JsonSchema = { type: 'boolean' };

/** A number of something. */
export const COUNT: JsonSchema = { type: 'integer' };

/** How many nodes and relationships a push puts or removes. */
export const COUNTS = object({ nodes: COUNT, relationships: COUNT });

/** The warnings of a push. */
export const warningsSchema = (codes: readonly string[]): JsonSchema =>
  array(
    object({
      message: TEXT,
      code: { type: 'string', enum: codes },
      pointer: TEXT,
      subject: {
        ...object({ kind: TEXT, name: TEXT, application: TEXT }),
        required: ['kind', 'name'],
      },
    }),
  );
