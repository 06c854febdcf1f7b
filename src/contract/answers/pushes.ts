import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, mapOf, nullable, oneOf } from '../../codec/exact';
import { flag, number } from '../../codec/scalars';
import { anyText, enumeration, time } from '../../codec/text';
import { Warning } from '../../warning';
import { RecordedProblem } from './error';
import { ActingKey } from './actor';
import { count, textOrNull } from './values';

/** A number of nodes and a number of relationships. */
export const Counts = exact('counts', {
  nodes: has(count, 'How many nodes.'),
  relationships: has(count, 'How many relationships.'),
});
export type Counts = t.TypeOf<typeof Counts>;

/** The fields that the answers to a push and to its plan have in common, warnings first. */
export const effect = {
  warnings: has(list(Warning), 'What the sender should look at.'),
  unchanged: has(flag, 'Whether the graph held all of it already.'),
  put: has(Counts, 'What was created or changed.'),
  removed: has(Counts, 'What was removed.'),
  digest: has(anyText, 'A digest of all rows of the data source after the push.'),
} as const;

/** The answer to a push (docs/rules.md: Requests). */
export const PushAnswer = exact('push answer', {
  ...effect,
  push_id: has(anyText, 'The id of the push, under which its record is found.'),
  at: has(time, 'The instant that dates all that the push changed.'),
});
export type PushAnswer = t.TypeOf<typeof PushAnswer>;

/** What a push changed in effective access (docs/rules.md: Changes of access). */
export const AccessCounts = exact('changes of access', {
  gained: has(count, 'Permissions of a principal on a resource that were gained.'),
  lost: has(count, 'Those that went.'),
  principals: has(count, 'Principals whose access changed.'),
  resources: has(count, 'Resources to which access changed.'),
  people: has(
    nullable(count),
    'People whose access changed, each once with all accounts; null if an earlier version counted.',
  ),
});
export type AccessCounts = t.TypeOf<typeof AccessCounts>;

/**
 * Why the service did not count what a push changed in effective access (docs/rules.md: Changes of
 * access).
 */
export const AccessNotCounted = exact('uncounted changes of access', {
  state: has(
    enumeration('state', ['too large', 'failed']),
    '`failed` if the service could not count it; `too large` only where an earlier version found it too much.',
  ),
});
export type AccessNotCounted = t.TypeOf<typeof AccessNotCounted>;

/** One part of what a large push changed in access (docs/rules.md: Changes of access). */
export const AccessFactor = exact('factor of access', {
  change: has(
    enumeration('change', ['gained', 'lost']),
    'Whether the relationships were created or ended.',
  ),
  type: has(anyText, 'Their type.'),
  of: has(
    exact('node', {
      id: has(anyText, 'Its key.'),
      label: has(anyText, 'Its label.'),
      name: has(anyText, 'Its name; empty if none is known.'),
    }),
    'The group, role, holder or container that has gained or lost them.',
  ),
  relationships: has(count, 'How many were created or ended.'),
  principals: has(nullable(count), 'Principals that lead to it; null if they are not counted.'),
  resources: has(nullable(count), 'Resources behind it; null if they are not counted.'),
});
export type AccessFactor = t.TypeOf<typeof AccessFactor>;

/** What a push changed in access, if it changed too much to be counted by permission. */
export const AccessFactors = exact('factors of access', {
  gained: has(count, 'Relationships of access that were created.'),
  lost: has(count, 'Those that went.'),
  values: has(list(AccessFactor), 'The factors with most relationships, at most ten.'),
});
export type AccessFactors = t.TypeOf<typeof AccessFactors>;

const listed = {
  id: has(anyText, 'The id of the push.'),
  data_source_id: has(anyText, 'The data source that it was sent to.'),
  at: has(time, 'When it was pushed.'),
  outcome: has(
    enumeration('outcome', ['accepted', 'unchanged', 'refused', 'pending', 'replaced', 'failed']),
    '`pending` while a chunked push is applied, `replaced` if another push replaced it, `failed` if it cannot be finished.',
  ),
  put: has(Counts, 'What it created or changed.'),
  removed: has(Counts, 'What it removed.'),
  digest: has(textOrNull, 'Of the data source after it; null of a refused push.'),
  seconds: has(mapOf('seconds by step', number), 'How long each step took.'),
  access: has(
    nullable(oneOf('counted changes of access', AccessCounts, AccessNotCounted)),
    'What it changed in effective access; null until the service has counted it, and for keys that are limited to providers.',
  ),
  warning_count: has(count, 'How many warnings it had.'),
  problem_count: has(count, 'For how many problems it was refused.'),
  request_id: has(anyText, 'The request that brought it.'),
  by: has(
    nullable(ActingKey),
    'The key that pushed it; null for keys that are limited to providers, and if the service itself imported an application.',
  ),
} as const;

/** A push in a list (docs/rules.md: Lists). */
export const ListedPush = exact('listed push', listed);
export type ListedPush = t.TypeOf<typeof ListedPush>;

/** A push with its warnings and problems (docs/rules.md: Lists). */
export const PushDetails = exact('push', {
  ...listed,
  access_factors: has(
    nullable(AccessFactors),
    'What was created and what ended, where an earlier version found it too much for `access`; else null, and for keys that are limited to providers.',
  ),
  warnings: has(list(Warning), 'The first warnings.'),
  problems: has(list(RecordedProblem), 'The first problems.'),
});
export type PushDetails = t.TypeOf<typeof PushDetails>;
