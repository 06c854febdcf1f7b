import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, nullable } from '../../codec/exact';
import { anyText, enumeration, time } from '../../codec/text';
import { TeamKeyScope } from '../team-key';
import { countedPageOf, valueOf } from './page';

const fields = {
  id: has(anyText, 'Its id, which is not the key itself.'),
  name: has(anyText, 'Its name.'),
  status: has(
    enumeration('team key status', ['ACTIVE', 'INACTIVE']),
    '`INACTIVE` once it is revoked.',
  ),
  scopes: has(list(TeamKeyScope), 'What it allows.'),
  providers: has(list(anyText), 'Ids of the providers that it is limited to; empty: all.'),
  created_at: has(time, 'When it was created.'),
  expires_at: has(nullable(time), 'From when on it lets nobody in; null: never.'),
  last_used_at: has(nullable(time), 'When it last let somebody in, to the minute; null: never.'),
} as const;

/** A key with which a connector or person signs in (docs/rules.md: Team keys). */
export const TeamKey = exact('team key', fields);
export type TeamKey = t.TypeOf<typeof TeamKey>;

/** A new team key with its access key. The service never shows the access key again. */
export const CreatedTeamKey = exact('created team key', {
  ...fields,
  access_key: has(anyText, 'The key itself, which is shown only here.'),
});
export type CreatedTeamKey = t.TypeOf<typeof CreatedTeamKey>;

export const TeamKeyPage = countedPageOf('page of team keys', TeamKey);
export const TeamKeyValue = valueOf('one team key', TeamKey);
export const CreatedTeamKeyValue = valueOf('one created team key', CreatedTeamKey);
