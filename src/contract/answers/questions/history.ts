import { exact, has, nullable } from '../../../codec/exact';
import { anyText } from '../../../codec/text';
import { AsOf } from '../page';
import { count } from '../values';

const FactCounts = exact('counts of ended facts', {
  nodes: has(count, 'Versions of nodes that ended.'),
  relationships: has(count, 'Relationships that ended, and versions of them.'),
});

/** What the service stores about the past (docs/rules.md: History). */
export const HistoryValue = exact('history', {
  value: has(
    exact('what is stored of the past', {
      since: has(nullable(anyText), 'Since when every fact that ended is stored; null: none is.'),
      facts: has(FactCounts, 'How many facts ended since then.'),
      bytes: has(count, 'About how much space they use in the store, from a sample of the newest.'),
      keep_days: has(
        nullable(count),
        'For how many days facts that ended are stored; null: for ever.',
      ),
      access_changes: has(
        exact('counted changes of access', {
          counted_up_to: has(
            nullable(AsOf),
            'The newest push whose changes of access are counted; null before the first.',
          ),
          waiting: has(count, 'How many later pushes wait to be counted.'),
        }),
        'How far the service has counted what pushes changed in effective access.',
      ),
    }),
    'What is stored.',
  ),
});
