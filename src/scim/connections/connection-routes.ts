import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../contract/answers/page';
import {
  ConnectionTestValue,
  ConnectionValue,
} from '../../contract/answers/provisioning/connection';
import { SetConnectionRequest } from '../../contract/provisioning';
import { NoParameters } from '../../contract/parameters/question-parameters';
import { actOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { route, type Route } from '../../web/routing/route';
import { aboutProvider } from './about-provider';
import { SCIM, SCIM_ACCESS } from './provisioning-route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../features/registry/contract';
import { connectionsOf } from './contract';

/** Sets, reads, tests and removes the connection of a provider (docs/provisioning.md: The connection). */
export const connectionRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const connections = connectionsOf(context);
  const { asking, changing } = aboutProvider(providersOf(context));
  return [
    route({
      method: 'put',
      path: SCIM,
      access: SCIM_ACCESS,
      summary: 'Sets how the service reaches the application of a provider over SCIM.',
      more: 'provisioning#the-connection',
      answer: ConnectionValue,
      query: NoParameters,
      body: [SetConnectionRequest],
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
      method: 'get',
      path: SCIM,
      access: SCIM_ACCESS,
      summary: 'Reads the connection of a provider, without its secrets.',
      more: 'provisioning#the-connection',
      answer: ConnectionValue,
      query: NoParameters,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => connections.find(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      method: 'delete',
      path: SCIM,
      access: SCIM_ACCESS,
      summary: 'Removes the connection of a provider, with its secrets.',
      more: 'provisioning#the-connection',
      answer: Done,
      query: NoParameters,
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => connections.remove(provider, actOf(res))),
          TE.map(() => ({})),
        ),
      ),
    }),
    route({
      method: 'post',
      path: `${SCIM}\\:test`,
      access: SCIM_ACCESS,
      summary: 'Asks the application of a provider what it can do.',
      more: 'provisioning#a-test',
      answer: ConnectionTestValue,
      query: NoParameters,
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
