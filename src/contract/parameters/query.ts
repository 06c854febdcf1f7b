import { Codec, isObject, typeInWords } from '../../codec/codec';
import { struct } from '../../codec/struct';
import { Text } from '../../codec/text';

const parameters = new Codec<Readonly<Record<string, unknown>>>(
  'parameters',
  isObject,
  (value, walk) => {
    if (!isObject(value)) {
      walk.refuse('WRONG_TYPE', () => `expected an object, got ${typeInWords(value)}`);
    }
  },
  { schema: { type: 'object' } },
);

const lines = { measure: 'bytes', mayBeEmpty: false, mayHaveLines: true } as const;

/**
 * The parameters of a saved query by their names, as plain JSON: a text, a whole number, a list of
 * texts, a time or a duration (docs/api.md: Saved queries).
 */
export const SavedQueryRequest = struct('saved query', {}, { parameters }, { isOpen: true });

/** A Cypher query with its parameters (docs/rules.md: Cypher queries). */
export const QueryRequest = struct(
  'query',
  { cypher: new Text('Cypher', { ...lines, most: 100_000 }) },
  { parameters },
  { isOpen: true },
);
