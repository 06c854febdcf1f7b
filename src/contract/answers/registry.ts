import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { anyText, enumeration, time } from '../../codec/text';
import { CustomTemplate } from '../envelopes';
import { providerRecord } from '../records/provider';
import { countedPageOf, valueOf } from './page';
import { count, textOrNull } from './values';

/** The templates that can be registered (docs/rules.md: Requests). */
export const TemplateList = exact('list of templates', {
  values: has(
    list(exact('template', { name: has(CustomTemplate, 'Its name.') })),
    'All templates.',
  ),
});

export const ProviderPage = countedPageOf('page of providers', providerRecord.answer);
export const ProviderValue = valueOf('one provider', providerRecord.answer);

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

export const DataSourcePage = countedPageOf('page of data sources', DataSource);
export const DataSourceValue = valueOf('one data source', DataSource);

/** Until when the next push may remove as much as it wants (docs/rules.md: Removal guard). */
export const RemovalAllowed = valueOf(
  'removal allowed',
  exact('removal permit', {
    removal_allowed_until: has(time, 'From then on the removal guard stops pushes again.'),
  }),
);
