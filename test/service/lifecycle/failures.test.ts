import { ask } from '../../../src/graph/connection/ask';
import {
  graphLifecycleRecords,
  type LifecycleRecords,
} from '../../../src/graph/lifecycle/lifecycle-records';
import { LIMITS } from '../../../src/scim/exchange';
import { httpTransport, type Transport } from '../../../src/scim/transport';
import type { LifecycleDependencies } from '../../../src/service/lifecycle/dependencies';
import { reconcile } from '../../../src/service/lifecycle/reconcile';
import { type PolicyStage, policyStage, type User, user } from '../../http/policy-stage';
import { type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { Random } from '../../hardening/random';
import { allowing } from '../../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../../scim/misbehaving-server';
import { quickClock } from '../../support/quick-clock';
import { sized } from '../../support/test-size';
import { failingApplication, noFailures, REQUEST_SECONDS } from './failing-application';

const SEED = Number(process.env.PROPERTY_SEED ?? 4);
const SEQUENCES = sized(5, 200);
const STEPS = 5;
const NAMES = ['ann', 'bob', 'carl', 'dora', 'emil'];
const EDITORS = 'editors';

let server: MisbehavingServer;
let service: ServiceUnderTest;
let transport: Transport;

beforeAll(async () => {
  server = await misbehavingServer();
  const allowed = allowing(server.port);
  transport = httpTransport(allowed, { mostBytes: 1e6 });
  const limits = { ...LIMITS, requestSeconds: REQUEST_SECONDS };
  service = await serviceUnderTest(
    {},
    { provisioning: { allowed, transport, clock: quickClock(), limits } },
  );
});
afterAll(async () => {
  await service.close();
  await server.close();
});

/** The process has ended: nothing that it had in hand goes on. */
class Killed extends Error {}

/** A reconciler that ends like a killed process after some requests: it writes nothing more. */
const mortal = (after: number): LifecycleDependencies => {
  let left = after;
  const alive = (): void => {
    if (left <= 0) throw new Killed();
  };
  const records: LifecycleRecords = {
    ...graphLifecycleRecords(service.graph, 0.2),
    take: async (provider, holder) => {
      const lease = await graphLifecycleRecords(service.graph, 0.2).take(provider, holder);
      if (lease === null) return null;
      return {
        write: async (written) => {
          alive();
          await lease.write(written);
        },
        release: async () => {
          alive();
          await lease.release();
        },
      };
    },
  };
  const { lifecycle } = service;
  return {
    ...lifecycle,
    records,
    provisioning: {
      ...lifecycle.provisioning,
      transport: async (request) => {
        left -= 1;
        const answer = await transport(request);
        alive();
        return answer;
      },
    },
  };
};

/** Who is in the directory, and how. */
type Model = ReadonlyMap<string, { readonly user: User; readonly isEditor: boolean }>;

const drawn = (random: Random): Model =>
  new Map(
    NAMES.filter(() => random.happens(0.7)).map((name) => {
      const isEditor = random.happens(0.5);
      const more = {
        full_name: `${name} ${random.pick(['Berg', 'Holm', 'Lund'])}`,
        is_active: random.happens(0.85),
        ...(isEditor ? { groups: [{ identity: 'g-1' }] } : {}),
      };
      return [name, { user: user(name, more), isEditor }] as const;
    }),
  );

/** What the application shall hold, in the words of the tests. */
const expectedOf = (model: Model, known: ReadonlySet<string>) => {
  const active = [...model.values()].filter((one) => one.user.is_active !== false);
  return {
    accounts: Object.fromEntries([
      ...[...known].map((name) => [`p-${name}`, false] as const),
      ...active.map((one) => [one.user.identity, one.user.full_name] as const),
    ]),
    writers: active.map((one) => one.user.identity).sort(),
    admins: active
      .filter(({ isEditor }) => isEditor)
      .map((one) => one.user.identity)
      .sort(),
  };
};

const foundIn = () => {
  const members = (group: string): readonly string[] =>
    ((server.groups.get(group)?.members ?? []) as { readonly value: string }[])
      .map(({ value }) => String(server.users.get(value)?.externalId))
      .sort();
  return {
    accounts: Object.fromEntries(
      [...server.users.values()].map((one) => [
        String(one.externalId),
        one.active === false ? false : one.displayName,
      ]),
    ),
    writers: members('w'),
    admins: members('a'),
  };
};

/** Prints what is recorded, for whoever looks for the reason of a difference. */
const tellRecords = async (): Promise<void> => {
  const records = await ask(
    service.graph,
    `MATCH (n) WHERE n:ManagedAccount OR n:LifecycleAction
     RETURN labels(n)[0] AS label, [key IN keys(n) | key + ' ' + coalesce(toStringOrNull(n[key]), '')] AS said,
       n.people AS people ORDER BY label, n.key`,
  );
  process.stdout.write(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  process.stdout.write(`${server.writes().join('\n')}\n`);
};

/** Runs until nothing is open, as the background would in the hours to come. */
const settle = async (stage: PolicyStage): Promise<void> => {
  for (let hour = 0; hour < 40; hour += 1) {
    await stage.send('post', `${stage.path}:retry`, {});
    const ran = await reconcile(service.lifecycle, stage.provider, { full: false });
    await stage.later(3600);
    const { actions, outcome } = (await stage.send('get', `${stage.path}:status`)).body.value as {
      readonly actions: Readonly<Record<string, number>>;
      readonly outcome: string;
    };
    const open = ['PLANNED', 'FAILED', 'DEAD'].some((status) => (actions[status] ?? 0) > 0);
    if (ran !== null && outcome === 'DONE' && !open) return;
  }
  const left = await stage.send('get', `${stage.path}:status`);
  const open = await stage.send('get', `${stage.path}:actions`);
  throw new Error(`the policies do not come to an end: ${left.text} ${open.text.slice(0, 3000)}`);
};

test(
  `${SEQUENCES} random sequences end as the policy says, whatever fails`,
  async () => {
    const counts = noFailures();
    const random = new Random(SEED);
    let kills = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
      server.reset({ patch: random.happens(0.7), filter: random.happens(0.8) });
      server.groups.set('w', { id: 'w', displayName: 'Writers', members: [] });
      server.groups.set('a', { id: 'a', displayName: 'Admins', members: [] });
      const stage = await policyStage(service, server.base);
      const groups = [{ name: EDITORS, identity: 'g-1' }];
      await stage.push({ users: [user('nobody')], groups });
      const set = await stage.policy({
        ...{ who: [{ filter: `${stage.everybody.filter} and name ne "nobody"` }] },
        ...{ guard: { share: 1, number: 1000 } },
        groups: ['Writers', { name: 'Admins', who: { group: EDITORS } }],
      });
      expect([set.status, set.text]).toEqual([200, expect.any(String)]);
      const failing = failingApplication(server, random, 0.2, counts);
      server.misdeed = failing.misdeed;
      let model: Model = new Map();
      const known = new Set<string>();
      for (let step = 0; step < STEPS; step += 1) {
        model = drawn(random);
        await stage.push({
          users: [user('nobody'), ...[...model.values()].map((one) => one.user)],
          groups,
        });
        const dependencies = mortal(random.happens(0.4) ? random.below(25) : Infinity);
        try {
          await reconcile(dependencies, stage.provider, { full: random.happens(0.3) });
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills += 1;
        }
        await stage.later(random.below(1000));
        for (const { externalId } of server.users.values()) known.add(String(externalId).slice(2));
      }
      failing.isFailing = false;
      await settle(stage);
      for (const { externalId } of server.users.values()) known.add(String(externalId).slice(2));
      const where = `sequence ${sequence} of seed ${SEED}`;
      if (JSON.stringify(foundIn()) !== JSON.stringify(expectedOf(model, known)))
        await tellRecords();
      expect([where, foundIn()]).toEqual([where, expectedOf(model, known)]);
      expect([where, failing.twice]).toEqual([where, []]);
      const written = server.writes().length;
      await reconcile(service.lifecycle, stage.provider, { full: true });
      expect([where, server.writes().slice(written)]).toEqual([where, []]);
      await service.send('delete', stage.path.replace('/policies', ''));
    }
    process.stdout.write(`failures of applications: ${JSON.stringify({ ...counts, kills })}\n`);
    expect(Object.entries({ ...counts, kills }).filter(([, count]) => count === 0)).toEqual([]);
  },
  sized(240_000, 3_600_000),
);
