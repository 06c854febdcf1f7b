import type * as t from 'io-ts';

import { exact, has, nullable } from '../../../codec/exact';
import { anyText, time } from '../../../codec/text';
import { Role } from '../../team-key';
import { countedPageOf, valueOf } from '../page';
import { textOrNull } from '../values';

/** A session of a person who signed in (docs/sign-in.md: Sessions). */
export const SessionAnswer = exact('session', {
  id: has(anyText, 'A UUID.'),
  name: has(anyText, 'The name of the person, or of the key with which they signed in.'),
  subject: has(anyText, 'The same for all sessions of one person.'),
  role: has(nullable(Role), 'Null: they see only their own access.'),
  key_id: has(textOrNull, 'The id of the team key with which they signed in.'),
  person: has(textOrNull, 'The key of their node in the graph, if one is certainly theirs.'),
  address: has(textOrNull, 'The address from which they signed in.'),
  created_at: has(time, 'When they signed in.'),
  last_seen_at: has(time, 'When they were last here, to about a minute.'),
  ends_at: has(time, 'When it ends at the latest.'),
});
export type SessionAnswer = t.TypeOf<typeof SessionAnswer>;

/** A page of sessions. */
export const SessionPage = countedPageOf('page of sessions', SessionAnswer);

/** A one-time code with which a browser signs in. */
export const SignInCodeAnswer = exact('one-time code', {
  code: has(anyText, 'The code. Only this answer shows it.'),
  url: has(anyText, 'The page on which a browser uses it.'),
  expires_at: has(time, 'Until when it works.'),
});

/** A one-time code, as clients expect it. */
export const SignInCodeValue = valueOf('one-time code value', SignInCodeAnswer);
