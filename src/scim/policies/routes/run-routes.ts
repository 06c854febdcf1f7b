import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import {
  LifecycleActionPage,
  LifecyclePlanValue,
  LifecycleStatusValue,
  ReleasedAccountValue,
  Retried,
} from '../../../contract/answers/provisioning/lifecycle';
import {
  ActionsParameters,
  ConfirmPlanRequest,
  ReleaseAccountRequest,
  RetryActionsRequest,
  RunParameters,
} from '../../../contract/lifecycle';
import { answerPageSize, readToken } from '../../../contract/page';
import { NoParameters } from '../../../contract/parameters/question-parameters';
import { isTrue } from '../../../contract/parameters/query-parameters';
import { badRequest } from '../../../problem';
import { actOf } from '../../../web/admission/caller';
import { LISTING_BODY } from '../../../web/bodies/body-bounds';
import { decodeBody } from '../../../web/bodies/decode-body';
import { aboutProvider } from '../../connections/about-provider';
import { route, type Route } from '../../../web/routing/route';
import { POLICIES, POLICIES_ACCESS } from './lifecycle-route';
import type { Context } from '../../../context';
import type { Web } from '../../../web/routing/web';
import { providersOf } from '../../../features/registry/contract';
import { policiesOf } from '../contract';

/** Plans, runs, confirms and watches what policies do (docs/provisioning.md: When policies run). */
export const runRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const policies = policiesOf(context);
  const { asking, changing } = aboutProvider(providersOf(context));
  const running = { access: POLICIES_ACCESS, more: 'provisioning#when-policies-run' };
  const acting = { access: POLICIES_ACCESS, more: 'provisioning#actions' };
  return [
    route({
      ...running,
      method: 'post',
      path: `${POLICIES}\\:plan`,
      summary: 'Tells what the policies would do now; changes nothing.',
      answer: LifecyclePlanValue,
      query: RunParameters,
      handler: handle((req, res) =>
        pipe(
          asking(req, RunParameters),
          TE.flatMap(({ provider, asked }) =>
            policies.plan(provider, isTrue(asked.full), actOf(res)),
          ),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...running,
      method: 'post',
      path: `${POLICIES}\\:run`,
      summary: 'Runs the policies now, and tells their state.',
      answer: LifecycleStatusValue,
      query: RunParameters,
      handler: handle((req) =>
        pipe(
          changing(req, RunParameters),
          TE.flatMap(({ provider, asked }) => policies.run(provider, isTrue(asked.full))),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...running,
      method: 'post',
      path: `${POLICIES}\\:confirm`,
      summary: 'Lets a plan pass that the guard has stopped.',
      answer: LifecycleStatusValue,
      query: NoParameters,
      body: [ConfirmPlanRequest],
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
      ...running,
      method: 'get',
      path: `${POLICIES}\\:status`,
      summary: 'Tells where the policies of a provider stand.',
      answer: LifecycleStatusValue,
      query: NoParameters,
      handler: handle((req) =>
        pipe(
          asking(req, NoParameters),
          TE.flatMap(({ provider }) => policies.status(provider)),
          TE.map((value) => ({ value })),
        ),
      ),
    }),
    route({
      ...acting,
      method: 'get',
      path: `${POLICIES}\\:actions`,
      summary: 'Lists the actions of policies, the newest first.',
      answer: LifecycleActionPage,
      query: ActionsParameters,
      handler: handle((req) =>
        pipe(
          asking(req, ActionsParameters),
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
      ...acting,
      method: 'post',
      path: `${POLICIES}\\:retry`,
      summary: 'Lets actions that are given up be tried again.',
      answer: Retried,
      query: NoParameters,
      body: [RetryActionsRequest],
      bodyBounds: LISTING_BODY,
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
      ...acting,
      method: 'post',
      path: `${POLICIES}\\:release`,
      summary: 'Lets go of the account that a policy keeps for a person.',
      answer: ReleasedAccountValue,
      query: NoParameters,
      body: [ReleaseAccountRequest],
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
