import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../contract/answers/page';
import {
  CreatedTeamKeyValue,
  TeamKeyPage,
  TeamKeyValue,
} from '../../contract/answers/sign-in/team-keys';
import { LIST_TOKEN_PLACES } from '../../contract/page';
import { ListParameters } from '../../contract/parameters/question-parameters';
import {
  ChangeTeamKeyRequest,
  CreateTeamKeyRequest,
  teamKeyRecord,
} from '../../contract/records/team-key';
import { RotateTeamKeyRequest } from '../../contract/team-key';
import { actOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { type ListFields, listQuery } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import type { TeamKeyChanges } from './key-records';
import { keysOf } from './contract';

const TEAM_KEYS = '/api/preview/teamkeys';

const TEAM_KEY_FIELDS: ListFields = {
  filtered: Object.keys(teamKeyRecord.fields),
  ordered: ['name', 'status', 'created_at'],
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

/**
 * Creates, lists, changes, rotates, revokes, reinstates and deletes team keys (docs/rules.md: Team keys).
 */
export const teamKeyRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const keys = keysOf(context);
  const verb = (name: string, summary: string, changes: TeamKeyChanges): Route =>
    route({
      method: 'post',
      path: `${TEAM_KEYS}/:keyId\\:${name}`,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary,
      answer: TeamKeyValue,
      handler: handle((req, res) =>
        pipe(
          keys.change(String(req.params.keyId), changes, actOf(res)),
          TE.map((value) => ({ value })),
        ),
      ),
    });
  return [
    route({
      method: 'get',
      path: TEAM_KEYS,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary: 'Lists team keys.',
      answer: TeamKeyPage,
      query: ListParameters,
      handler: handle((req) =>
        pipe(
          TE.fromEither(listQuery(req, TEAM_KEY_FIELDS)),
          TE.flatMap((wanted) => keys.list(wanted)),
        ),
      ),
    }),
    route({
      method: 'post',
      path: TEAM_KEYS,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary: 'Creates a team key; only this answer shows it.',
      more: 'api#keys',
      answer: CreatedTeamKeyValue,
      body: [CreateTeamKeyRequest],
      handler: handle((req, res) =>
        pipe(
          decodeBody(CreateTeamKeyRequest, req, res),
          TE.flatMapEither((request) => teamKeyRecord.wanted(request, {})),
          TE.flatMap((wanted) => keys.create(wanted, actOf(res))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      method: 'patch',
      path: `${TEAM_KEYS}/:keyId`,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary: 'Changes a team key.',
      answer: TeamKeyValue,
      body: [ChangeTeamKeyRequest],
      handler: handle((req, res) =>
        pipe(
          // The service looks for the key first, so 404 comes before 400 (docs/rules.md: Requests).
          keys.findById(String(req.params.keyId)),
          TE.flatMap(({ id }) =>
            pipe(
              decodeBody(ChangeTeamKeyRequest, req, res),
              TE.flatMap((request) => keys.change(id, teamKeyRecord.changes(request), actOf(res))),
            ),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      method: 'delete',
      path: `${TEAM_KEYS}/:keyId`,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary: 'Deletes a team key.',
      answer: Done,
      handler: handle((req, res) =>
        pipe(
          keys.remove(String(req.params.keyId), actOf(res)),
          TE.map(() => ({})),
        ),
      ),
    }),
    route({
      method: 'post',
      path: `${TEAM_KEYS}/:keyId\\:rotate`,
      access: { scopes: ['admin'], limitedKeys: 'never' },
      summary:
        'Makes a successor of a team key, which only this answer shows; the old key ends later.',
      answer: CreatedTeamKeyValue,
      body: [RotateTeamKeyRequest],
      handler: handle((req, res) =>
        pipe(
          // The service looks for the key first, so 404 comes before 400 (docs/rules.md: Requests).
          keys.findById(String(req.params.keyId)),
          TE.flatMap(({ id }) =>
            pipe(
              decodeBody(RotateTeamKeyRequest, req, res),
              TE.flatMap(({ valid_until, expires_at }) =>
                keys.rotate(
                  id,
                  { validUntil: valid_until || null, expiresAt: expires_at || null },
                  actOf(res),
                ),
              ),
            ),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    verb('revoke', 'Shuts a team key out.', { status: 'INACTIVE' }),
    verb('reinstate', 'Lets a team key in again.', { status: 'ACTIVE' }),
  ];
};
