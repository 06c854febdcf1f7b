import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import { isTrue } from '../../contract/parameters/query-parameters';
import type { Failure } from '../../problem';
import type { Acting } from '../connections/reaching';
import { actOf, callerOf } from '../../web/admission/caller';
import { decodeBody } from '../../web/bodies/decode-body';
import { type Endpoint, route, type Route } from '../../web/routing/route';
import { aboutProvider } from '../connections/about-provider';
import { type ActionAnswer, endpoints } from '../connections/endpoints';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../graph/records/registry';
import { connectionsOf } from '../connections/contract';

interface Action<A> extends Endpoint {
  readonly query: typeof endpoints.provision.query;
  readonly body: readonly [Codec<A>];
  readonly answer: Codec<ActionAnswer>;
}

type Act<A> = (acting: Acting, request: A) => TE.TaskEither<Failure, ActionAnswer>;

/** Changes accounts and groups in the application of a provider (docs/provisioning.md: By hand). */
export const actionRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const connections = connectionsOf(context);
  const { changing } = aboutProvider(providersOf(context));
  const action = <A>(endpoint: Action<A>, act: Act<A>): Route =>
    route({
      ...endpoint,
      handler: handle((req, res) =>
        pipe(
          changing(req, endpoint.query),
          TE.bind('request', () => decodeBody(endpoint.body[0], req, res)),
          TE.flatMap(({ provider, asked, request }) =>
            act(
              {
                provider,
                act: actOf(res),
                limitedTo: callerOf(res).providers,
                isDryRun: isTrue(asked.dry_run),
              },
              request,
            ),
          ),
        ),
      ),
    });
  return [
    action(endpoints.provision, connections.provision),
    action(endpoints.update, connections.update),
    action(endpoints.deprovision, connections.deprovision),
    action(endpoints.addMembers, connections.addMembers),
    action(endpoints.removeMembers, connections.removeMembers),
  ];
};
