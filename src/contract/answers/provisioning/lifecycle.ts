import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, mapOf, may, nullable } from '../../../codec/exact';
import { flag } from '../../../codec/scalars';
import { anyText, enumeration, time } from '../../../codec/text';
import { ACTION_KINDS, ACTION_STATUSES, RUN_OUTCOMES } from '../../lifecycle';
import { Policy } from '../../records/policy';
import { pageOf, valueOf } from '../page';
import { count, textOrNull } from '../values';

/** A policy, and what may not work in the way that it says. */
export const PolicyValue = exact('one policy', {
  value: has(Policy, 'The result.'),
  warnings: may(list(anyText), 'What may not work as the policy says.'),
});

/** All policies of a provider. */
export const PolicyList = exact('policies of a provider', {
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
  ...{ kind, people, group },
  policy: has(anyText, 'The id of the policy that wants it.'),
  why: has(anyText, 'Why.'),
});
export type PlannedAction = t.TypeOf<typeof PlannedAction>;

const Drift = exact('difference in the application', {
  person: has(anyText, 'The id of the user.'),
  account: has(textOrNull, 'The id of the account.'),
  what: has(
    enumeration('kind of drift', [
      ...(['account_gone', 'not_shown', 'attributes', 'enabled'] as const),
      ...(['member_missing', 'member_added'] as const),
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

export const LifecyclePlanValue = valueOf('one plan', LifecyclePlan);

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

export const LifecycleStatusValue = valueOf('one state of policies', LifecycleStatus);

/** An action as clients see it (docs/provisioning.md: Actions). */
export const LifecycleActionAnswer = exact('action of a policy', {
  id: has(anyText, 'Its id.'),
  ...{ kind, people, group },
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

export const LifecycleActionPage = pageOf('page of actions', LifecycleActionAnswer);

/** An account that a policy managed and manages no longer. */
const ReleasedAccount = exact('released account', {
  person: has(anyText, 'The key of the person for whom it was managed.'),
  account: has(textOrNull, 'Its id; null if the application has shown none.'),
  policy: has(anyText, 'The id of the policy.'),
});
export type ReleasedAccount = t.TypeOf<typeof ReleasedAccount>;

export const ReleasedAccountValue = valueOf('one released account', ReleasedAccount);

/** How many actions will be tried again. */
export const Retried = exact('actions tried again', {
  retried: has(count, 'How many actions will be tried again.'),
});
