import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { asDone, asValue } from '../../../web/exchange/handle';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { aboutProvider } from '../../connections/about-provider';
import { policiesOf } from '../contract';
import { endpoints } from '../endpoints';

/** Sets, reads, lists and removes the policies of a provider (docs/provisioning.md: Policies). */
export const policyRoutes = (web: Web, context: Context): readonly Route[] => {
  const policies = policiesOf(context);
  const { asking } = aboutProvider(web, context);
  const idIn = ({ params }: { readonly params: { readonly policyId?: unknown } }): string =>
    String(params.policyId);
  return [
    asking(endpoints.list, ({ provider }) =>
      pipe(
        policies.listPolicies(provider),
        TE.map((values) => ({ values })),
      ),
    ),
    asking(endpoints.add, ({ provider, body, act }) =>
      policies.setPolicy(provider, null, body, act),
    ),
    asking(endpoints.read, ({ provider, req }) =>
      asValue(policies.findPolicy(provider, idIn(req))),
    ),
    asking(
      endpoints.set,
      ({ provider, body, act, req }) => policies.setPolicy(provider, idIn(req), body, act),
      (provider, req) => policies.findPolicy(provider, idIn(req)),
    ),
    asking(endpoints.remove, ({ provider, act, req }) =>
      asDone(policies.removePolicy(provider, idIn(req), act)),
    ),
  ];
};
