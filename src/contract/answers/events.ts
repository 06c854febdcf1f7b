import type * as t from 'io-ts';

import { exact, has, mapOf, nullable } from '../../codec/exact';
import { anyText, enumeration, time } from '../../codec/text';
import { anyJson } from './values';

/** Why something failed (docs/rules.md: Events). */
export const EventError = exact('error of an event', {
  reason: has(anyText, 'The code that the request was answered with.'),
  message: has(anyText, 'What was wrong, in a sentence.'),
  metadata: has(mapOf('metadata', anyJson), 'The first problems, and how many there were.'),
  resolution: has(anyText, 'What to do about it.'),
  request_id: has(anyText, 'The request that failed.'),
});
export type EventError = t.TypeOf<typeof EventError>;

/** An event about a provider, a data source, a team key or the service (docs/rules.md: Events). */
export const EventAnswer = exact('event', {
  id: has(anyText, 'A UUID.'),
  timestamp: has(time, 'When it happened.'),
  category: has(
    enumeration('category', ['INTEGRATIONS', 'SYSTEM']),
    '`SYSTEM` of team keys and of the service itself.',
  ),
  severity: has(
    enumeration('severity', ['INFO', 'WARNING', 'ERROR']),
    'How much attention it needs.',
  ),
  name: has(anyText, 'What happened, in a few words.'),
  message: has(anyText, 'What happened, in a sentence.'),
  event_type: has(anyText, 'What happened, for programs.'),
  entity: has(
    enumeration('what it happened to', ['DATASOURCE', 'PROVIDER', 'TEAM_KEY', 'SERVICE']),
    'The kind of thing that it happened to.',
  ),
  entity_id: has(anyText, 'The id of that thing; empty of the service.'),
  entity_name: has(anyText, 'The name of that thing; empty of the service.'),
  provider_id: has(anyText, 'The provider that it is about; empty if there is none.'),
  metadata: has(mapOf('metadata', anyJson), 'More about it: the request, the key, the push, …'),
  error: has(nullable(EventError), 'Why it failed; null if nothing failed.'),
});
export type EventAnswer = t.TypeOf<typeof EventAnswer>;
