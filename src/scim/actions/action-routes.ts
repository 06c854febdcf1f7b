import type * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import type { Context } from '../../context';
import { isTrue } from '../../contract/parameters/query-parameters';
import type { Failure } from '../../problem';
import { callerOf } from '../../web/admission/caller';
import type { Endpoint, Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { aboutProvider } from '../connections/about-provider';
import { connectionsOf } from '../connections/contract';
import { type ActionAnswer, endpoints } from '../connections/endpoints';
import type { Acting } from '../connections/reaching';

interface Action<A> extends Endpoint {
  readonly query: typeof endpoints.provision.query;
  readonly body: readonly [Codec<A>];
  readonly answer: Codec<ActionAnswer>;
}

type Act<A> = (acting: Acting, request: A) => TE.TaskEither<Failure, ActionAnswer>;

/** Changes accounts and groups in the application of a provider (docs/provisioning.md: By hand). */
export const actionRoutes = (web: Web, context: Context): readonly Route[] => {
  const connections = connectionsOf(context);
  const { changing } = aboutProvider(web, context);
  const action = <A>(endpoint: Action<A>, act: Act<A>): Route =>
    changing(endpoint, ({ provider, asked, body, act: by, res }) => {
      const limitedTo = callerOf(res).providers;
      return act({ provider, act: by, limitedTo, isDryRun: isTrue(asked.dry_run) }, body);
    });
  return [
    action(endpoints.provision, connections.provision),
    action(endpoints.update, connections.update),
    action(endpoints.deprovision, connections.deprovision),
    action(endpoints.addMembers, connections.addMembers),
    action(endpoints.removeMembers, connections.removeMembers),
  ];
};
