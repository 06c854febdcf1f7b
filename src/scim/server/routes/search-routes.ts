import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../../problem';
import { GROUP, USER } from '../attributes';
import type { Address, ResourcePage, WantedList } from '../scim-server';
import type { Endpoint, Route } from '../../../web/routing/route';
import { addressed, bodyOf, listResponse, sendScim, wantedByBody } from './scim-exchange';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { serverOf } from '../contract';
import { endpoints } from '../endpoints';

type List = (address: Address, wanted: WantedList) => TE.TaskEither<Failure, ResourcePage>;

/** Lists resources where the query is in the body (RFC 7644, 3.4.3). */
export const searchRoutes = ({ question }: Web, context: Context): readonly Route[] => {
  const server = serverOf(context);
  const search = (endpoint: Endpoint, list: List): Route => ({
    ...endpoint,
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
    search(endpoints.search, (address, wanted) => server.listAll(address, wanted)),
    search(endpoints.searchUsers, (address, wanted) => server.list(address, USER, wanted)),
    search(endpoints.searchGroups, (address, wanted) => server.list(address, GROUP, wanted)),
  ];
};
