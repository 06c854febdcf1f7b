import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, may } from '../../../codec/exact';
import { time } from '../../../codec/text';
import { answeredFor, HeldThrough, Summary } from './access';
import { pageEnd } from '../page';
import { count, textOrNull, yes } from '../values';

const Explained = exact('explanations of a change', {
  gained: has(
    textOrNull,
    'The address at which the service explains what was gained; null if nothing was.',
  ),
  lost: has(
    textOrNull,
    'The address at which it explains what was lost, at the earlier instant; null if nothing was.',
  ),
});

const ChangedRow = exact('change of access', {
  principal: has(Summary, 'Whose access changed.'),
  resource: has(Summary, 'To what.'),
  gained: has(list(HeldThrough), 'What the principal could do only at the later instant.'),
  lost: has(list(HeldThrough), 'What the principal could do only at the earlier instant.'),
  explain: has(Explained, 'Paths of requests that explain it.'),
});
export type ChangedRow = t.TypeOf<typeof ChangedRow>;

/** Who gained and who lost what between two instants (docs/rules.md: Changes of access). */
export const AccessChangeList = exact('list of changes of access', {
  from: has(time, 'The earlier instant. For a push, the last one before it.'),
  to: has(time, 'The later instant. For a push, its own.'),
  from_beginning: may(
    yes,
    'The history begins after the requested `since`, so `from` is its beginning.',
  ),
  ...answeredFor,
  values: has(list(ChangedRow), 'The page, by the ids of principals, then of resources.'),
  ...pageEnd,
  total: has(count, 'How many entries the complete list has.'),
});
export type AccessChangeList = t.TypeOf<typeof AccessChangeList>;
