import {
  DROP_ACTIONS,
  HOLD_LEASE,
  NARROW_ACTIONS,
  PLAN_ACTIONS,
  RELEASE_LEASE,
  SAVE_ACCOUNTS,
  SET_ACTIONS,
  SET_STATE,
  TAKE_LEASE,
} from '../statements';
import type { Graph } from '../../../neo4j/driver';
import { Pipeline } from '../../../neo4j/pipeline';
import { LATEST, type Runner, runTransaction } from '../../../neo4j/transaction';
import { type EventRecord, writeEvent } from '../../../graph/records/event-record';
import type { ManagedAccount, ReconcilerState, StoredAction, RunOutcome } from './records';

/** Another process reconciles the provider now, or the provider is gone. */
export class LeaseLost extends Error {
  constructor() {
    super('another process has taken over the application of the provider');
  }
}

/** What is written of an action. `null` removes a value. */
export interface ActionChange {
  readonly status?: StoredAction['status'];
  readonly attempts?: number;
  readonly account?: string | null;
  readonly people?: readonly string[];
  readonly outcome?: string | null;
  readonly problem?: { readonly code: string; readonly message: string } | null;
  readonly startedAt?: string;
  readonly nextTry?: string | null;
  readonly finishedAt?: string | null;
}

/** What is written of a record of an account. */
export type AccountChange = Omit<ManagedAccount, 'since'> & {
  /** Unset: it stays as it is. */
  readonly until?: string | null;
};

/** What is written of the state of a provider. */
export interface StateChange {
  readonly turn?: number;
  readonly answered?: number;
  readonly runAt?: string;
  readonly fullRunAt?: string;
  readonly outcome?: RunOutcome;
  readonly problem?: string | null;
  readonly failures?: number;
  readonly retryAt?: string | null;
  readonly waiting?: ReconcilerState['waiting'];
  readonly passedAt?: string;
  readonly confirmedToken?: string | null;
  readonly reportDigest?: string;
  readonly driftDigest?: string;
  readonly driftCount?: number;
  readonly showsMembers?: boolean;
}

/** What one transaction of a run writes. */
export interface Written {
  readonly planned?: readonly StoredAction[];
  readonly dropped?: readonly string[];
  readonly narrowed?: readonly { readonly id: string; readonly people: readonly string[] }[];
  readonly actions?: readonly (readonly [id: string, change: ActionChange])[];
  readonly accounts?: readonly AccountChange[];
  readonly state?: StateChange;
  readonly events?: readonly EventRecord[];
  /** RFC 3339. */
  readonly at: string;
}

/**
 * The right to reconcile a provider. Only the run that holds it writes, so a run that lost it unnoticed
 * writes nothing more (docs/architecture.md: Locks).
 */
export interface Lease {
  /** Writes, and prolongs the lease. Rejects with `LeaseLost`. */
  write(written: Written): Promise<void>;
  /** Gives it back. */
  release(): Promise<void>;
}

/** Sets values; those that are unset stay as they are, and `null` removes one. */
const given = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const problemOf = (problem: ActionChange['problem']): Readonly<Record<string, unknown>> =>
  problem === undefined
    ? {}
    : { problem_code: problem?.code ?? null, problem: problem?.message ?? null };

const stateOf = (change: StateChange) => ({
  set: given({
    turn: change.turn,
    answered: change.answered,
    outcome: change.outcome,
    problem: change.problem,
    failures: change.failures,
    ...(change.waiting === undefined
      ? {}
      : {
          waiting_token: change.waiting?.token ?? null,
          waiting_people: change.waiting?.people ?? null,
          waiting_joiners: change.waiting?.joiners ?? null,
        }),
    confirmed_token: change.confirmedToken,
    report_digest: change.reportDigest,
    drift_digest: change.driftDigest,
    drift_count: change.driftCount,
    shows_members: change.showsMembers,
  }),
  times: given({
    run_at: change.runAt,
    full_run_at: change.fullRunAt,
    retry_at: change.retryAt,
    passed_at: change.passedAt,
  }),
});

/** Writes the state of a provider outside a run. */
export const writeState = async (
  tx: Runner,
  provider: string,
  change: StateChange,
): Promise<void> => {
  await tx.run(SET_STATE, { provider, ...stateOf(change) });
};

const changeRow = (id: string, change: ActionChange) => {
  const { status, attempts, account, people, outcome, problem } = change;
  return {
    id,
    set: given({
      status,
      attempts,
      account,
      people,
      outcome,
      ...problemOf(problem),
    }),
    times: given({
      started_at: change.startedAt,
      next_try: change.nextTry,
      finished_at: change.finishedAt,
    }),
  };
};

const accountRow = (provider: string, account: AccountChange) => ({
  key: `${provider}|${account.person}`,
  set: {
    provider,
    policy: account.policy,
    person: account.person,
    account: account.account,
    former: account.former,
    user_name: account.userName,
    external_id: account.externalId,
    digest: account.digest,
    ignored: account.ignored,
    ignored_values: account.ignoredValues,
    groups: account.groups,
    unsure_groups: account.unsureGroups,
    is_adopted: account.isAdopted,
    is_creating: account.isCreating ? true : null,
    state: account.state,
  },
  times: given({
    left_at: account.leftAt,
    delete_at: account.deleteAt,
    until: account.until,
  }),
});

const actionRow = (provider: string, action: StoredAction) => ({
  id: action.id,
  provider,
  policy: action.policy,
  kind: action.kind,
  people: action.people,
  group: action.group,
  wanted: action.wanted,
  why: action.why,
  status: action.status,
  ...problemOf(action.problem),
});

/** Takes the lease of a provider for some seconds; null if another process holds it. */
export const takeLease = async (
  graph: Graph,
  provider: string,
  holder: string,
  seconds: number,
): Promise<Lease | null> => {
  const isTaken = await runTransaction(graph, LATEST, async (tx) => {
    const { records } = await tx.run(TAKE_LEASE, { provider, holder, seconds });
    return records.length > 0;
  });
  if (!isTaken) return null;
  return {
    write: ({ planned, dropped, narrowed, actions, accounts, state, events, at }) =>
      runTransaction(graph, LATEST, async (tx) => {
        const { records } = await tx.run(HOLD_LEASE, { provider, holder, seconds });
        if (records.length === 0) throw new LeaseLost();
        const pipeline = new Pipeline(tx);
        await pipeline.send(DROP_ACTIONS, 'keys', dropped ?? [], { at });
        await pipeline.send(NARROW_ACTIONS, 'rows', narrowed ?? []);
        const rows = (planned ?? []).map((action) => actionRow(provider, action));
        await pipeline.send(PLAN_ACTIONS, 'rows', rows, { at });
        const changed = (accounts ?? []).map((account) => accountRow(provider, account));
        await pipeline.send(SAVE_ACCOUNTS, 'rows', changed, { at });
        const marked = (actions ?? []).map(([id, change]) => changeRow(id, change));
        await pipeline.send(SET_ACTIONS, 'rows', marked);
        await pipeline.drain();
        if (state !== undefined) await writeState(tx, provider, state);
        for (const event of events ?? []) await writeEvent(tx, event);
      }),

    release: () =>
      runTransaction(graph, LATEST, async (tx) => {
        await tx.run(RELEASE_LEASE, { provider, holder });
      }),
  };
};
