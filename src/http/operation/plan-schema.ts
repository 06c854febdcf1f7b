import type { JsonSchema } from '../../codec/codec';
import { ANY_OBJECT, array, COUNT, COUNTS, FLAG, object, TEXT } from './schema-parts';

const END = object({ label: TEXT, id: { type: ['string', 'null'] } });

/** Some fields of an object are there only now and then. */
const withOptional = (
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  ...object({ ...required, ...optional }),
  required: Object.keys(required),
});

const CHANGE: JsonSchema = { enum: ['created', 'changed', 'removed'] };

const PROPERTIES: JsonSchema = {
  type: 'object',
  additionalProperties: object({ from: {}, to: {} }),
};

const LISTED = { total: COUNT, truncated: FLAG };

const STATEMENT = withOptional({ type: TEXT }, { to: END, from: END });

const planned = (values: JsonSchema): JsonSchema =>
  object({ ...LISTED, created: COUNT, changed: COUNT, removed: COUNT, values: array(values) });

const NODE: JsonSchema = {
  ...withOptional(
    { change: CHANGE, label: TEXT, id: { type: ['string', 'null'] } },
    {
      name: { type: ['string', 'null'] },
      properties: PROPERTIES,
      tags: object({ ...LISTED, added: array(END), removed: array(END) }),
      relationships: object({
        ...LISTED,
        added: array(STATEMENT),
        changed: array(STATEMENT),
        removed: array(STATEMENT),
      }),
    },
  ),
  description: 'Changed nodes have properties, tags and relationships, not all of them empty.',
};

const RELATIONSHIP = withOptional(
  { change: CHANGE, type: TEXT, from: END, to: END },
  { properties: PROPERTIES },
);

/** What `:plan` answers (docs/api.md: Plan). */
export const planSchema = (warnings: JsonSchema): JsonSchema =>
  withOptional(
    {
      warnings,
      unchanged: FLAG,
      put: COUNTS,
      removed: COUNTS,
      digest: TEXT,
      confirmation: { anyOf: [ANY_OBJECT, { type: 'null' }] },
      nodes: planned(NODE),
      relationships: planned(RELATIONSHIP),
      shared_nodes: { anyOf: [planned(NODE), { type: 'null' }] },
      derived_relationships: planned(RELATIONSHIP),
    },
    { limited: FLAG },
  );
