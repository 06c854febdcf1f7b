import neo4j from 'neo4j-driver';

import type { Policy } from '../../../contract/answers/provisioning/lifecycle';
import { ASK_FOR_RUN, LOCK_POLICIES, POLICIES, REMOVE_POLICY, SET_POLICY } from '../statements';
import type { Graph } from '../../../neo4j/driver';
import { LATEST, type Runner, runTransaction } from '../../../neo4j/transaction';
import { fromGraph, utcOf } from '../../../neo4j/values';
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

const toPolicy = (stored: Stored): Policy => {
  const values = fromGraph(stored) as Readonly<Record<string, unknown>>;
  const { id, name, state, who, groups, attributes, drift, adopt } = values;
  return {
    id: String(id),
    name: String(name),
    state: state as Policy['state'],
    who: JSON.parse(String(who)) as Policy['who'],
    groups: JSON.parse(String(groups)) as Policy['groups'],
    attributes: JSON.parse(String(attributes)) as Policy['attributes'],
    leavers: {
      action: values.leavers_action as Policy['leavers']['action'],
      after_days: Number(values.leavers_after_days),
    },
    guard: { share: Number(values.guard_share), number: Number(values.guard_number) },
    drift: drift as Policy['drift'],
    adopt: adopt === true,
    found: Number(values.found),
    since: utcOf(values.since) ?? '',
    changed: utcOf(values.changed) ?? '',
  };
};

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
      const { id, name, state, who, groups, attributes, leavers, guard, drift } = policy;
      const { adopt, found } = policy;
      const { records } = await tx.run<{ policy: Stored }>(SET_POLICY, {
        id,
        at: event.timestamp,
        set: {
          ...{ id, name, provider, state, drift, adopt },
          found: neo4j.int(found),
          who: JSON.stringify(who),
          groups: JSON.stringify(groups),
          attributes: JSON.stringify(attributes),
          leavers_action: leavers.action,
          leavers_after_days: leavers.after_days,
          guard_share: guard.share,
          guard_number: guard.number,
        },
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
