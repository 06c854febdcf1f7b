import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, may } from '../../../codec/exact';
import { time } from '../../../codec/text';
import { answeredFor, HeldThrough, Summary } from './access';
import { pageEnd } from '../page';
import { count, textOrNull, yes } from '../values';

const Explained = exact('explanations of a change', {
  gained: has(textOrNull, 'Where the service explains what was gained; null if nothing was.'),
  lost: has(textOrNull, 'Where it explains what was lost, at the earlier instant; null likewise.'),
});

const ChangedRow = exact('change of access', {
  principal: has(Summary, 'Whose access changed.'),
  resource: has(Summary, 'To what.'),
  gained: has(list(HeldThrough), 'What the principal could do at the later instant alone.'),
  lost: has(list(HeldThrough), 'What the principal could do at the earlier instant alone.'),
  explain: has(Explained, 'Paths of requests that explain it.'),
});
export type ChangedRow = t.TypeOf<typeof ChangedRow>;

/** Who gained and who lost what between two instants (docs/rules.md: Changes of access). */
export const AccessChangeList = exact('list of changes of access', {
  from: has(time, 'The earlier instant. For a push, the last one before it.'),
  to: has(time, 'The later instant. For a push, its own.'),
  from_beginning: may(
    yes,
    'The history begins after the `since` that was asked for, so `from` is its beginning.',
  ),
  ...answeredFor,
  values: has(list(ChangedRow), 'The page, by the ids of principals, then of resources.'),
  ...pageEnd,
  total: has(count, 'How many the whole list has.'),
});
export type AccessChangeList = t.TypeOf<typeof AccessChangeList>;
