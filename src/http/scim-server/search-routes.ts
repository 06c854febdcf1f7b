import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import {
  ScimGroups,
  ScimResources,
  ScimSearch,
  ScimUsers,
} from '../../contract/answers/provisioning/scim';
import type { Failure } from '../../problem';
import { GROUP, USER } from '../../service/scim-server/attributes';
import type { Address, ResourcePage, WantedList } from '../../service/scim-server/scim-server';
import type { UseCases } from '../../service/use-cases';
import type { Handle } from '../exchange/handle';
import type { Route } from '../routing/route';
import {
  addressed,
  bodyOf,
  listResponse,
  SCIM_ROUTE,
  sendScim,
  SOURCE,
  wantedByBody,
} from './scim-exchange';
import { SCIM_JSON } from './scim-error';

/** What these routes need. */
export interface SearchRouteDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'scimServer'>;
}

type List = (address: Address, wanted: WantedList) => TE.TaskEither<Failure, ResourcePage>;

/** Lists resources where the query is in the body (RFC 7644, 3.4.3). */
export const searchRoutes = ({ handle, useCases }: SearchRouteDeps): readonly Route[] => {
  const search = (
    path: string,
    what: string,
    answer: typeof ScimUsers | typeof ScimGroups | typeof ScimResources,
    list: List,
  ): Route => ({
    ...SCIM_ROUTE,
    method: 'post',
    path: `${SOURCE}${path}/.search`,
    summary: `Searches ${what} through SCIM.`,
    more: 'provisioning#being-read-through-scim',
    body: [ScimSearch],
    answer: { mediaTypes: [SCIM_JSON], json: answer },
    handler: handle((req, res) =>
      pipe(
        addressed(useCases, req, res),
        TE.bindTo('address'),
        TE.bind('body', () => bodyOf(req, res)),
        TE.bind('wanted', ({ body }) => TE.fromEither(wantedByBody(body))),
        TE.bind('page', ({ address, wanted }) => list(address, wanted)),
        TE.map(({ page, wanted }) => sendScim(res, listResponse(page, wanted.startIndex))),
      ),
    ),
  });
  return [
    search('', 'users and groups', ScimResources, (address, wanted) =>
      useCases.scimServer.listAll(address, wanted),
    ),
    search('/Users', 'users', ScimUsers, (address, wanted) =>
      useCases.scimServer.list(address, USER, wanted),
    ),
    search('/Groups', 'groups', ScimGroups, (address, wanted) =>
      useCases.scimServer.list(address, GROUP, wanted),
    ),
  ];
};
