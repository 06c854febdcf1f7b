import neo4j from 'neo4j-driver';

import {
  ASK_FOR_RUN,
  COMMITS_SINCE,
  COUNT_LIFECYCLE,
  IS_ACTION_DUE,
  LIFECYCLE_PROVIDERS,
  LIST_ACTIONS,
  MANAGED_ACCOUNTS,
  OPEN_ACTIONS,
  OPEN_ORDERS,
  READ_ORDERS,
  READ_PAUSE,
  READ_STATE,
  RETRY_ACTIONS,
} from '../statements';
import type { Graph } from '../../../neo4j/driver';
import { LATEST, runTransaction } from '../../../neo4j/transaction';
import { type EventRecord, writeEvent } from '../../../graph/records/event-record';
import { type Lease, takeLease, writeState } from './lease';
import type { ManagedAccount, StoredAction, ReconcilerState } from './records';
import { toAction, toManaged, toState } from './stored';

/** A provider with policies that count. */
export interface Reconciled {
  readonly provider: string;
  readonly state: ReconcilerState;
  /** The commit sequence. */
  readonly turns: number;
}

/** Which actions to list. */
export interface WantedActions {
  readonly status: string | null;
  readonly policy: string | null;
  readonly size: number;
  /** The id after which the page begins. */
  readonly after: string | null;
}

/** What policies have done, as the graph records it. */
export interface LifecycleRecords {
  /** Takes the lease of a provider; null if another process holds it. */
  take(provider: string, holder: string): Promise<Lease | null>;
  state(provider: string): Promise<ReconcilerState>;
  /** Whether policies wait since a restore. */
  isPaused(): Promise<boolean>;
  /** Notes up to which commit nothing concerned people. */
  setTurn(provider: string, turn: number): Promise<void>;
  /** Asks for a run; a confirmation lets a plan pass the guard. */
  ask(
    provider: string,
    confirmed: { readonly token: string; readonly event: EventRecord } | null,
  ): Promise<void>;
  accounts(provider: string): Promise<readonly ManagedAccount[]>;
  openActions(provider: string): Promise<readonly StoredAction[]>;
  /** What reviews ordered, and is neither done nor given up. */
  openOrders(provider: string): Promise<readonly StoredAction[]>;
  isOpenOrder(id: string): Promise<boolean>;
  /** A page of actions, the newest first, with one more than requested if there are more. */
  listActions(provider: string, wanted: WantedActions): Promise<readonly StoredAction[]>;
  /** Lets actions be tried again; null: all that are given up. Gives how many. */
  retry(provider: string, actions: readonly string[] | null, event: EventRecord): Promise<number>;
  counts(provider: string): Promise<{
    readonly accounts: Readonly<Record<string, number>>;
    readonly actions: Readonly<Record<string, number>>;
  }>;
  /** Providers with policies that count. */
  providers(): Promise<readonly Reconciled[]>;
  /** Whether actions or deletions are due. `now` is in RFC 3339. */
  isActionDue(provider: string, now: string): Promise<boolean>;
  /** Whether a push after a place in the commit sequence can concern people. */
  changedPeopleSince(turn: number, turns: number): Promise<boolean>;
}

type Stored = Readonly<Record<string, unknown>>;

/** The records of the graph. A lease lasts some seconds after each thing that its holder writes. */
export const graphLifecycleRecords = (graph: Graph, leaseSeconds: number): LifecycleRecords => ({
  take: (provider, holder) => takeLease(graph, provider, holder, leaseSeconds),

  state: (provider) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ state: Stored; is_held: boolean }>(READ_STATE, {
        provider,
      });
      const [record] = records;
      return toState(record?.get('state') ?? null, record?.get('is_held') === true);
    }),

  isPaused: () =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ is_paused: boolean }>(READ_PAUSE);
      return records[0]?.get('is_paused') === true;
    }),

  setTurn: (provider, turn) =>
    runTransaction(graph, LATEST, (tx) => writeState(tx, provider, { turn })),

  ask: (provider, confirmed) =>
    runTransaction(graph, LATEST, async (tx) => {
      await tx.run(ASK_FOR_RUN, { provider });
      if (confirmed === null) return;
      await writeState(tx, provider, { confirmedToken: confirmed.token });
      await writeEvent(tx, confirmed.event);
    }),

  accounts: (provider) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ account: readonly unknown[] }>(MANAGED_ACCOUNTS, {
        provider,
      });
      return records.map((record) => toManaged(record.get('account')));
    }),

  openActions: (provider) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ action: Stored }>(OPEN_ACTIONS, { provider });
      return records.map((record) => toAction(record.get('action')));
    }),

  openOrders: (provider) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ action: Stored }>(OPEN_ORDERS, { provider });
      return records.map((record) => toAction(record.get('action')));
    }),

  isOpenOrder: (id) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ action: Stored }>(READ_ORDERS, { keys: [[id]] });
      return records.some((record) =>
        ['PLANNED', 'FAILED'].includes(toAction(record.get('action')).status),
      );
    }),

  listActions: (provider, { status, policy, size, after }) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ action: Stored }>(LIST_ACTIONS, {
        provider,
        status,
        policy,
        after,
        most: neo4j.int(size + 1),
      });
      return records.map((record) => toAction(record.get('action')));
    }),

  retry: (provider, actions, event) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ retried: unknown }>(RETRY_ACTIONS, { provider, actions });
      const retried = Number(records[0]?.get('retried') ?? 0);
      if (retried > 0) {
        await tx.run(ASK_FOR_RUN, { provider });
        await writeEvent(tx, event);
      }
      return retried;
    }),

  counts: (provider) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ kind: string; state: string; number: unknown }>(
        COUNT_LIFECYCLE,
        { provider },
      );
      const of = (kind: string): Readonly<Record<string, number>> =>
        Object.fromEntries(
          records
            .filter((record) => record.get('kind') === kind)
            .map((record) => [record.get('state'), Number(record.get('number'))]),
        );
      return { accounts: of('account'), actions: of('action') };
    }),

  providers: () =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{
        id: string;
        state: Stored | null;
        turns: unknown;
        is_held: boolean;
      }>(LIFECYCLE_PROVIDERS);
      return records.map((record) => ({
        provider: record.get('id'),
        state: toState(record.get('state'), record.get('is_held')),
        turns: Number(record.get('turns')),
      }));
    }),

  isActionDue: (provider, now) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ is_due: boolean }>(IS_ACTION_DUE, { provider, now });
      return records[0]?.get('is_due') === true;
    }),

  changedPeopleSince: (turn, turns) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ pushes: unknown; of_people: unknown }>(COMMITS_SINCE, {
        turn: neo4j.int(turn),
      });
      const [pushes, ofPeople] = ['pushes', 'of_people'].map((name) =>
        Number(records[0]?.get(name as 'pushes') ?? 0),
      ) as [number, number];
      // What was no push may be a deletion, a repair or an erasure of people.
      return ofPeople > 0 || pushes < turns - Math.max(turn, 0);
    }),
});
