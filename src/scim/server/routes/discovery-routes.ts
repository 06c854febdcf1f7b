import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../../problem';
import { resourceTypes, schemas, serviceProviderConfig, type Told } from '../discovery';
import type { Endpoint, Route } from '../../../web/routing/route';
import { addressed, listResponse, sendScim } from './scim-exchange';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { serverOf } from '../contract';
import { endpoints } from '../endpoints';

const NOTHING: Failure = { _tag: 'NotFound', message: 'There is no such description.' };

/** Tells clients of SCIM what the service can do (RFC 7644, 4). */
export const discoveryRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const server = serverOf(context);
  const get = (
    endpoint: Endpoint,
    describe: (base: string, id: string) => object | undefined,
  ): Route => ({
    ...endpoint,
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
    get(endpoints.readConfiguration, (base) => serviceProviderConfig(base)),
    get(endpoints.listResourceTypes, (base) => all(resourceTypes(base))),
    get(endpoints.readResourceType, (base, id) => one(resourceTypes(base), id)),
    get(endpoints.listSchemas, (base) => all(schemas(base))),
    get(endpoints.readSchema, (base, id) => one(schemas(base), id)),
  ];
};
