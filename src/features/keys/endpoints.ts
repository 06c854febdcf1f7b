import type * as t from 'io-ts';

import { exact, has } from '../../codec/exact';
import { struct } from '../../codec/struct';
import { anyText, time } from '../../codec/text';
import { countedPageOf, Done, valueOf } from '../../contract/answers/page';
import { ListParameters } from '../../contract/parameters/query-parameters';
import { ChangeTeamKeyRequest, CreateTeamKeyRequest, teamKeyRecord } from './records';
import { TEAM_KEY_REQUESTS } from '../../contract/team-key';
import type { Access, Endpoints } from '../../web/routing/route';

/**
 * A request to rotate a team key. `valid_until`: when the old key ends; `expires_at`: when the new
 * one ends.
 */
export const RotateTeamKeyRequest = struct(
  'rotate team key request',
  {},
  { valid_until: time, expires_at: time },
  TEAM_KEY_REQUESTS,
);

/** A new team key with its access key. The service never shows the access key again. */
const CreatedTeamKey = exact('created team key', {
  ...teamKeyRecord.answer.fields,
  access_key: has(anyText, 'The key itself, which is shown only here.'),
});
export type CreatedTeamKey = t.TypeOf<typeof CreatedTeamKey>;

const TeamKeyPage = countedPageOf('page of team keys', teamKeyRecord.answer);
const TeamKeyValue = valueOf('one team key', teamKeyRecord.answer);
const CreatedTeamKeyValue = valueOf('one created team key', CreatedTeamKey);

const KEYS = '/api/preview/teamkeys';
const KEY = `${KEYS}/:keyId` as const;

const ADMINISTERS: Access = { scopes: ['admin'], limitedKeys: 'never' };

/** The endpoints of team keys, without their handlers. */
export const endpoints = {
  list: {
    method: 'get',
    path: KEYS,
    access: ADMINISTERS,
    summary: 'Lists team keys.',
    query: ListParameters,
    ignoresOtherParameters: true,
    answer: TeamKeyPage,
  },
  create: {
    method: 'post',
    path: KEYS,
    access: ADMINISTERS,
    summary: 'Creates a team key; only this answer shows it.',
    more: 'api#keys',
    body: [CreateTeamKeyRequest],
    ignoresOtherParameters: true,
    answer: CreatedTeamKeyValue,
  },
  change: {
    method: 'patch',
    path: KEY,
    access: ADMINISTERS,
    summary: 'Changes a team key.',
    body: [ChangeTeamKeyRequest],
    ignoresOtherParameters: true,
    answer: TeamKeyValue,
  },
  remove: {
    method: 'delete',
    path: KEY,
    access: ADMINISTERS,
    summary: 'Deletes a team key.',
    ignoresOtherParameters: true,
    answer: Done,
  },
  rotate: {
    method: 'post',
    path: `${KEY}\\:rotate`,
    access: ADMINISTERS,
    summary:
      'Makes a successor of a team key, which only this answer shows; the old key ends later.',
    body: [RotateTeamKeyRequest],
    ignoresOtherParameters: true,
    answer: CreatedTeamKeyValue,
  },
  revoke: {
    method: 'post',
    path: `${KEY}\\:revoke`,
    access: ADMINISTERS,
    summary: 'Shuts a team key out.',
    ignoresOtherParameters: true,
    answer: TeamKeyValue,
  },
  reinstate: {
    method: 'post',
    path: `${KEY}\\:reinstate`,
    access: ADMINISTERS,
    summary: 'Lets a team key in again.',
    ignoresOtherParameters: true,
    answer: TeamKeyValue,
  },
} as const satisfies Endpoints;
