import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { nullable } from '../../codec/exact';
import { anyText, enumeration, requiredText, time } from '../../codec/text';
import { text } from '../../model/table';
import { TEAM_KEY_REQUESTS, TeamKeyScope } from '../../contract/team-key';
import { changesOf, made, needed, optional } from '../../contract/records/field';
import { record, type WantedOf } from '../../contract/records/record';
import { asText, asTexts, asTime, named } from '../../contract/records/stored';

/**
 * A key with which a connector or person authenticates (docs/rules.md: Team keys). The service does
 * not store the key itself, only its hash.
 */
export const teamKeyRecord = record({
  name: 'team key',
  label: 'TeamKey',
  holds: { of: 'service', by: null, days: null },
  doc: 'A key with which a connector or person authenticates; the service does not store the key itself.',
  unique: ['fold_hash'],
  lookups: { fold_hash: text('SHA-256 of the key, in hexadecimal.', 'lookup') },
  requests: { ...TEAM_KEY_REQUESTS, name: 'create team key request' },
  fields: {
    id: made(anyText, 'Its id, which is not the key itself.', asText('nobody')),
    name: needed(requiredText, 'Its name.', asText('called')),
    status: made(
      enumeration('team key status', ['ACTIVE', 'INACTIVE']),
      '`INACTIVE` once it is revoked.',
      asText('nobody'),
    ),
    scopes: optional(
      list(TeamKeyScope),
      'What it allows: `push`, `read`, `admin`, `cypher`. A request without scopes means `push` and `read`.',
      [],
      asTexts('nobody'),
    ),
    providers: optional(
      list(requiredText),
      'Ids of the providers to which it is limited; empty: all.',
      [],
      asTexts('nobody'),
    ),
    created_at: made(time, 'When it was created.', named('since', asTime)),
    expires_at: optional(
      nullable(time),
      'From when on it lets nobody in; null: never.',
      null,
      asTime,
    ),
    last_used_at: made(
      nullable(time),
      'When it last let somebody in, to about a minute; null: never.',
      asTime,
    ),
  },
});

/** A request to create a team key. An empty list means the same as an absent field. */
export const CreateTeamKeyRequest = teamKeyRecord.request;

/** A request to change a team key. Absent fields do not change. */
export const ChangeTeamKeyRequest = changesOf('change team key request', teamKeyRecord.fields, {
  status: 'revoke the key with :revoke, or reinstate it with :reinstate',
});

/** A team key as clients see it. */
export type TeamKey = t.TypeOf<typeof teamKeyRecord.answer>;

/** What requests say of a team key. */
export type WantedTeamKey = WantedOf<typeof teamKeyRecord.fields>;
