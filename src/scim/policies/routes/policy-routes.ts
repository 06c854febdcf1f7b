import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { PolicyList, PolicyValue } from '../../../contract/answers/provisioning/lifecycle';
import { Done } from '../../../contract/answers/page';
import { PolicyRequest } from '../../../contract/records/policy';
import { NoParameters } from '../../../contract/parameters/question-parameters';
import { actOf } from '../../../web/admission/caller';
import { decodeBody } from '../../../web/bodies/decode-body';
import { aboutProvider } from '../../connections/about-provider';
import { route, type Route } from '../../../web/routing/route';
import { POLICIES, POLICIES_ACCESS } from './lifecycle-route';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { providersOf } from '../../../features/registry/contract';
import { policiesOf } from '../contract';

const POLICY = `${POLICIES}/:policyId`;

/** Sets, reads, lists and removes the policies of a provider (docs/provisioning.md: Policies). */
export const policyRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const policies = policiesOf(context);
  const { asking } = aboutProvider(providersOf(context));
  const about = { access: POLICIES_ACCESS, more: 'provisioning#policies', query: NoParameters };
  return [
    route({
      ...about,
      method: 'get',
      path: POLICIES,
      summary: 'Lists the policies of a provider.',
      answer: PolicyList,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => policies.listPolicies(provider)),
          TE.map((values) => ({ values })),
        ),
      ),
    }),
    route({
      ...about,
      method: 'post',
      path: POLICIES,
      summary: 'Adds a policy: who gets an account in the application of a provider.',
      answer: PolicyValue,
      body: [PolicyRequest],
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
      ...about,
      method: 'get',
      path: POLICY,
      summary: 'Reads a policy.',
      answer: PolicyValue,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => policies.findPolicy(provider, String(req.params.policyId))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...about,
      method: 'put',
      path: POLICY,
      summary: 'Sets a policy whole.',
      answer: PolicyValue,
      body: [PolicyRequest],
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
      ...about,
      method: 'delete',
      path: POLICY,
      summary: 'Removes a policy; the accounts that it made stay.',
      answer: Done,
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
