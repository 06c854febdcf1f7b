import { list, shapes } from '../../codec/collections';
import { Codec } from '../../codec/codec';
import { nullable } from '../../codec/exact';
import { flag, number, wholeNumber } from '../../codec/scalars';
import { anyText } from '../../codec/text';
import type { Instant } from '../../model/instant';

/** A text, or `null` if there is none. */
export const textOrNull = nullable(anyText);

/** How many there are of something. */
export const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** The constant `true`, for fields that are otherwise left out. */
export const yes = new Codec<true>(
  'true',
  (value) => value === true,
  (value, walk) => {
    if (value !== true) walk.refuse('UNKNOWN_VALUE', () => 'is not true');
  },
  { schema: { const: true } },
);

/** Any JSON whose shape the service does not know: data of the sender, or of Neo4j. */
export const anyJson = new Codec<unknown>(
  'any JSON',
  () => true,
  () => undefined,
  { schema: { type: ['string', 'number', 'boolean', 'null', 'array', 'object'] } },
);

const writtenValue = shapes('property value', {
  text: anyText,
  number,
  boolean: flag,
  list: list(anyText),
});

/**
 * The value of a node's property. A time is an `Instant` until it is written as JSON, and an RFC
 * 3339 text from then on.
 */
export const nodeValue = new Codec<string | number | boolean | Instant | readonly string[]>(
  'property value',
  (value) => writtenValue.is(value),
  (value, walk) => writtenValue.explain(value, walk),
  {
    schema: {
      anyOf: [
        { type: ['string', 'number', 'boolean'] },
        { type: 'array', items: { type: 'string' } },
      ],
    },
  },
);
