import { exact, has, nullable } from '../../codec/exact';
import { anyText } from '../../codec/text';
import { count } from './values';

const FactCounts = exact('counts of ended facts', {
  nodes: has(count, 'Versions of nodes that ended.'),
  relationships: has(count, 'Relationships that ended, and versions of them.'),
});

/** What the service keeps of the past (docs/rules.md: History). */
export const HistoryValue = exact('history', {
  value: has(
    exact('what is kept of the past', {
      since: has(nullable(anyText), 'Since when every fact that ended is kept; null: none is.'),
      facts: has(FactCounts, 'How many facts ended since then.'),
      bytes: has(count, 'About how much of the store they take, from a sample of the newest.'),
      keep_days: has(
        nullable(count),
        'For how many days facts that ended are kept; null: for ever.',
      ),
    }),
    'What is kept.',
  ),
});
