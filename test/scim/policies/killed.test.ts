/** @more restarts */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Unreachable } from '../../../src/client/client';
import type { LifecycleStatus } from '../../../src/scim/policies/endpoints';
import { type ServiceProcess, startServiceProcess } from '../../connectors/service-process';
import { Random } from '../../hardening/random';
import { addGroups } from '../../http/policy-stage';
import { TOKEN } from '../acting';
import { type MisbehavingServer, misbehavingServer } from '../misbehaving-server';
import { clearGraph, testDriver, testNeo4j } from '../../support/neo4j';
import { sized } from '../../support/test-size';
import {
  type Directory,
  drawnDirectory,
  expectedOf,
  foundIn,
  policyGroups,
  pushedOf,
} from './drawn-directory';
import { failingApplication, losing, noFailures } from './failing-application';

const SEED = Number(process.env.PROPERTY_SEED ?? 7);
const KILLS = sized(2, 60);
/** The most requests of a run before it ends the process. */
const REQUESTS = 25;
const PROVIDERS = '/api/v1/providers/custom';

const driver = testDriver();
const SECRETS_KEY = randomBytes(32).toString('base64');

let server: MisbehavingServer;
let service: ServiceProcess;

const start = async (): Promise<void> => {
  service = await startServiceProcess({
    TLS: '',
    SECRETS_KEY,
    SCIM_HOSTS: `http://127.0.0.1:${server.port}`,
    SCIM_NETWORKS: '127.0.0.1',
  });
};
const client = (): Client => new Client({ url: service.address, key: service.apiKey, attempts: 1 });

beforeAll(async () => {
  await clearGraph(driver);
  server = await misbehavingServer();
  await start();
});
afterAll(async () => {
  await service.stop();
  await server.close();
  await driver.close();
});

interface Made {
  readonly value: { readonly id: string };
}

const idOf = ({ value }: Made): string => value.id;

/** The lease of a process that is gone lasts some minutes; here they have passed. */
const endLease = () =>
  driver.executeQuery(
    'MATCH (state:LifecycleState) SET state.held_until = datetime.realtime()',
    {},
    { database: testNeo4j().database },
  );

/** Runs policies until nothing is left to do. */
const settle = async (path: string): Promise<void> => {
  for (;;) {
    await client().post(`${path}:retry`);
    const { value } = await client().post<{ readonly value: LifecycleStatus }>(`${path}:run`);
    const isOpen = ['PLANNED', 'FAILED', 'DEAD'].some((one) => (value.actions[one] ?? 0) > 0);
    if (!value.running && value.outcome === 'DONE' && !isOpen) return;
    await sleep(100);
  }
};

test(
  `a service that is killed ${KILLS} times ends with what the policy says, and does nothing twice`,
  async () => {
    const random = new Random(SEED);
    const directory = await client()
      .post<Made>(PROVIDERS, { name: 'Directory', custom_template: 'identity_provider' })
      .then(idOf);
    const source = await client()
      .post<Made>(`${PROVIDERS}/${directory}/datasources`, {
        id: directory,
        name: 'halden.example',
      })
      .then(idOf);
    const push = (model: Directory) => {
      const payload = {
        name: 'Directory',
        idp_type: 'test',
        domains: [{ name: 'halden.example' }],
        ...pushedOf(model),
      };
      return client().post(`${PROVIDERS}/${directory}/datasources/${source}:push`, {
        id: directory,
        data_source_id: source,
        json_data: JSON.stringify(payload),
      });
    };
    await push(new Map());

    server.reset();
    addGroups(server);
    const application = await client()
      .post<Made>(PROVIDERS, {
        name: 'Application',
        custom_template: 'application',
        provisioning: true,
        external_lifecycle_management_type: 'SCIM',
      })
      .then(idOf);
    const path = `${PROVIDERS}/${application}/policies`;
    await client().put(`${PROVIDERS}/${application}/scim`, {
      base_url: server.base,
      authentication: { type: 'bearer', token: TOKEN },
    });
    await client().post(path, {
      name: 'Everybody',
      state: 'active',
      guard: { share: 1, number: 1000 },
      who: [{ filter: 'name ne "nobody"', in: [source] }],
      groups: policyGroups(source),
    });

    const watching = failingApplication(server, random, 0, noFailures());
    const known = new Set<string>();
    const counts = { before: 0, after: 0, 'ended first': 0 };
    const kills = (): number => counts.before + counts.after;
    while (kills() < KILLS) {
      const isEffected = kills() % 2 === 1;
      let left = random.below(REQUESTS);
      let killed: Promise<void> | undefined;
      server.misdeed = (got, res, next) => {
        left -= 1;
        if (left >= 0 && killed === undefined) return watching.misdeed(got, res, next);
        const kill = (): void => {
          killed ??= service.kill().then(() => void res.destroy());
        };
        // What the process had sent has its effect, although nobody hears the answer.
        if (isEffected) return losing(res, () => watching.misdeed(got, res, next), kill);
        kill();
      };
      const model = drawnDirectory(random);
      // The process may end while it answers.
      const cut = (error: unknown): void => {
        if (!(error instanceof Unreachable)) throw error;
      };
      await push(model).catch(cut);
      if (killed === undefined) await client().post(`${path}:run`).catch(cut);
      if (killed === undefined) counts['ended first'] += 1;
      else {
        await killed;
        counts[isEffected ? 'after' : 'before'] += 1;
      }
      server.misdeed = watching.misdeed;
      if (killed !== undefined) {
        await endLease();
        await start();
        await push(model);
      }
      await settle(path);
      for (const { externalId } of server.users.values()) known.add(String(externalId).slice(2));
      const where = `after ${JSON.stringify(counts)} of seed ${SEED}`;
      expect([where, foundIn(server)]).toEqual([where, expectedOf(model, known)]);
      expect([where, watching.twice]).toEqual([where, []]);
      const written = server.writes().length;
      await client().post(`${path}:run`, {}, { parameters: { full: true } });
      expect([where, server.writes().slice(written)]).toEqual([where, []]);
    }
    process.stdout.write(
      `kills of the service before and after the effect of a request: ${JSON.stringify(counts)}\n`,
    );
  },
  sized(600_000, 3_600_000),
);
