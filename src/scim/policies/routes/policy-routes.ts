import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { PolicyRequest } from '../records';
import { NoParameters } from '../../../contract/parameters/query-parameters';
import { actOf } from '../../../web/admission/caller';
import { decodeBody } from '../../../web/bodies/decode-body';
import { aboutProvider } from '../../connections/about-provider';
import { route, type Route } from '../../../web/routing/route';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { providersOf } from '../../../graph/records/registry';
import { policiesOf } from '../contract';
import { endpoints } from '../endpoints';

/** Sets, reads, lists and removes the policies of a provider (docs/provisioning.md: Policies). */
export const policyRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const policies = policiesOf(context);
  const { asking } = aboutProvider(providersOf(context));
  return [
    route({
      ...endpoints.list,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => policies.listPolicies(provider)),
          TE.map((values) => ({ values })),
        ),
      ),
    }),
    route({
      ...endpoints.add,
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.bind('request', () => decodeBody(PolicyRequest, req, res)),
          TE.flatMap(({ provider, request }) =>
            policies.setPolicy(provider, null, request, actOf(res)),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.read,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => policies.findPolicy(provider, String(req.params.policyId))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.set,
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.bind('id', ({ provider }) =>
            pipe(
              policies.findPolicy(provider, String(req.params.policyId)),
              TE.map(({ id }) => id),
            ),
          ),
          TE.bind('request', () => decodeBody(PolicyRequest, req, res)),
          TE.flatMap(({ provider, id, request }) =>
            policies.setPolicy(provider, id, request, actOf(res)),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.remove,
      handler: handle((req, res) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) =>
            policies.removePolicy(provider, String(req.params.policyId), actOf(res)),
          ),
          TE.map(() => ({})),
        ),
      ),
    }),
  ];
};
