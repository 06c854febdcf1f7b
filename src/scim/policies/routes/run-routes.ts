import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { answerPageSize, readToken } from '../../../contract/page';
import { isTrue, NoParameters } from '../../../contract/parameters/query-parameters';
import { badRequest } from '../../../problem';
import { actOf } from '../../../web/admission/caller';
import { decodeBody } from '../../../web/bodies/decode-body';
import { aboutProvider } from '../../connections/about-provider';
import { route, type Route } from '../../../web/routing/route';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { providersOf } from '../../../graph/records/registry';
import { policiesOf } from '../contract';
import {
  ConfirmPlanRequest,
  endpoints,
  ReleaseAccountRequest,
  RetryActionsRequest,
} from '../endpoints';

/** Plans, runs, confirms and watches what policies do (docs/provisioning.md: When policies run). */
export const runRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const policies = policiesOf(context);
  const { asking, changing } = aboutProvider(providersOf(context));
  return [
    route({
      ...endpoints.plan,
      handler: handle((req, res) =>
        pipe(
          asking(req, endpoints.plan.query),
          TE.flatMap(({ provider, asked }) =>
            policies.plan(provider, isTrue(asked.full), actOf(res)),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.run,
      handler: handle((req) =>
        pipe(
          changing(req, endpoints.run.query),
          TE.flatMap(({ provider, asked }) => policies.run(provider, isTrue(asked.full))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.confirm,
      handler: handle((req, res) =>
        pipe(
          changing(req, NoParameters),
          TE.bind('request', () => decodeBody(ConfirmPlanRequest, req, res)),
          TE.flatMap(({ provider, request }) =>
            policies.confirm(provider, request.token, actOf(res)),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.status,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => policies.status(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...endpoints.listActions,
      handler: handle((req) =>
        pipe(
          asking(req, endpoints.listActions.query),
          TE.bind('token', ({ asked }) =>
            TE.fromEither(pipe(readToken(asked.page_token ?? '', 1), E.mapLeft(badRequest))),
          ),
          TE.flatMap(({ provider, asked, token }) =>
            policies.listActions(provider, {
              status: asked.status || null,
              policy: asked.policy || null,
              size: answerPageSize(asked.page_size),
              after: token?.[0] ?? null,
            }),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.retry,
      handler: handle((req, res) =>
        pipe(
          changing(req, NoParameters),
          TE.bind('request', () => decodeBody(RetryActionsRequest, req, res)),
          TE.flatMap(({ provider, request }) =>
            policies.retry(provider, request.actions ?? null, actOf(res)),
          ),
          TE.map((retried) => ({ retried })),
        ),
      ),
    }),
    route({
      ...endpoints.release,
      handler: handle((req, res) =>
        pipe(
          changing(req, NoParameters),
          TE.bind('request', () => decodeBody(ReleaseAccountRequest, req, res)),
          TE.flatMap(({ provider, request: { person, account } }) =>
            policies.release(
              provider,
              { person: person || null, account: account || null },
              actOf(res),
            ),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
  ];
};
