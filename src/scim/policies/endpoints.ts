import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../codec/exact';
import { flag } from '../../codec/scalars';
import { struct } from '../../codec/struct';
import { anyText, enumeration, requiredText, Text, time } from '../../codec/text';
import { Done, pageOf, valueOf } from '../../contract/answers/page';
import { count, textOrNull } from '../../contract/answers/values';
import {
  choice,
  countText,
  flagText,
  NoParameters,
  oneText,
} from '../../contract/parameters/query-parameters';
import { Policy, PolicyRequest } from './records';

export type { Policy, PolicyRequest };
import { LISTING_BODY } from '../../web/bodies/body-bounds';
import type { Access, Endpoints } from '../../web/routing/route';

/** What an action changes. */
export const ACTION_KINDS = [
  'ensure',
  'disable',
  'delete',
  'add_members',
  'remove_members',
] as const;

/** How far an action has come. */
export const ACTION_STATUSES = ['PLANNED', 'DONE', 'FAILED', 'DEAD', 'DROPPED'] as const;

/** The result of a run. */
export const RUN_OUTCOMES = [
  'DONE',
  'AWAITING_CONFIRMATION',
  'POSTPONED',
  'UNREAD',
  'FAILED',
] as const;

/** A request to confirm a plan that the guard has stopped. */
export const ConfirmPlanRequest = struct(
  'confirmation of a plan',
  { token: requiredText },
  {},
  { docs: { token: 'The `confirmation.token` in the state of the policies.' } },
);

/** A request to try actions again. */
export const RetryActionsRequest = struct(
  'request to try actions again',
  {},
  { actions: list(requiredText) },
  { docs: { actions: 'Ids of actions; unset: all that are given up.' } },
);

/** A request to release the account that a policy manages for a person. */
export const ReleaseAccountRequest = struct(
  'request to release an account',
  {},
  {
    person: new Text('key of a person', { ...requiredText.rule, most: 1024 }),
    account: requiredText,
  },
  {
    oneOf: { fields: ['person', 'account'], missing: 'person' },
    docs: {
      person: 'The key of the person, who may be gone from the graph.',
      account: 'Or the id of the account in the application.',
    },
  },
);

/** Parameters of the list of actions. */
const ActionsParameters = struct(
  'the query of actions',
  {},
  {
    status: choice('status', ACTION_STATUSES),
    policy: oneText,
    page_size: countText,
    page_token: oneText,
  },
);

/** Parameters of a run or plan. */
const RunParameters = struct('the query of a run', {}, { full: flagText });

/** A policy, and warnings about what in it may not work. */
const PolicyValue = exact('one policy', {
  value: has(Policy, 'The result.'),
  warnings: may(list(anyText), 'What may not work as the policy says.'),
});

/** All policies of a provider. */
const PolicyList = exact('policies of a provider', {
  values: has(list(Policy), 'The policies, the eldest first.'),
});

const kind = has(
  enumeration('kind of action', ACTION_KINDS),
  'What changes: `ensure` creates an account, or brings it up to date.',
);
const people = has(list(anyText), 'Ids of the users that it is about.');
const group = has(textOrNull, 'The group of the application; null if it is about none.');

/** An action that a plan holds. */
export const PlannedAction = exact('planned action', {
  kind,
  people,
  group,
  policy: has(anyText, 'The id of the policy that wants it.'),
  why: has(anyText, 'Why.'),
});
export type PlannedAction = t.TypeOf<typeof PlannedAction>;

const Drift = exact('difference in the application', {
  person: has(anyText, 'The id of the user.'),
  account: has(textOrNull, 'The id of the account.'),
  what: has(
    enumeration('kind of drift', [
      'account_gone',
      'not_shown',
      'attributes',
      'enabled',
      'member_missing',
      'member_added',
    ]),
    'What differs from what policies last wrote.',
  ),
  details: has(list(anyText), 'The attributes, or the group.'),
});
export type Drift = t.TypeOf<typeof Drift>;

const GuardedPolicy = exact('policy that its guard stops', {
  policy: has(anyText, 'The id of the policy.'),
  name: has(anyText, 'Its name.'),
  people: has(count, 'How many people would lose their accounts.'),
  joiners: has(count, 'How many people would get accounts.'),
  accounts: has(count, 'How many accounts it has.'),
});
export type GuardedPolicy = t.TypeOf<typeof GuardedPolicy>;

/** What a run would do, or has found out. */
export const LifecyclePlan = exact('plan of policies', {
  actions: has(list(PlannedAction), 'The actions, in their order; the first 1,000.'),
  counts: has(mapOf('counts', count), 'How many people each kind of action is about.'),
  leavers_reported: has(list(anyText), 'Ids of users who left, and whose policy only reports.'),
  incomplete: has(
    list(
      exact('person without an account', {
        person: has(anyText, 'The id of the user.'),
        message: has(anyText, 'What they lack.'),
      }),
    ),
    'People who lack what an account needs.',
  ),
  guard: has(list(GuardedPolicy), 'Policies whose guard stops the plan.'),
  token: has(textOrNull, 'What a confirmation must name; null if the guard does not stop it.'),
  drift: has(nullable(list(Drift)), 'What differs in the application; null if it was not read.'),
  requests: has(count, 'How many requests the plan needed.'),
});
export type LifecyclePlan = t.TypeOf<typeof LifecyclePlan>;

const LifecyclePlanValue = valueOf('one plan', LifecyclePlan);

/** How far the policies of a provider have come. */
export const LifecycleStatus = exact('state of policies', {
  running: has(flag, 'Whether a process reconciles the application now.'),
  run_at: has(nullable(time), 'When the last run was.'),
  full_run_at: has(nullable(time), 'When the application was last read completely.'),
  outcome: has(
    nullable(enumeration('outcome of a run', RUN_OUTCOMES)),
    'The result of the last run; null before the first.',
  ),
  problem: has(textOrNull, 'Why it failed.'),
  confirmation: has(
    nullable(
      exact('confirmation that is awaited', {
        token: has(anyText, 'What `:confirm` must name.'),
        people: has(count, 'How many people would lose their accounts.'),
        joiners: has(count, 'How many people would get accounts.'),
      }),
    ),
    'What the guard waits for; null if it waits for nothing.',
  ),
  accounts: has(mapOf('accounts', count), 'Accounts by their state.'),
  actions: has(mapOf('actions', count), 'Actions by their status.'),
  drift: has(count, 'How many differences the last reading of the application found.'),
});
export type LifecycleStatus = t.TypeOf<typeof LifecycleStatus>;

const LifecycleStatusValue = valueOf('one state of policies', LifecycleStatus);

/** An action as clients see it (docs/provisioning.md: Actions). */
export const LifecycleActionAnswer = exact('action of a policy', {
  id: has(anyText, 'Its id.'),
  kind,
  people,
  group,
  policy: has(anyText, 'The id of the policy.'),
  account: has(textOrNull, 'The id of the account.'),
  why: has(anyText, 'Why.'),
  status: has(enumeration('status of an action', ACTION_STATUSES), 'How far it has come.'),
  attempts: has(count, 'How often it was tried.'),
  outcome: has(textOrNull, 'What became of the account; null before that.'),
  problem: has(
    nullable(
      exact('problem of an action', {
        code: has(anyText, 'What went wrong, for programs.'),
        message: has(anyText, 'What went wrong, in a sentence.'),
      }),
    ),
    'Why the last try failed.',
  ),
  planned_at: has(time, 'When it was planned.'),
  next_try: has(nullable(time), 'When it will be tried again.'),
  finished_at: has(nullable(time), 'When it was done, given up or dropped.'),
});
export type LifecycleActionAnswer = t.TypeOf<typeof LifecycleActionAnswer>;

const LifecycleActionPage = pageOf('page of actions', LifecycleActionAnswer);

/** An account that a policy managed and manages no longer. */
const ReleasedAccount = exact('released account', {
  person: has(anyText, 'The key of the person for whom it was managed.'),
  account: has(textOrNull, 'Its id; null if the application has shown none.'),
  policy: has(anyText, 'The id of the policy.'),
});
export type ReleasedAccount = t.TypeOf<typeof ReleasedAccount>;

const ReleasedAccountValue = valueOf('one released account', ReleasedAccount);

/** How many actions will be tried again. */
const Retried = exact('actions tried again', {
  retried: has(count, 'How many actions will be tried again.'),
});

const POLICIES = '/api/v1/providers/custom/:providerId/policies';
const POLICY = `${POLICIES}/:policyId` as const;

/** Policies look at the people of all directories, so keys that are limited to some may not. */
const ADMINISTERS: Access = { scopes: ['admin'], limitedKeys: 'never' };

/** The endpoints of policies, without their handlers. */
export const endpoints = {
  list: {
    method: 'get',
    path: POLICIES,
    access: ADMINISTERS,
    summary: 'Lists the policies of a provider.',
    more: 'provisioning#policies',
    query: NoParameters,
    answer: PolicyList,
  },
  add: {
    method: 'post',
    path: POLICIES,
    access: ADMINISTERS,
    summary: 'Adds a policy: who gets an account in the application of a provider.',
    more: 'provisioning#policies',
    query: NoParameters,
    body: [PolicyRequest],
    answer: PolicyValue,
  },
  read: {
    method: 'get',
    path: POLICY,
    access: ADMINISTERS,
    summary: 'Reads a policy.',
    more: 'provisioning#policies',
    query: NoParameters,
    answer: PolicyValue,
  },
  set: {
    method: 'put',
    path: POLICY,
    access: ADMINISTERS,
    summary: 'Sets a policy whole.',
    more: 'provisioning#policies',
    query: NoParameters,
    body: [PolicyRequest],
    answer: PolicyValue,
  },
  remove: {
    method: 'delete',
    path: POLICY,
    access: ADMINISTERS,
    summary: 'Removes a policy; the accounts that it made stay.',
    more: 'provisioning#policies',
    query: NoParameters,
    answer: Done,
  },
  plan: {
    method: 'post',
    path: `${POLICIES}\\:plan`,
    access: ADMINISTERS,
    summary: 'Tells what the policies would do now; changes nothing.',
    more: 'provisioning#when-policies-run',
    query: RunParameters,
    answer: LifecyclePlanValue,
  },
  run: {
    method: 'post',
    path: `${POLICIES}\\:run`,
    access: ADMINISTERS,
    summary: 'Runs the policies now, and tells their state.',
    more: 'provisioning#when-policies-run',
    query: RunParameters,
    answer: LifecycleStatusValue,
  },
  confirm: {
    method: 'post',
    path: `${POLICIES}\\:confirm`,
    access: ADMINISTERS,
    summary: 'Lets a plan pass that the guard has stopped.',
    more: 'provisioning#when-policies-run',
    query: NoParameters,
    body: [ConfirmPlanRequest],
    answer: LifecycleStatusValue,
  },
  status: {
    method: 'get',
    path: `${POLICIES}\\:status`,
    access: ADMINISTERS,
    summary: 'Tells where the policies of a provider stand.',
    more: 'provisioning#when-policies-run',
    query: NoParameters,
    answer: LifecycleStatusValue,
  },
  listActions: {
    method: 'get',
    path: `${POLICIES}\\:actions`,
    access: ADMINISTERS,
    summary: 'Lists the actions of policies, the newest first.',
    more: 'provisioning#actions',
    query: ActionsParameters,
    answer: LifecycleActionPage,
  },
  retry: {
    method: 'post',
    path: `${POLICIES}\\:retry`,
    access: ADMINISTERS,
    summary: 'Lets actions that are given up be tried again.',
    more: 'provisioning#actions',
    query: NoParameters,
    body: [RetryActionsRequest],
    bodyBounds: LISTING_BODY,
    answer: Retried,
  },
  release: {
    method: 'post',
    path: `${POLICIES}\\:release`,
    access: ADMINISTERS,
    summary: 'Lets go of the account that a policy manages for a person.',
    more: 'provisioning#actions',
    query: NoParameters,
    body: [ReleaseAccountRequest],
    answer: ReleasedAccountValue,
  },
} as const satisfies Endpoints;
