import type * as t from 'io-ts';

import { exact, has, mapOf, may } from '../../../codec/exact';
import { anyText } from '../../../codec/text';
import { anyJson } from '../values';

/** A Cypher query that gives an answer (docs/api.md: The query behind an answer). */
export const Cypher = exact('Cypher query', {
  query: has(anyText, 'The query, to paste into Neo4j Browser.'),
  parameters: has(mapOf('parameters', anyJson), 'Its parameters, to paste behind `:params`.'),
});
export type Cypher = t.TypeOf<typeof Cypher>;

/** The query behind an answer, if the client requested it. */
export const cypher = may(Cypher, 'The query that gives the answer, with `cypher=true`.');
