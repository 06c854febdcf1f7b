import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { anyText, time } from '../../codec/text';
import { valueOf } from './page';

/** Whether the graph was restored from a backup, and what waits since (docs/operating.md: Restore). */
export const RestoredGraph = exact('restored graph', {
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
export const RestoredGraphValue = valueOf('restored graph answer', RestoredGraph);
