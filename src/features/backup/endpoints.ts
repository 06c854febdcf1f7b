import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { anyText, time } from '../../codec/text';
import { valueOf } from '../../contract/answers/page';
import { NoParameters } from '../../contract/parameters/query-parameters';
import type { Endpoints } from '../../web/routing/route';

/** Whether the graph was restored from a backup, and what waits since (docs/operating.md: Restore). */
const RestoredGraph = exact('restored graph', {
  restored_at: has(nullable(time), 'When it was restored last; null: never.'),
  paused_since: has(
    nullable(time),
    'Since when policies and timed imports wait for somebody who starts them; null: they do not wait.',
  ),
  revoked_keys: has(
    list(exact('revoked key', { id: has(anyText, 'Its id.'), name: has(anyText, 'Its name.') })),
    'The keys that the restore revoked, and that nobody has reinstated.',
  ),
});
export type RestoredGraph = t.TypeOf<typeof RestoredGraph>;

/** What waits after a restore. */
const RestoredGraphValue = valueOf('restored graph answer', RestoredGraph);

/** The endpoints of what waits after a restore, without their handlers. */
export const endpoints = {
  read: {
    method: 'get',
    path: '/api/v1/restored',
    // It names keys.
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Shows whether the graph was restored from a backup, and what waits since.',
    more: 'operating#restore',
    query: NoParameters,
    answer: RestoredGraphValue,
  },
  start: {
    method: 'post',
    path: '/api/v1/restored\\:start',
    access: { scopes: ['admin'], limitedKeys: 'never' },
    summary: 'Starts policies and timed imports, which wait after a restore.',
    more: 'operating#restore',
    query: NoParameters,
    answer: RestoredGraphValue,
  },
} as const satisfies Endpoints;
