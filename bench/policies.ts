import { setTimeout as sleep } from 'node:timers/promises';

import { Connector } from './connector';
import { load, machine, memory, peakMemory } from './machine';
import type { ScimApplication } from './scim-application';
import type { ServiceProcess } from './service-process';

const PEOPLE = 10_000;
const GROUPS = 1_000;
/** In how many groups each of them is. */
const GROUPS_OF_EACH = 3;
const CHANGED = 10;

type Say = (text: string) => void;

/** The settings of a service that may call the application. */
export const policySettings = ({ port }: ScimApplication): Record<string, string> => ({
  SCIM_HOSTS: `http://127.0.0.1:${port}`,
  SCIM_NETWORKS: '127.0.0.1',
});

const directory = (changed: number): string =>
  JSON.stringify({
    name: 'Directory',
    idp_type: 'bench',
    domains: [{ name: 'bench.example' }],
    groups: Array.from({ length: GROUPS }, (_, at) => ({
      name: `team ${at}`,
      identity: `t-${at}`,
    })),
    users: Array.from({ length: PEOPLE }, (_, at) => ({
      name: `user ${at}`,
      identity: `p-${at}`,
      email: `user.${at}@bench.example`,
      full_name: at < changed ? `Person ${at} Changed` : `Person ${at}`,
      groups: Array.from({ length: GROUPS_OF_EACH }, (__, turn) => ({
        identity: `t-${(at * GROUPS_OF_EACH + turn) % GROUPS}`,
      })),
    })),
  });

interface Status {
  readonly running: boolean;
  readonly outcome: string | null;
  readonly problem: string | null;
  readonly actions: Readonly<Record<string, number>>;
}

/**
 * Times how a policy gives 10,000 people accounts, and puts them into 1,000 groups; then what a change
 * of ten people costs.
 */
export const measurePolicies = async (
  { service }: { readonly service: ServiceProcess },
  application: ScimApplication,
  say: Say,
): Promise<void> => {
  const connector = new Connector(service);
  const ask = async <A>(method: string, path: string, body?: object): Promise<A> => {
    const answer = await fetch(`${service.address}/api/v1/providers/custom${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { readonly value: A }).value;
  };
  const { processors, node } = machine();
  say(`${processors} processors, Node ${node}, load ${load()}`);
  const source = await connector.register('Directory', 'identity_provider');
  const push = async (changed: number): Promise<void> => {
    const path = `/${source.provider}/datasources/${source.id}:push`;
    const ids = { id: source.provider, data_source_id: source.id };
    await ask('POST', path, { ...ids, json_data: directory(changed) });
  };
  await push(0);
  for (let at = 0; at < GROUPS; at += 1) application.addGroup(`team ${at}`);
  const { id } = await ask<{ readonly id: string }>('POST', '', {
    name: 'Application',
    custom_template: 'application',
    provisioning: true,
    external_lifecycle_management_type: 'SCIM',
  });
  await ask('PUT', `/${id}/scim`, {
    base_url: `http://127.0.0.1:${application.port}/scim`,
    authentication: { type: 'bearer', token: 'bench-token' },
  });
  const status = (): Promise<Status> => ask<Status>('GET', `/${id}/policies:status`);
  /** Waits until so many actions are done, and nothing is open. */
  const settled = async (isDone: (status: Status) => boolean): Promise<void> => {
    for (;;) {
      const now = await status();
      if (now.outcome === 'FAILED') throw new Error(now.problem ?? 'the run failed');
      const { PLANNED = 0, FAILED = 0 } = now.actions;
      if (!now.running && PLANNED + FAILED === 0 && isDone(now)) return;
      await sleep(100);
    }
  };
  const doneNow = async (): Promise<number> => (await status()).actions.DONE ?? 0;
  const tell = async (what: string, since: number): Promise<void> => {
    const counts = application.takeCounts();
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    say(
      `${what}: ${((performance.now() - since) / 1000).toFixed(1)} s, ${all} requests ${JSON.stringify(counts)}, ` +
        `memory ${(await memory(service.pid)) ?? '?'} MiB, peak ${(await peakMemory(service.pid)) ?? '?'} MiB`,
    );
  };

  const policy = {
    name: 'Everybody',
    state: 'active',
    who: [{ filter: 'identity sw "p-"', in: [source.id] }],
    groups: Array.from({ length: GROUPS }, (_, at) => ({
      name: `team ${at}`,
      who: { group: `team ${at}`, in: [source.id] },
    })),
  };
  application.takeCounts();
  let began = performance.now();
  await ask('POST', `/${id}/policies`, policy);
  await settled(() => application.memberships() >= PEOPLE * GROUPS_OF_EACH);
  await tell(`${application.accounts()} accounts, ${application.memberships()} memberships`, began);

  const before = await doneNow();
  began = performance.now();
  await push(CHANGED);
  await settled(({ actions }) => (actions.DONE ?? 0) >= before + CHANGED);
  await tell(`A change of ${CHANGED} people, with its push`, began);

  began = performance.now();
  await ask('POST', `/${id}/policies:run?full=true`);
  await settled(() => true);
  await tell('A run that reads the application, and finds nothing', began);
  say(`load ${load()}`);
};
