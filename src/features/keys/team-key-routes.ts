import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { LIST_TOKEN_PLACES } from '../../contract/page';
import { asDone, asValue } from '../../web/exchange/handle';
import { ChangeTeamKeyRequest, CreateTeamKeyRequest, teamKeyRecord } from './records';
import { actOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { type ListFields, listQuery } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import type { TeamKeyChanges } from './key-records';
import { keysOf } from './contract';
import { endpoints, RotateTeamKeyRequest } from './endpoints';

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
  const setting = (
    endpoint: typeof endpoints.revoke | typeof endpoints.reinstate,
    changes: TeamKeyChanges,
  ): Route =>
    route({
      ...endpoint,
      handler: handle((req, res) =>
        asValue(keys.change(String(req.params.keyId), changes, actOf(res))),
      ),
    });
  return [
    route({
      ...endpoints.list,
      handler: handle((req) =>
        pipe(
          TE.fromEither(listQuery(req, TEAM_KEY_FIELDS)),
          TE.flatMap((wanted) => keys.list(wanted)),
        ),
      ),
    }),
    route({
      ...endpoints.create,
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
      ...endpoints.change,
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
      ...endpoints.remove,
      handler: handle((req, res) => asDone(keys.remove(String(req.params.keyId), actOf(res)))),
    }),
    route({
      ...endpoints.rotate,
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
    setting(endpoints.revoke, { status: 'INACTIVE' }),
    setting(endpoints.reinstate, { status: 'ACTIVE' }),
  ];
};
