import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, may, nullable } from '../../../codec/exact';
import { flag } from '../../../codec/scalars';
import { anyText, enumeration, time } from '../../../codec/text';
import { answeredFor, HeldPermission, HeldThrough, Summary } from './access';
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

const CauseThing = exact('thing that changed', {
  change: has(
    enumeration('change', ['began', 'ended', 'changed']),
    'Whether it began or ended; `changed` if a permission or resource decides otherwise.',
  ),
  type: has(
    textOrNull,
    'The type of the relationship; `HOLDS` of a grant or assignment. Null of a role, and if a node changed.',
  ),
  from: has(Summary, 'Who got it, or who changed.'),
  to: has(nullable(Summary), 'What they got: a group or a role, for example.'),
  on: has(nullable(Summary), 'Of a grant or assignment: on what.'),
  at: has(nullable(time), 'When; null if the graph does not know.'),
  push: has(
    textOrNull,
    'The id of the push that did it; null if no push did, or it is not stored.',
  ),
  data_source: has(textOrNull, 'The id of the data source of that push.'),
  first_push_of: may(
    anyText,
    'The provider and the name of that data source, if nobody pushed to it before. All that it had then came with it.',
  ),
});
export type CauseThing = t.TypeOf<typeof CauseThing>;

const CauseOfChange = exact('cause of a change', {
  change: has(enumeration('change', ['gained', 'lost']), 'Whether these were gained or lost.'),
  permissions: has(list(HeldPermission), 'What it explains.'),
  things: has(
    nullable(list(CauseThing)),
    'All are needed, and together they are enough. Null: there are several ways that changed, so nothing is certain, or more than 100 things.',
  ),
});
export type CauseOfChange = t.TypeOf<typeof CauseOfChange>;

const ChangedRow = exact('change of access', {
  principal: has(Summary, 'Whose access changed.'),
  resource: has(Summary, 'To what.'),
  gained: has(list(HeldThrough), 'What the principal could do only at the later instant.'),
  lost: has(list(HeldThrough), 'What the principal could do only at the earlier instant.'),
  explain: has(Explained, 'Paths of requests that explain it.'),
  human: may(
    nullable(Summary),
    'With `details`: whose account the principal certainly is; null if it is nobody’s, or several people’s.',
  ),
  is_person: may(flag, 'With `details`: whether the counts have it among the people.'),
  causes: may(list(CauseOfChange), 'With `details`: what brought it about.'),
});
export type ChangedRow = t.TypeOf<typeof ChangedRow>;

/** What changes of access come to, people first. */
export const ChangeCounts = exact('counts of changes', {
  people: has(count, 'People whose access changed, each once with all accounts.'),
  people_gained: has(count, 'Those of them who gained something.'),
  people_lost: has(count, 'Those who lost something. One may be in both.'),
  others: has(count, 'Service accounts, groups, roles and others that belong to nobody.'),
  resources: has(count, 'Resources and applications on which somebody gained or lost something.'),
  gained: has(count, 'Permissions of a principal on a resource that were gained.'),
  lost: has(count, 'Those that went.'),
});
export type ChangeCounts = t.TypeOf<typeof ChangeCounts>;

/** The counts where nothing changed. */
export const NO_CHANGES: ChangeCounts = {
  people: 0,
  people_gained: 0,
  people_lost: 0,
  others: 0,
  resources: 0,
  gained: 0,
  lost: 0,
};

const Unfinished = exact('changes that go on', {
  of: has(Summary, 'Whose changes they are: a human, or who is nobody’s.'),
  more: has(count, 'How many entries of theirs follow.'),
});

/** Who gained and who lost what between two instants (docs/rules.md: Changes of access). */
export const AccessChangeList = exact('list of changes of access', {
  from: has(time, 'The earlier instant. For a push, the last one before it.'),
  to: has(time, 'The later instant. For a push, its own.'),
  from_beginning: may(
    yes,
    'The history begins after the requested `since`, so `from` is its beginning.',
  ),
  ...answeredFor,
  values: has(
    list(ChangedRow),
    'The page, by the ids of principals, then of resources; with `people_first` people first, each with all that is theirs.',
  ),
  ...pageEnd,
  total: has(count, 'How many entries the complete list has.'),
  counts: has(ChangeCounts, 'What the complete list comes to.'),
  unfinished: may(
    Unfinished,
    'With `people_first`: whose changes go on on the next page, since they have more than a page has room for.',
  ),
});
export type AccessChangeList = t.TypeOf<typeof AccessChangeList>;
