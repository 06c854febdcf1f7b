import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ScimTold, ScimToldList } from '../../../contract/answers/provisioning/scim';
import type { Failure } from '../../../problem';
import { resourceTypes, schemas, serviceProviderConfig, type Told } from '../discovery';
import type { Route } from '../../../web/routing/route';
import { addressed, listResponse, SCIM_ROUTE, sendScim, SOURCE } from './scim-exchange';
import { SCIM_JSON } from './scim-error';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { serverOf } from '../contract';

const NOTHING: Failure = { _tag: 'NotFound', message: 'There is no such description.' };

/** Tells clients of SCIM what the service can do (RFC 7644, 4). */
export const discoveryRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const server = serverOf(context);
  const get = (
    path: string,
    summary: string,
    answer: typeof ScimTold | typeof ScimToldList,
    describe: (base: string, id: string) => object | undefined,
  ): Route => ({
    ...SCIM_ROUTE,
    method: 'get',
    path: `${SOURCE}${path}`,
    summary,
    more: 'provisioning#being-read-through-scim',
    answer: { mediaTypes: [SCIM_JSON], json: answer },
    handler: handle((req, res) =>
      pipe(
        addressed(server, req, res),
        TE.flatMapEither(({ base }) => {
          const found = describe(base, String(req.params.scimId));
          return found === undefined ? E.left(NOTHING) : E.right(sendScim(res, found));
        }),
      ),
    ),
  });
  const all = (described: readonly Told[]): object =>
    listResponse({ total: described.length, resources: described }, 1);
  const one = (described: readonly Told[], id: string): Told | undefined =>
    described.find((each) => each.id === id);
  return [
    get('/ServiceProviderConfig', 'Tells what the SCIM server can do.', ScimTold, (base) =>
      serviceProviderConfig(base),
    ),
    get('/ResourceTypes', 'Lists the kinds of SCIM resources.', ScimToldList, (base) =>
      all(resourceTypes(base)),
    ),
    get('/ResourceTypes/:scimId', 'Reads a kind of SCIM resource.', ScimTold, (base, id) =>
      one(resourceTypes(base), id),
    ),
    get('/Schemas', 'Lists the SCIM schemas, with the attributes kept.', ScimToldList, (base) =>
      all(schemas(base)),
    ),
    get('/Schemas/:scimId', 'Reads a SCIM schema.', ScimTold, (base, id) => one(schemas(base), id)),
  ];
};
