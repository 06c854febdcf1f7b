/** @more scim */
import { ask } from '../../../src/neo4j/ask';
import { toDateTime } from '../../../src/neo4j/values';
import type { LifecycleRecords } from '../../../src/scim/policies/graph/lifecycle-records';
import { type Instant, instantOf } from '../../../src/model/instant';
import { LIMITS } from '../../../src/scim/client/requests/exchange';
import { httpTransport, type Transport } from '../../../src/scim/client/requests/transport';
import type { LifecycleDependencies } from '../../../src/scim/policies/dependencies';
import { reconcile } from '../../../src/scim/policies/running/reconcile';
import { POLICY_ACCOUNTS } from '../../../src/questions/statements/entity-statements';
import { addGroups, type PolicyStage, policyStage } from '../../http/policy-stage';
import { type ServiceUnderTest, serviceUnderTest } from '../../http/service-under-test';
import { Random } from '../../hardening/random';
import { allowing } from '../acting';
import { type Misdeed, type MisbehavingServer, misbehavingServer } from '../misbehaving-server';
import { quickClock } from '../../support/quick-clock';
import { sized } from '../../support/test-size';
import {
  type Directory,
  drawnDirectory,
  expectedOf,
  foundIn,
  policyGroups,
  pushedOf,
} from './drawn-directory';
import { failingApplication, noFailures, REQUEST_SECONDS } from './failing-application';

const SEED = Number(process.env.PROPERTY_SEED ?? 4);
const SEQUENCES = sized(6, 200);
const STEPS = 5;

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

/** How applications differ from the standard all the time. */
const WAYS = [
  'as it should be',
  'members on request',
  'empty members',
  'name ignored',
  'cursor',
  'half listed',
] as const;
type Way = (typeof WAYS)[number];

type Shown = MisbehavingServer['ways']['show'];

const DIFFERENT: Readonly<Record<Way, { readonly show?: Shown; readonly keep?: Shown }>> = {
  'as it should be': {},
  'members on request': {},
  // Whoever is in a group, it shows nobody.
  'empty members': {
    show: (resource) =>
      resource.displayName !== undefined && resource.userName === undefined
        ? { ...resource, members: [] }
        : resource,
  },
  'name ignored': { keep: ({ name: _ignored, ...resource }) => resource },
  cursor: {},
  'half listed': {},
};

/** Shows the members of groups where `attributes` names them. */
const onRequest: Misdeed = (got, res, next) => {
  if (!got.path.includes('/Groups') || /attributes=[^&]*members/.test(got.path)) {
    if (!/excludedAttributes/.test(got.path)) return next();
  }
  const end = res.end.bind(res);
  res.end = ((text?: string) => {
    const hidden = JSON.parse(text ?? '{}', (key, value: unknown) =>
      key === 'members' ? undefined : value,
    ) as unknown;
    return end(text === undefined ? undefined : JSON.stringify(hidden), 'utf8');
  }) as typeof res.end;
  next();
};

/** Lists that leave out every second account, as if there were no more, but show it by its id. */
const halfListed: Misdeed = (got, res, next) => {
  if (got.method !== 'GET' || !got.path.includes('/Users?') || got.path.includes('filter=')) {
    return next();
  }
  const end = res.end.bind(res);
  res.end = ((text: string) => {
    const body = JSON.parse(text) as { readonly Resources?: readonly { readonly id: string }[] };
    const Resources = (body.Resources ?? []).filter(({ id }) => Number(id.slice(1)) % 2 === 0);
    return end(JSON.stringify({ ...body, Resources, totalResults: undefined }), 'utf8');
  }) as typeof res.end;
  next();
};

/** The process has ended: nothing that it had in hand goes on. */
class Killed extends Error {}

/** A reconciler that ends like a killed process after some requests: it writes nothing more. */
const mortal = (after: number): LifecycleDependencies => {
  let left = after;
  const alive = (): void => {
    if (left <= 0) throw new Killed();
  };
  const { lifecycle } = service;
  const records: LifecycleRecords = {
    ...lifecycle.records,
    take: async (provider, holder) => {
      const lease = await lifecycle.records.take(provider, holder);
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

/** The lease of a process that is gone lasts some minutes; here they have passed. */
const endLease = () =>
  service.graph.driver.executeQuery(
    'MATCH (state:LifecycleState) SET state.held_until = datetime.realtime()',
    {},
    { database: service.graph.database },
  );

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

/** The accounts of everybody, now or at an instant, as the page of a person tells them. */
const accountsOf = async ({ provider }: PolicyStage, at: Instant | null): Promise<string> => {
  const people = await ask(
    service.graph,
    'MATCH (account:ManagedAccount {provider: $provider}) RETURN account.person AS person ORDER BY person',
    { provider },
  );
  const then = at === null ? null : toDateTime(at);
  const told = await Promise.all(
    people.map(({ person }) => ask(service.graph, POLICY_ACCOUNTS, { person, at: then })),
  );
  return JSON.stringify(told.filter(({ length }) => length > 0).flat());
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
    if (ran !== null && ['DONE', 'UNREAD'].includes(outcome) && !open) return;
  }
  const left = await stage.send('get', `${stage.path}:status`);
  const open = await stage.send('get', `${stage.path}:actions`);
  throw new Error(`the policies do not come to an end: ${left.text} ${open.text.slice(0, 12000)}`);
};

test(
  `${SEQUENCES} random sequences end as the policy says, whatever fails`,
  async () => {
    const counts = noFailures();
    const random = new Random(SEED);
    let kills = 0;
    const ways = Object.fromEntries(WAYS.map((way) => [way, 0])) as Record<Way, number>;
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
      const way = WAYS[sequence % WAYS.length] as Way;
      ways[way] += 1;
      server.reset({
        patch: way !== 'as it should be' || random.happens(0.4),
        filter: way === 'half listed' || random.happens(0.8),
        paging: way === 'cursor' ? 'cursor' : 'index',
        page: 1 + random.below(6),
        ...DIFFERENT[way],
      });
      addGroups(server);
      const stage = await policyStage(service, server.base);
      await stage.push(pushedOf(new Map()));
      const set = await stage.policy({
        who: [{ ...stage.everybody, filter: 'name ne "nobody"' }],
        guard: { share: 1, number: 1000 },
        drift: way === 'half listed' ? 'correct' : random.pick(['report', 'correct']),
        groups: policyGroups(stage.source),
      });
      expect([set.status, set.text]).toEqual([200, expect.any(String)]);
      const failing = failingApplication(server, random, 0.2, counts);
      server.misdeed =
        way === 'members on request'
          ? (got, res, next) => failing.misdeed(got, res, () => onRequest(got, res, next))
          : way === 'half listed'
            ? (got, res, next) => failing.misdeed(got, res, () => halfListed(got, res, next))
            : failing.misdeed;
      let model: Directory = new Map();
      const known = new Set<string>();
      const remembered = new Map<Instant, string>();
      const remember = async (): Promise<void> => {
        const now = BigInt(Math.floor(service.lifecycle.provisioning.clock.now()));
        remembered.set(instantOf(now * 1_000_000n), await accountsOf(stage, null));
        await stage.later(1);
      };
      for (let step = 0; step < STEPS; step += 1) {
        model = drawnDirectory(random);
        await stage.push(pushedOf(model));
        const dependencies = mortal(random.happens(0.4) ? random.below(25) : Infinity);
        try {
          await reconcile(dependencies, stage.provider, { full: random.happens(0.5) });
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills += 1;
          await endLease();
        }
        await remember();
        await stage.later(random.below(1000));
        for (const { externalId } of server.users.values()) known.add(String(externalId).slice(2));
      }
      failing.isFailing = false;
      await settle(stage);
      for (const { externalId } of server.users.values()) known.add(String(externalId).slice(2));
      const where = `sequence ${sequence} of seed ${SEED}, ${way}`;
      if (JSON.stringify(foundIn(server)) !== JSON.stringify(expectedOf(model, known)))
        await tellRecords();
      expect([where, foundIn(server)]).toEqual([where, expectedOf(model, known)]);
      // Where an attribute is ignored, one try finds that out.
      const twice = failing.twice.filter((one) => way !== 'name ignored' || /^created/.test(one));
      expect([where, twice]).toEqual([where, []]);
      const written = server.writes().length;
      await reconcile(service.lifecycle, stage.provider, { full: true });
      expect([where, server.writes().slice(written)]).toEqual([where, []]);
      for (const [at, accounts] of remembered) {
        expect([where, at.utc, await accountsOf(stage, at)]).toEqual([where, at.utc, accounts]);
      }
      await service.send('delete', stage.path.replace('/policies', ''));
    }
    process.stdout.write(
      `failures of applications: ${JSON.stringify({ ...counts, ...ways, kills })}\n`,
    );
    expect(
      Object.entries({ ...counts, ...ways, kills }).filter(([, count]) => count === 0),
    ).toEqual([]);
  },
  sized(600_000, 3_600_000),
);
