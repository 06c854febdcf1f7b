import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import { v7 as timeOrderedUuid } from 'uuid';

import type { Drift } from '../endpoints';
import type { Provider } from '../../../contract/records/provider';
import { FailedStep } from '../../../neo4j/failure';
import {
  type AccountChange,
  type Lease,
  LeaseLost,
  type StateChange,
  type Written,
} from '../graph/lease';
import type { ManagedAccount, StoredAction, ReconcilerState, RunOutcome } from '../graph/records';
import type { EventRecord } from '../../../graph/records/event-record';
import type { Failure } from '../../../problem';
import { ScimFault } from '../../client/scim-fault';
import type { Occasion } from '../../../graph/records/event';
import type { LifecycleDependencies } from '../dependencies';
import { ApplicationDown, execute, type Running } from './execute';
import { inLanes } from './lanes';
import { sendOrders } from '../orders/send-orders';
import { digestOf } from '../planning/digest';
import { OF_READING } from '../planning/guard';
import { givenUpCode, matched, type Plan, type WantedAction } from '../planning/plan';
import type { Policy } from '../planning/policy';
import {
  DirectoryGone,
  type OpenedApplication,
  openForRun,
  prepare,
  type Prepared,
  PushUnderWay,
} from './prepare';
import { Recorder } from './recorder';
import { awaitingEvent, driftEvent, reportEvent, runFailedEvent } from '../policy-events';

/** The result of a run. */
export interface RunResult {
  readonly outcome: RunOutcome;
  readonly requests: number;
}

/** How somebody requested a run. */
export interface RunOptions {
  /** Whether it reads the complete application. */
  readonly full: boolean;
  /** The commit sequence as it was before the run read anything. */
  readonly turn?: number;
  readonly isStopping?: () => boolean;
}

/** A run plans again until nothing is left to do at once, at most this many times. */
const PASSES = 3;

/** Actions in the order of their phases. Actions of one phase run at the same time. */
const PHASES = [['disable'], ['delete'], ['ensure'], ['remove_members'], ['add_members']] as const;

/** How many people each kind of action is about. */
export const countsOf = (plan: Pick<Plan, 'actions'>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { kind, people } of plan.actions) counts[kind] = (counts[kind] ?? 0) + people.length;
  return counts;
};

const driftCounts = (drift: readonly Drift[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { what } of drift) counts[what] = (counts[what] ?? 0) + 1;
  return counts;
};

/** Whether an action may be tried at a time. */
const isDueAt =
  (at: string) =>
  ({ status, nextTry }: StoredAction): boolean =>
    status === 'PLANNED' || (status === 'FAILED' && nextTry !== null && nextTry <= at);

const freshAction = (wanted: WantedAction): StoredAction => ({
  id: timeOrderedUuid(),
  status: 'PLANNED',
  attempts: 0,
  account: null,
  outcome: null,
  problem: null,
  plannedAt: '',
  nextTry: null,
  finishedAt: null,
  ...wanted,
});

/** What a person waits for becomes an action that is given up, so that everybody sees it. */
const incompleteActions = ({ desired }: Prepared): readonly WantedAction[] =>
  desired.incomplete.map(({ person, policy, code, message }) => ({
    kind: 'ensure',
    policy,
    people: [person],
    group: null,
    wanted: `${code} ${digestOf(message)}`,
    why: message,
  }));

/** One run: it holds the lease of a provider. */
class Run {
  private requests = 0;
  /** Why the application could not be read. */
  private unread: ScimFault | null = null;
  private opened: OpenedApplication | null = null;
  private readonly runId = randomUUID();
  private change: StateChange = {};
  private readonly events: EventRecord[] = [];
  /** When the run began: a policy that is set later is new to the guard of the next run. */
  private readonly began: string;

  constructor(
    private readonly dependencies: LifecycleDependencies,
    private readonly provider: Provider,
    private readonly lease: Lease,
    private readonly state: ReconcilerState,
    private readonly options: RunOptions,
  ) {
    this.began = this.at;
  }

  private get at(): string {
    return new Date(this.dependencies.provisioning.clock.now()).toISOString();
  }

  private get occasion(): Occasion {
    return { at: this.at, requestId: this.runId };
  }

  async run(): Promise<RunResult> {
    const { full, turn } = this.options;
    let outcome: RunOutcome;
    try {
      outcome = await this.passes();
      const { unread } = this;
      const staysUnread = !full && this.state.outcome === 'UNREAD' && outcome === 'DONE';
      if (staysUnread) outcome = 'UNREAD';
      else if (unread === null) {
        this.change = { ...this.change, problem: null, failures: 0, retryAt: null };
      } else {
        outcome = outcome === 'DONE' ? 'UNREAD' : outcome;
        this.noteProblem({ code: unread.code, message: unread.message });
      }
      this.change = {
        ...this.change,
        answered: this.state.asked,
        ...(full && unread === null ? { fullRunAt: this.at } : {}),
        ...(turn === undefined ? {} : { turn }),
      };
    } catch (error) {
      if (error instanceof PushUnderWay) {
        outcome = 'POSTPONED';
        this.change = { ...this.change, problem: error.message };
      } else {
        outcome = 'FAILED';
        this.fail(error);
      }
    }
    const { showsMembers } = this.state;
    if (this.opened?.members.any === true && !showsMembers) {
      this.change = { ...this.change, showsMembers: true };
    }
    await this.lease.write({
      at: this.at,
      state: { ...this.change, runAt: this.at, outcome },
      events: this.events,
    });
    return { outcome, requests: this.requests + (this.opened?.asked() ?? 0) };
  }

  private fail(error: unknown): void {
    const problem = runProblem(error);
    if (problem === null) throw error;
    this.noteProblem(problem);
  }

  /** Notes what did not work, and when it may be tried again. */
  private noteProblem(problem: { readonly code: string; readonly message: string }): void {
    const { clock } = this.dependencies.provisioning;
    const failures = this.state.failures + 1;
    const wait = this.dependencies.retries.pauseSeconds(failures) * (0.5 + clock.random() / 2);
    const retryAt = new Date(clock.now() + wait * 1000).toISOString();
    const text = `${problem.code}: ${problem.message}`;
    this.change = { ...this.change, problem: text, failures, retryAt };
    // One event reports the first of several failures in a row.
    if (failures === 1) this.events.push(runFailedEvent(this.provider, this.occasion, problem));
  }

  private async passes(): Promise<RunOutcome> {
    const { policies, provisioning } = this.dependencies;
    const all = await policies.list(this.provider.id);
    const active = all.filter(({ state }) => state === 'active');
    const looked = all.filter(({ state }) => state !== 'off');
    const orders = await this.dueOrders();
    if (looked.length === 0 && orders.length === 0) return 'DONE';
    const { showsMembers } = this.state;
    const opened = await openForRun({ provisioning }, this.provider, false, showsMembers);
    this.opened = opened;
    if (orders.length > 0) await this.send(orders, opened);
    if (looked.length === 0) return 'DONE';
    if (active.length < looked.length) await this.report(looked, opened);
    for (let pass = 1; ; pass += 1) {
      const isFull = this.options.full && pass === 1;
      const prepared = await prepare(this.dependencies, this.provider, active, opened, isFull);
      this.requests += prepared.requests;
      this.unread ??= prepared.unread;
      if (prepared.drift !== null) this.noteDrift(prepared.drift);
      if (this.isStopped(prepared)) return 'AWAITING_CONFIRMATION';
      const due = await this.record(prepared);
      if (due.length === 0 || this.options.isStopping?.() === true) return 'DONE';
      // If the application does not answer, no action has used up one of its tries.
      await opened.begin();
      await this.execute(active, prepared, opened, due);
      if (pass === PASSES) return 'DONE';
    }
  }

  /** What reviews ordered, and may be tried now. */
  private async dueOrders(): Promise<readonly StoredAction[]> {
    const { at } = this;
    const open = await this.dependencies.records.openOrders(this.provider.id);
    return open.filter(isDueAt(at));
  }

  /** Sends what reviews ordered. Somebody decided each of them, so no plan of policies holds them back. */
  private async send(orders: readonly StoredAction[], { begin }: OpenedApplication): Promise<void> {
    const managed = await this.dependencies.records.accounts(this.provider.id);
    const running = this.running([], new Map(), managed, begin);
    try {
      await begin();
      await sendOrders(running, orders, () => this.options.isStopping?.() === true);
    } finally {
      this.requests += running.spent.requests;
    }
  }

  private running(
    policies: readonly Policy[],
    desired: Running['desired'],
    managed: readonly ManagedAccount[],
    begin: Running['begin'],
  ): Running {
    const { dependencies, provider, runId, lease } = this;
    return {
      dependencies,
      provider,
      runId,
      begin,
      desired,
      recorder: new Recorder(lease),
      policies: new Map(policies.map((policy) => [policy.id, policy])),
      managed: new Map(managed.map((account) => [account.person, account])),
      spent: { requests: 0 },
    };
  }

  /** Tells what policies in report-only would do, if that has changed. */
  private async report(policies: readonly Policy[], opened: OpenedApplication): Promise<void> {
    const { plan } = await prepare(this.dependencies, this.provider, policies, opened, false, true);
    const reporting = new Set(
      policies.filter(({ state }) => state === 'report_only').map(({ id }) => id),
    );
    const theirs = plan.actions.filter(({ policy }) => reporting.has(policy));
    const digest = digestOf(theirs);
    if (digest === this.state.reportDigest) return;
    this.change = { ...this.change, reportDigest: digest };
    this.events.push(reportEvent(this.provider, this.occasion, countsOf({ actions: theirs })));
  }

  private noteDrift(drift: readonly Drift[]): void {
    const digest = digestOf(drift);
    this.change = { ...this.change, driftDigest: digest, driftCount: drift.length };
    if (drift.length === 0 || digest === this.state.driftDigest) return;
    this.events.push(driftEvent(this.provider, this.occasion, driftCounts(drift)));
  }

  private isStopped({ guarded }: Prepared): boolean {
    const { token, people, joiners } = guarded;
    if (token === null || token === this.state.confirmedToken) {
      const passedAt = this.began;
      // Changes that a reading of the application found wait for the next reading. Other changes go
      // on.
      const { waiting } = this.state;
      const isOfReading = waiting?.token.startsWith(OF_READING) === true && !this.options.full;
      this.change = {
        ...this.change,
        waiting: isOfReading ? waiting : null,
        confirmedToken: null,
        passedAt,
      };
      return false;
    }
    this.change = { ...this.change, waiting: { token, people, joiners }, confirmedToken: null };
    if (token !== this.state.waiting?.token) {
      this.events.push(awaitingEvent(this.provider, this.occasion, guarded));
    }
    return true;
  }

  /** Records the planned actions before any of them begins. Returns the actions that are due. */
  private async record(prepared: Prepared): Promise<readonly StoredAction[]> {
    const { plan, managed, observed, open } = prepared;
    const wanted = [...plan.actions, ...incompleteActions(prepared)];
    const { continued, dropped, fresh } = matched(wanted, open);
    const { at } = this;
    const planned = fresh.map((each): StoredAction => {
      const action = freshAction(each);
      const code = givenUpCode(each);
      return code === null
        ? action
        : { ...action, status: 'DEAD', problem: { code, message: each.why } };
    });
    const leaving = new Set(plan.reported);
    const back = new Set(plan.returned);
    const noted = managed.flatMap((account): readonly AccountChange[] => {
      if (leaving.has(account.person) && account.state === 'ACTIVE') {
        return [{ ...account, state: 'LEAVING', leftAt: at }];
      }
      if (back.has(account.person)) {
        return [{ ...account, state: 'ACTIVE', leftAt: null }];
      }
      return observed.has(account.person) ? [account] : [];
    });
    const written: Written = {
      at,
      planned,
      accounts: noted,
      dropped: dropped.map(({ id }) => id),
      // Somebody requested another try, and the result that it waits for has not come.
      actions: continued.flatMap(({ action }) =>
        action.status !== 'DEAD' && givenUpCode(action) !== null
          ? [[action.id, { status: 'DEAD', nextTry: null, finishedAt: at }] as const]
          : [],
      ),
      narrowed: continued.flatMap(({ action, people }) =>
        people.length === action.people.length ? [] : [{ id: action.id, people }],
      ),
    };
    await this.lease.write(written);
    const due = continued
      .map(({ action, people }) => ({ ...action, people }))
      .filter((action) => givenUpCode(action) === null)
      .filter(isDueAt(at));
    return [...due, ...planned.filter(({ status }) => status === 'PLANNED')];
  }

  private async execute(
    policies: readonly Policy[],
    { desired, managed }: Prepared,
    { begin }: OpenedApplication,
    due: readonly StoredAction[],
  ): Promise<void> {
    const running = this.running(policies, desired.accounts, managed, begin);
    try {
      for (const kinds of PHASES) {
        const now = due.filter(({ kind }) => (kinds as readonly string[]).includes(kind));
        await inLanes(
          now,
          this.dependencies.atOnce,
          ({ id, group }) => group ?? id,
          async (action) => {
            if (this.options.isStopping?.() === true) return;
            await execute(running, action);
          },
        );
      }
    } finally {
      this.requests += running.spent.requests;
    }
  }
}

/**
 * Why a complete run failed; null for a fault that is neither in the application nor in its
 * connection.
 */
const runProblem = (error: unknown): { readonly code: string; readonly message: string } | null => {
  if (error instanceof ApplicationDown) return runProblem(error.fault);
  if (error instanceof ScimFault) return { code: error.code, message: error.message };
  if (error instanceof DirectoryGone) return { code: 'NO_DIRECTORY', message: error.message };
  if (error instanceof FailedStep && isOfConnection(error.failure)) {
    return { code: 'NO_CONNECTION', message: error.failure.message };
  }
  return null;
};

const isOfConnection = ({ _tag }: Failure): boolean => _tag === 'NotFound' || _tag === 'Conflict';

/**
 * Reconciles the application of a provider with its policies. Gives null if another process does so
 * now, or if the provider is gone or switched off.
 */
export const reconcile = async (
  dependencies: LifecycleDependencies,
  providerId: string,
  options: RunOptions,
): Promise<RunResult | null> => {
  const found = await dependencies.registry.findProvider(providerId)();
  if (E.isLeft(found)) {
    if (found.left._tag === 'NotFound') return null;
    throw new FailedStep(found.left);
  }
  const provider = found.right;
  if (!provider.provisioning || provider.state === 'DELETING') return null;
  const lease = await dependencies.records.take(providerId, randomUUID());
  if (lease === null) return null;
  try {
    const state = await dependencies.records.state(providerId);
    return await new Run(dependencies, provider, lease, state, options).run();
  } catch (error) {
    if (error instanceof LeaseLost) return null;
    throw error;
  } finally {
    await lease.release().catch(() => undefined);
  }
};
