import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, may, nullable } from '../../../codec/exact';
import { flag, number } from '../../../codec/scalars';
import { anyText, enumeration } from '../../../codec/text';
import { valueOf } from '../page';
import { anyJson } from '../values';

/** A notice of Neo4j about a query that it runs nevertheless. */
export const Notice = exact('notice', {
  code: has(anyText, 'Its code.'),
  severity: has(anyText, 'How serious it is.'),
  title: has(anyText, 'What it says, in a few words.'),
  description: has(anyText, 'What it says, in sentences.'),
  position: has(
    nullable(
      exact('place in a query', {
        offset: has(number, 'From the start of the query.'),
        line: has(number, 'From 1.'),
        column: has(number, 'From 1.'),
      }),
    ),
    'Its place in the query; null if it is about the complete query.',
  ),
});
export type Notice = t.TypeOf<typeof Notice>;

/** The rows that a query returned (docs/rules.md: Cypher queries). */
export const QueryAnswer = exact('query answer', {
  columns: has(list(anyText), 'The names of the columns.'),
  rows: has(list(list(anyJson)), 'The rows, each with a cell for each column.'),
  truncated: has(flag, 'Whether there were more rows.'),
  truncated_by: may(
    enumeration('constant that cut the answer', ['LIMIT_QUERY_ROWS', 'LIMIT_QUERY_BYTES']),
    'The setting that cut the answer.',
  ),
  notices: has(list(Notice), 'Remarks on the query.'),
});
export type QueryAnswer = t.TypeOf<typeof QueryAnswer>;

export const QueryValue = valueOf('one query answer', QueryAnswer);
