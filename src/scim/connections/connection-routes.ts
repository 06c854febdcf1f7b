import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { NoParameters } from '../../contract/parameters/query-parameters';
import { actOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { route, type Route } from '../../web/routing/route';
import { aboutProvider } from './about-provider';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { connectionsOf } from './contract';
import { endpoints, SetConnectionRequest } from './endpoints';

/** Sets, reads, tests and removes the connection of a provider (docs/provisioning.md: The connection). */
export const connectionRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const connections = connectionsOf(context);
  const { asking, changing } = aboutProvider(providersOf(context));
  return [
    route({
      ...endpoints.set,
      handler: handle((req, res) =>
        pipe(
          changing(req, NoParameters),
          TE.bind('body', () => decodeBody(SetConnectionRequest, req, res)),
          TE.flatMap(({ provider, body }) => connections.set(provider, body, actOf(res))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.read,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => connections.find(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.remove,
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => connections.remove(provider, actOf(res))),
          TE.map(() => ({})),
        ),
      ),
    }),
    route({
      ...endpoints.test,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => connections.test(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
  ];
};
