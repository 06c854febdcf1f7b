import { setTimeout as sleep } from 'node:timers/promises';

import * as TE from 'fp-ts/TaskEither';

import type {
  LifecycleActionAnswer,
  LifecyclePlan,
  LifecycleStatus,
  ReleasedAccount,
} from './endpoints';
import type { Provider } from '../../contract/records/provider';
import { type Page, writeToken } from '../../contract/page';
import { FailedStep, toFailure } from '../../neo4j/failure';
import type { WantedActions } from './graph/lifecycle-records';
import type { StoredAction } from './graph/records';
import type { Failure } from '../../problem';
import { ScimFault } from '../client/scim-fault';
import type { Occasion } from '../../graph/records/event';
import type { KeyAct } from '../../graph/records/event-record';
import type { LifecycleDependencies } from './dependencies';
import { OF_READING } from './planning/guard';
import type { Policy } from './planning/policy';
import { DirectoryGone, openForRun, prepare, PushUnderWay } from './running/prepare';
import { countsOf, reconcile } from './running/reconcile';
import { releaseAccount, type WantedRelease } from './release-account';
import { setPolicy } from './set-policy';
import { confirmedEvent, policyRemovedEvent, retriedEvent } from './policy-events';

/** The most actions that a plan lists one by one. */
const MOST_TOLD = 1_000;

const noPolicy: Failure = { _tag: 'NotFound', message: 'The provider has no such policy.' };

/** Turns what a plan fails at into a failure. */
const planFailure = (error: unknown): Failure => {
  if (error instanceof PushUnderWay || error instanceof DirectoryGone)
    return { _tag: 'Conflict', message: error.message };
  if (error instanceof ScimFault) {
    return { _tag: 'Conflict', message: `${error.code}: ${error.message}` };
  }
  return toFailure(error);
};

const toAnswer = (action: StoredAction): LifecycleActionAnswer => {
  const { id, kind, people, group, policy, account, why, status, attempts } = action;
  const { outcome, problem, plannedAt, nextTry, finishedAt } = action;
  return {
    id,
    kind,
    people,
    group,
    policy,
    account,
    why,
    status,
    attempts,
    outcome,
    problem,
    planned_at: plannedAt,
    next_try: nextTry,
    finished_at: finishedAt,
  };
};

const occasionOf = ({ provisioning }: LifecycleDependencies, act: KeyAct): Occasion => ({
  at: new Date(provisioning.clock.now()).toISOString(),
  ...act,
});

const statusOf = async (
  { records }: LifecycleDependencies,
  provider: Provider,
): Promise<LifecycleStatus> => {
  const state = await records.state(provider.id);
  const { accounts, actions } = await records.counts(provider.id);
  return {
    running: state.isHeld,
    run_at: state.runAt,
    full_run_at: state.fullRunAt,
    outcome: state.outcome,
    problem: state.problem,
    confirmation: state.waiting,
    accounts,
    actions,
    drift: state.driftCount,
  };
};

const planned = async (
  dependencies: LifecycleDependencies,
  provider: Provider,
  full: boolean,
): Promise<LifecyclePlan> => {
  const all = await dependencies.policies.list(provider.id);
  const policies = all.filter(({ state }) => state !== 'off');
  const { showsMembers } = await dependencies.records.state(provider.id);
  const opened = await openForRun(dependencies, provider, true, showsMembers);
  const { plan, guarded, desired, drift, requests, unread } = await prepare(
    dependencies,
    provider,
    policies,
    opened,
    full,
    true,
  );
  if (unread !== null) throw unread;
  return {
    actions: plan.actions.slice(0, MOST_TOLD).map(({ kind, people, group, policy, why }) => ({
      kind,
      people,
      group,
      policy,
      why,
    })),
    counts: countsOf(plan),
    leavers_reported: plan.reported,
    incomplete: desired.incomplete.map(({ person, message }) => ({ person, message })),
    guard: guarded.stopped,
    token: guarded.token,
    drift,
    requests: requests + opened.asked(),
  };
};

const switchedOn = ({ provisioning }: Provider): void => {
  if (provisioning) return;
  const message = 'Provisioning of the provider is off: switch it on with PATCH.';
  throw new FailedStep({ _tag: 'Conflict', message });
};

const refusePaused = async ({ records }: LifecycleDependencies): Promise<void> => {
  if (!(await records.isPaused())) return;
  const message =
    'Policies wait since a restore brought an old graph: start them with POST /api/v1/restored:start.';
  throw new FailedStep({ _tag: 'Conflict', message });
};

/** What the service does with policies (docs/provisioning.md: Policies). */
export const lifecycle = (dependencies: LifecycleDependencies) => {
  const { policies, records, waitSeconds } = dependencies;
  /** Runs, and waits some seconds for the end; the run itself goes on. */
  const runNow = async (provider: Provider, full: boolean): Promise<void> => {
    const running = reconcile(dependencies, provider.id, { full });
    // Callers that wait get the failure. Later the state has it.
    const late = sleep(waitSeconds * 1000, undefined, { ref: false });
    await Promise.race([running, late]);
    running.catch(() => undefined);
  };
  return {
    listPolicies: (provider: Provider): TE.TaskEither<Failure, readonly Policy[]> =>
      TE.tryCatch(() => policies.list(provider.id), toFailure),

    findPolicy: (provider: Provider, id: string): TE.TaskEither<Failure, Policy> =>
      TE.tryCatch(async () => {
        const found = (await policies.list(provider.id)).find((policy) => policy.id === id);
        if (found === undefined) throw new FailedStep(noPolicy);
        return found;
      }, toFailure),

    setPolicy: setPolicy(dependencies),

    removePolicy: (provider: Provider, id: string, act: KeyAct): TE.TaskEither<Failure, void> =>
      TE.tryCatch(async () => {
        const event = policyRemovedEvent(provider, occasionOf(dependencies, act), id);
        if (!(await policies.remove(provider.id, id, event))) throw new FailedStep(noPolicy);
      }, toFailure),

    /** Tells what the policies would do now, as if those in report-only were active. */
    plan: (provider: Provider, full: boolean): TE.TaskEither<Failure, LifecyclePlan> =>
      TE.tryCatch(() => planned(dependencies, provider, full), planFailure),

    /** Runs the policies, and returns the state after the run, or after some seconds. */
    run: (provider: Provider, full: boolean): TE.TaskEither<Failure, LifecycleStatus> =>
      TE.tryCatch(async () => {
        switchedOn(provider);
        await refusePaused(dependencies);
        await runNow(provider, full);
        return statusOf(dependencies, provider);
      }, toFailure),

    /** Lets a plan pass that the guard has stopped, and runs it. */
    confirm: (
      provider: Provider,
      token: string,
      act: KeyAct,
    ): TE.TaskEither<Failure, LifecycleStatus> =>
      TE.tryCatch(async () => {
        switchedOn(provider);
        await refusePaused(dependencies);
        const { waiting } = await records.state(provider.id);
        if (waiting?.token !== token) {
          const message =
            waiting === null
              ? 'No plan of the provider awaits a confirmation.'
              : `Another plan awaits the confirmation by now: ${waiting.token}.`;
          throw new FailedStep({ _tag: 'Conflict', message });
        }
        const event = confirmedEvent(provider, occasionOf(dependencies, act), token);
        await records.ask(provider.id, { token, event });
        // Only another reading finds a plan that a reading led to.
        await runNow(provider, token.startsWith(OF_READING));
        return statusOf(dependencies, provider);
      }, toFailure),

    status: (provider: Provider): TE.TaskEither<Failure, LifecycleStatus> =>
      TE.tryCatch(() => statusOf(dependencies, provider), toFailure),

    listActions: (
      provider: Provider,
      wanted: WantedActions,
    ): TE.TaskEither<Failure, Page<LifecycleActionAnswer>> =>
      TE.tryCatch(async () => {
        const found = await records.listActions(provider.id, wanted);
        const page = found.slice(0, wanted.size);
        const has_more = found.length > wanted.size;
        const last = page.at(-1);
        return {
          values: page.map(toAnswer),
          has_more,
          next_page_token: has_more && last !== undefined ? writeToken([last.id]) : '',
        };
      }, toFailure),

    /** Releases the account that a policy manages for a person. */
    release: (
      provider: Provider,
      wanted: WantedRelease,
      act: KeyAct,
    ): TE.TaskEither<Failure, ReleasedAccount> =>
      TE.tryCatch(
        () => releaseAccount(dependencies, provider, wanted, occasionOf(dependencies, act)),
        toFailure,
      ),

    /** Lets actions be tried again; null: all that are given up. Gives how many. */
    retry: (
      provider: Provider,
      actions: readonly string[] | null,
      act: KeyAct,
    ): TE.TaskEither<Failure, number> =>
      TE.tryCatch(
        () =>
          records.retry(
            provider.id,
            actions,
            retriedEvent(provider, occasionOf(dependencies, act)),
          ),
        toFailure,
      ),
  };
};
