import { ask } from '../../src/neo4j/ask';
import type { Clock } from '../../src/scim/client/requests/exchange';
import { httpTransport } from '../../src/scim/client/requests/transport';
import type { LifecycleDependencies } from '../../src/scim/policies/dependencies';
import { timedPolicies } from '../../src/scim/policies/running/due-policies';
import { Timetable } from '../../src/scim/timetable';
import { allowing, TOKEN } from '../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../scim/misbehaving-server';
import { quickClock } from '../support/quick-clock';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const PROVIDERS = '/api/v1/providers/custom';

type Json = Readonly<Record<string, unknown>>;

/** A user of the directory. */
export interface User {
  readonly name: string;
  readonly identity: string;
  readonly email: string;
  readonly [more: string]: unknown;
}

/** What the directory holds. */
export interface Directory {
  readonly users: readonly User[];
  readonly groups?: readonly Json[];
}

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
}

/** A service, a directory and an application with a connection. */
export interface PolicyStage {
  readonly service: ServiceUnderTest;
  readonly provider: string;
  /** The path of the policies. */
  readonly path: string;
  /** The id of the directory's data source. */
  readonly source: string;
  /** Finds all people of the directory. */
  readonly everybody: { readonly filter: string; readonly in: readonly string[] };
  push(directory: Directory): Promise<void>;
  /** The key of a user's node. */
  keyOf(name: string): Promise<string>;
  policy(more: Json): Promise<Answer>;
  send(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: unknown): Promise<Answer>;
  /** Runs the policies, and gives their state. */
  run(full?: boolean): Promise<Json>;
  /** Looks what is due, as the background does each second. */
  round(): Promise<void>;
  plan(full?: boolean): Promise<Json>;
  events(): Promise<readonly string[]>;
  /** Goes on by some seconds. */
  later(seconds: number): Promise<void>;
}

let names = 0;

/** Makes a user. */
export const user = (name: string, more: Json = {}): User => ({
  name,
  identity: `p-${name}`,
  email: `${name}@halden.example`,
  full_name: `${name} Berg`,
  ...more,
});

/** Gives an application two groups with nobody in them, and another one with a member. */
export const addGroups = ({ groups }: Pick<MisbehavingServer, 'groups'>): void => {
  groups.set('w', { id: 'w', displayName: 'Writers', members: [] });
  groups.set('a', { id: 'a', displayName: 'Admins', members: [] });
  groups.set('o', { id: 'o', displayName: 'Others', members: [{ value: 'somebody' }] });
};

/** A service whose policies may call an application at an address. */
export const policyService = (
  base: string,
  lifecycle: Partial<LifecycleDependencies> = {},
  clock: Clock = quickClock(),
): Promise<ServiceUnderTest> => {
  const allowed = allowing(Number(new URL(base).port));
  const transport = httpTransport(allowed, { mostBytes: 16e6 });
  return serviceUnderTest({}, { provisioning: { allowed, clock, transport }, lifecycle });
};

/** A provider whose application is at an address, with nothing pushed. */
export const policyStage = async (
  service: ServiceUnderTest,
  base: string,
  attributes: Json = {},
): Promise<PolicyStage> => {
  const answered = async (asked: PromiseLike<Answer>): Promise<Json> => {
    const { status, text, body } = await asked;
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body;
  };
  const directory = await service.register();
  names += 1;
  const made = await answered(
    service.post(PROVIDERS, {
      name: `Application ${names}`,
      custom_template: 'application',
      provisioning: true,
      external_lifecycle_management_type: 'SCIM',
    }),
  );
  const { id: provider } = made.value as { id: string };
  const connection = {
    base_url: base,
    authentication: { type: 'bearer', token: TOKEN },
    attributes,
  };
  await answered(service.send('put', `${PROVIDERS}/${provider}/scim`, connection));
  const path = `${PROVIDERS}/${provider}/policies`;
  const timetable = new Timetable(timedPolicies(service.lifecycle, service.context.log));
  return {
    service,
    provider,
    path,
    source: directory.data_source_id,
    everybody: { filter: 'name pr', in: [directory.data_source_id] },
    push: async ({ users, groups = [] }) => {
      const json_data = JSON.stringify({
        name: 'Directory',
        idp_type: 'test',
        domains: [{ name: 'halden.example' }],
        users,
        groups,
      });
      await answered(service.post(directory.path, { ...directory, json_data }));
    },
    keyOf: async (name) => {
      const [row] = await ask(
        service.graph,
        'MATCH (u:IdpUser {name: $name}) WHERE u.key STARTS WITH $source RETURN u.key AS key',
        { name, source: directory.data_source_id },
      );
      return String(row?.key);
    },
    policy: async (more) =>
      service.post(path, { name: `Policy ${(names += 1)}`, state: 'active', ...more }),
    send: async (method, to, body) => service.send(method, to, body),
    run: async (full = false) =>
      (await answered(service.post(`${path}:run?full=${full}`, undefined))).value as Json,
    round: async () => {
      await timetable.round(() => false);
      await timetable.settled();
    },
    plan: async (full = false) =>
      (await answered(service.post(`${path}:plan?full=${full}`, undefined))).value as Json,
    events: async () => {
      const rows = await ask(
        service.graph,
        'MATCH (e:Event {entity_id: $provider}) RETURN e.event_type AS type ORDER BY e.key',
        { provider },
      );
      return rows.map(({ type }) => String(type));
    },
    later: (seconds) => service.lifecycle.provisioning.clock.sleep(seconds * 1000),
  };
};

/** A service with an application that policies call. Stages share both. */
export interface PolicyWorld {
  readonly application: MisbehavingServer;
  readonly service: ServiceUnderTest;
  /** A new stage, for which the application begins again with its groups alone. */
  stage(): Promise<PolicyStage>;
  close(): Promise<void>;
}

/** Starts a service, and an application that policies call. */
export const policyWorld = async (clock?: Clock): Promise<PolicyWorld> => {
  const application = await misbehavingServer();
  const service = await policyService(application.base, {}, clock);
  return {
    application,
    service,
    stage: () => {
      application.reset();
      addGroups(application);
      return policyStage(service, application.base);
    },
    close: async () => {
      await service.close();
      await application.close();
    },
  };
};
