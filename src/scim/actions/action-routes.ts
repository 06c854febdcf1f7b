import type { RequestHandler } from 'express';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import { ActionAnswer } from '../../contract/answers/provisioning/connection';
import { AccountRequest, DeprovisionRequest, MembersRequest } from '../../contract/provisioning';
import { isTrue } from '../../contract/parameters/query-parameters';
import { ActionParameters } from '../../contract/parameters/question-parameters';
import type { Failure } from '../../problem';
import type { Acting } from '../connections/reaching';
import { actOf, callerOf } from '../../web/admission/caller';
import { LISTING_BODY } from '../../web/bodies/body-bounds';
import { decodeBody } from '../../web/bodies/decode-body';
import type { Handler } from '../../web/exchange/handle';
import { route, type Route } from '../../web/routing/route';
import { aboutProvider } from '../connections/about-provider';
import { SCIM, SCIM_ACCESS } from '../connections/provisioning-route';
import type { Context } from '../../context';
import type { Web } from '../../web/routing/web';
import { providersOf } from '../../features/registry/contract';
import { connectionsOf } from '../connections/contract';

type Act<A> = (acting: Acting, request: A) => TE.TaskEither<Failure, ActionAnswer>;

/** Changes accounts and groups in the application of a provider (docs/provisioning.md: By hand). */
export const actionRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const connections = connectionsOf(context);
  const { changing } = aboutProvider(providersOf(context));
  const handlerOf = <A>(body: Codec<A>, act: Act<A>): Handler<ActionAnswer> & RequestHandler =>
    handle((req, res) =>
      pipe(
        changing(req, ActionParameters),
        TE.bind('request', () => decodeBody(body, req, res)),
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
    );
  const action = <A>(
    verb: string,
    summary: string,
    body: Codec<A>,
    act: Act<A>,
    bodyBounds: Route['bodyBounds'] = {},
  ): Route =>
    route({
      method: 'post',
      path: `${SCIM}\\:${verb}`,
      access: SCIM_ACCESS,
      summary,
      more: 'provisioning#by-hand',
      answer: ActionAnswer,
      query: ActionParameters,
      body: [body],
      bodyBounds,
      handler: handlerOf(body, act),
    });
  return [
    action(
      'provision',
      'Gives a person an account in the application, or brings theirs up to date.',
      AccountRequest,
      (acting, request) => connections.provision(acting, request),
    ),
    action(
      'update',
      'Brings the account of a person in the application up to date.',
      AccountRequest,
      (acting, request) => connections.update(acting, request),
    ),
    action(
      'deprovision',
      'Disables or deletes an account in the application.',
      DeprovisionRequest,
      (acting, request) => connections.deprovision(acting, request),
    ),
    action(
      'add-members',
      'Adds accounts to a group of the application.',
      MembersRequest,
      (acting, request) => connections.addMembers(acting, request),
      LISTING_BODY,
    ),
    action(
      'remove-members',
      'Removes accounts from a group of the application.',
      MembersRequest,
      (acting, request) => connections.removeMembers(acting, request),
      LISTING_BODY,
    ),
  ];
};
