import { type Policy, policyRecord } from '../records';
import { ASK_FOR_RUN, LOCK_POLICIES, POLICIES, REMOVE_POLICY, SET_POLICY } from '../statements';
import type { Graph } from '../../../neo4j/driver';
import { LATEST, type Runner, runTransaction } from '../../../neo4j/transaction';
import { fromGraph, toGraph } from '../../../neo4j/values';
import { type EventRecord, writeEvent } from '../../../graph/records/event-record';

/** The policies of providers (docs/provisioning.md: Policies). */
export interface Policies {
  /** The policies of a provider, the eldest first. */
  list(provider: string): Promise<readonly Policy[]>;
  /**
   * Sets a policy, unless `judge` throws because of the other policies of the provider. Returns
   * null if the provider is gone.
   */
  set(
    provider: string,
    policy: Omit<Policy, 'since' | 'changed'>,
    judge: (others: readonly Policy[]) => void,
    event: EventRecord,
  ): Promise<Policy | null>;
  /** Removes a policy and releases its accounts; gives whether there was one. */
  remove(provider: string, id: string, event: EventRecord): Promise<boolean>;
}

type Stored = Readonly<Record<string, unknown>>;

const toPolicy = (stored: Stored): Policy => policyRecord.read(fromGraph(stored));

const read = async (tx: Runner, provider: string): Promise<readonly Policy[]> =>
  (await tx.run<{ policy: Stored }>(POLICIES, { provider })).records.map((record) =>
    toPolicy(record.get('policy')),
  );

/** Whatever waits for a change of the policies is looked at soon. */
const askForRun = (tx: Runner, provider: string): Promise<unknown> =>
  tx.run(ASK_FOR_RUN, { provider });

/** The policies of the graph. */
export const graphPolicies = (graph: Graph): Policies => ({
  list: (provider) => runTransaction(graph, LATEST, (tx) => read(tx, provider)),

  set: (provider, policy, judge, event) =>
    runTransaction(graph, LATEST, async (tx) => {
      if ((await tx.run(LOCK_POLICIES, { provider })).records.length === 0) return null;
      judge((await read(tx, provider)).filter(({ id }) => id !== policy.id));
      const { records } = await tx.run<{ policy: Stored }>(SET_POLICY, {
        id: policy.id,
        at: event.timestamp,
        set: toGraph({ ...policyRecord.stored(policy), provider }),
      });
      await askForRun(tx, provider);
      await writeEvent(tx, event);
      const [record] = records;
      return record === undefined ? null : toPolicy(record.get('policy'));
    }),

  remove: (provider, id, event) =>
    runTransaction(graph, LATEST, async (tx) => {
      const parameters = { provider, id, at: event.timestamp };
      if ((await tx.run(REMOVE_POLICY, parameters)).records.length === 0) return false;
      await askForRun(tx, provider);
      await writeEvent(tx, event);
      return true;
    }),
});
