import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import {
  ScimGroups,
  ScimResources,
  ScimSearch,
  ScimUsers,
} from '../../../contract/answers/provisioning/scim';
import type { Failure } from '../../../problem';
import { GROUP, USER } from '../attributes';
import type { Address, ResourcePage, WantedList } from '../scim-server';
import type { Route } from '../../../web/routing/route';
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
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { serverOf } from '../contract';

type List = (address: Address, wanted: WantedList) => TE.TaskEither<Failure, ResourcePage>;

/** Lists resources where the query is in the body (RFC 7644, 3.4.3). */
export const searchRoutes = ({ question }: Web, context: Context): readonly Route[] => {
  const server = serverOf(context);
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
    handler: question((req, res) =>
      pipe(
        addressed(server, req, res),
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
      server.listAll(address, wanted),
    ),
    search('/Users', 'users', ScimUsers, (address, wanted) => server.list(address, USER, wanted)),
    search('/Groups', 'groups', ScimGroups, (address, wanted) =>
      server.list(address, GROUP, wanted),
    ),
  ];
};
