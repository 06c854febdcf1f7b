import { Router } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { LIST_TOKEN_PLACES } from '../../contract/page';
import { ChangeTeamKeyRequest, CreateTeamKeyRequest } from '../../contract/team-key';
import type { TeamKeyChanges, UseCases } from '../../service/use-cases';
import { readSmallBody } from '../exchange/body';
import { decodeBody } from '../exchange/decode-body';
import type { Handle } from '../exchange/handle';
import { type ListFields, listQuery } from '../exchange/list-query';
import type { Respond } from '../exchange/respond';

/** What the endpoints of team keys work with. */
export interface TeamKeyRoutesDeps {
  readonly handle: Handle;
  readonly respond: Respond;
  readonly useCases: Pick<
    UseCases,
    'createTeamKey' | 'listTeamKeys' | 'findTeamKeyById' | 'changeTeamKey' | 'deleteTeamKey'
  >;
}

const TEAM_KEYS = '/api/preview/teamkeys';

const TEAM_KEY_FIELDS: ListFields = {
  filtered: ['id', 'name', 'status', 'scopes', 'providers', 'created_at'],
  ordered: ['name', 'status', 'created_at'],
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

/** Revokes and reinstates team keys (api.md 1). */
export const teamKeyVerbs = ({ handle, respond, useCases }: TeamKeyRoutesDeps): Router => {
  const router = Router();
  const verb = (name: string, changes: TeamKeyChanges): void => {
    router
      .route(`${TEAM_KEYS}/:keyId\\:${name}`)
      .post(
        handle((req) =>
          pipe(
            useCases.changeTeamKey(String(req.params.keyId), changes),
            TE.map((value) => ({ value })),
          ),
        ),
      )
      .all((_req, res) => respond.methodNotAllowed(res, 'POST'));
  };
  verb('revoke', { status: 'INACTIVE' });
  verb('reinstate', { status: 'ACTIVE' });
  return router;
};

/** Creates, lists, changes and deletes team keys (api.md 1). */
export const teamKeyRoutes = ({ handle, respond, useCases }: TeamKeyRoutesDeps): Router => {
  const router = Router();

  router
    .route(TEAM_KEYS)
    .get(
      handle((req) =>
        pipe(
          TE.fromEither(listQuery(req, TEAM_KEY_FIELDS)),
          TE.flatMap((wanted) => useCases.listTeamKeys(wanted)),
        ),
      ),
    )
    .post(
      handle((req, res) =>
        pipe(
          decodeBody(CreateTeamKeyRequest, readSmallBody, req, res),
          TE.flatMap(({ name, scopes, providers }) =>
            useCases.createTeamKey({ name, scopes: scopes ?? [], providers: providers ?? [] }),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'GET, POST'));

  router
    .route(`${TEAM_KEYS}/:keyId`)
    .patch(
      handle((req, res) =>
        pipe(
          // The key first: 404 comes before 400 (api.md 3).
          useCases.findTeamKeyById(String(req.params.keyId)),
          TE.flatMap(({ id }) =>
            pipe(
              decodeBody(ChangeTeamKeyRequest, readSmallBody, req, res),
              TE.flatMap(({ name, scopes, providers }) =>
                useCases.changeTeamKey(id, {
                  ...(name ? { name } : {}),
                  ...(scopes ? { scopes } : {}),
                  ...(providers ? { providers } : {}),
                }),
              ),
            ),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    )
    .delete(
      handle((req) =>
        pipe(
          useCases.deleteTeamKey(String(req.params.keyId)),
          TE.map(() => ({})),
        ),
      ),
    )
    .all((_req, res) => respond.methodNotAllowed(res, 'PATCH, DELETE'));

  return router;
};
