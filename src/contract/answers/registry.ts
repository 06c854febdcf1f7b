import type * as t from 'io-ts';

import { exact, has, nullable } from '../../codec/exact';
import { anyText, enumeration, time } from '../../codec/text';
import { count, textOrNull } from './values';

const PendingPush = exact('pending push', {
  push: has(anyText, 'The id of the push.'),
  total: has(count, 'How many nodes and relationships it writes.'),
  done: has(count, 'How many of them are written.'),
});

/** A data source of a provider (docs/rules.md: Requests). */
export const DataSource = exact('data source', {
  id: has(anyText, 'Its id.'),
  name: has(anyText, 'Its name, unique within its provider.'),
  status: has(
    enumeration('data source status', ['PENDING', 'SUCCESS', 'ERROR', 'DELETING']),
    'How its newest push ended; `PENDING` before the first and during a chunked push.',
  ),
  provider_id: has(anyText, 'The id of its provider.'),
  last_push: has(textOrNull, 'The id of the newest accepted push; null before the first.'),
  last_push_at: has(nullable(time), 'When that push was.'),
  rows: has(count, 'How many rows it holds.'),
  digest: has(textOrNull, 'A digest of all its rows; null before the first push.'),
  pending: has(nullable(PendingPush), 'How far a chunked push has come; null if there is none.'),
});
export type DataSource = t.TypeOf<typeof DataSource>;
