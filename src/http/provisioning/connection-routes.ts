import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { Done } from '../../contract/answers/page';
import {
  ConnectionTestValue,
  ConnectionValue,
} from '../../contract/answers/provisioning/connection';
import { SetConnectionRequest } from '../../contract/provisioning';
import { NoParameters } from '../../contract/parameters/question-parameters';
import { actOf } from '../admission/caller';
import { decodeBody } from '../exchange/decode-body';
import { route, type Route } from '../routing/route';
import { aboutProvider } from './about-provider';
import { type ProvisioningRouteDeps, SCIM, SCIM_ACCESS } from './provisioning-route';

/** Sets, reads, tests and removes the connection of a provider (docs/provisioning.md: The connection). */
export const connectionRoutes = ({ handle, useCases }: ProvisioningRouteDeps): readonly Route[] => {
  const { asking, changing } = aboutProvider(useCases);
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
          TE.flatMap(({ provider, body }) =>
            useCases.provisioning.setConnection(provider, body, actOf(res)),
          ),
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
          TE.flatMap(({ provider }) => useCases.provisioning.findConnection(provider)),
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
          TE.flatMap(({ provider }) =>
            useCases.provisioning.removeConnection(provider, actOf(res)),
          ),
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
          TE.flatMap(({ provider }) => useCases.provisioning.testConnection(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
  ];
};
