import { Neo4jError } from 'neo4j-driver';

import { unlessTooMuch, within } from '../../src/questions/changes/access-changes';
import { type AccessCounting, graphAccessCounting } from '../../src/questions/changes/counting';
import { factorsOf } from '../../src/questions/changes/factors';
import { ask } from '../../src/neo4j/ask';
import { Instant } from '../../src/model/instant';
import { countingRound } from '../../src/push/counting/count-changes';
import { type LoggedLine, memoryLog } from './memory-log';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let directory: RegisteredIds;
let wiki: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest({ bodyBytes: 8_000_000, jsonBytes: 8_000_000, guardRows: 1e6 });
  const session = service.graph.driver.session({ database: service.graph.database });
  await session.run(`MERGE (store:Store {key: 'store'})
    WITH store OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
    SET store.history_since = datetime('2020-01-01T00:00:00Z'),
      store.access_turn = coalesce(lock.turns, 0)`);
  await session.close();
});
afterAll(() => service.close());
beforeEach(async () => {
  directory = await service.register('identity_provider');
  wiki = await service.register('application');
});

type Body = Readonly<Record<string, unknown>>;

const push = async ({ path, ...ids }: RegisteredIds, payload: object): Promise<Body> => {
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect([answer.status, answer.status === 200 ? null : answer.body]).toEqual([200, null]);
  return answer.body as Body;
};

const recordOf = async ({ path }: RegisteredIds, { push_id }: Body): Promise<Body> => {
  const at = `${path.replace(/:push$/, '')}/pushes/${String(push_id)}`;
  return ((await service.send('get', at)).body as { value: Body }).value;
};

const eventsOf = async ({ push_id }: Body): Promise<readonly Body[]> =>
  (
    await ask(
      service.graph,
      `MATCH (event:Event {event_type: 'ACCESS_CHANGED'}) WHERE event.metadata CONTAINS $push
       RETURN event.severity AS severity, event.message AS message, event.metadata AS metadata`,
      { push: push_id },
    )
  ).map((event) => ({ ...event, metadata: JSON.parse(String(event.metadata)) as unknown }));

const count = (counting: AccessCounting, logged: LoggedLine[] = []): Promise<void> =>
  countingRound(counting, memoryLog(logged))(() => false);

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, at) => at);

const MEMBERS = 1_050;

const people = (members: number): object => ({
  domains: [{ name: 'corp' }],
  groups: [{ name: 'all' }, { name: 'some' }],
  users: upTo(MEMBERS).map((at) => ({
    name: `person ${at}`,
    groups: [...(at < members ? [{ identity: 'all' }] : []), { identity: 'some' }],
  })),
});

const application = (holders: number): object => ({
  applications: [
    {
      name: 'wiki',
      application_type: 'wiki',
      local_users: upTo(holders).map((at) => ({ name: `u${at}`, identities: [`person ${at}`] })),
      local_roles: [{ name: 'reader', permissions: ['read'] }],
      resources: [{ name: 'pages', resource_type: 'space' }],
    },
  ],
  permissions: [{ name: 'read', permission_type: ['DataRead'] }],
  identity_to_permissions: upTo(holders).map((at) => ({
    identity: `u${at}`,
    identity_type: 'local_user',
    role_assignments: [{ application: 'wiki', role: 'reader', resources: ['pages'] }],
  })),
});

const bare = ({ gained, lost, values }: Awaited<ReturnType<typeof factorsOf>>): unknown => ({
  ...{ gained, lost },
  values: values
    .map(({ change, type, of, relationships }) =>
      [change, type, of.id, of.label, relationships].join(' '),
    )
    .sort(),
});

// The push tells what came and went from the difference that it writes. The statements find the same
// in the graph, so each is the other's proof.
test('a large push says at once what came and went in access, as the graph says it afterwards', async () => {
  const pushes = [
    [directory, await push(directory, people(MEMBERS))],
    [wiki, await push(wiki, application(600))],
    [directory, await push(directory, people(0))],
    [wiki, await push(wiki, application(1))],
  ] as const;
  const told: unknown[] = [];
  const found: unknown[] = [];
  for (const [source, answer] of pushes) {
    const { access, access_factors } = await recordOf(source, answer);
    if (access === null) continue;
    expect(access).toEqual({ state: 'too large' });
    told.push(bare(access_factors as Awaited<ReturnType<typeof factorsOf>>));
    const run = within(service.graph, 60);
    found.push(bare(await factorsOf(run, new Instant(String(answer.at)))));
    const [event, ...more] = await eventsOf(answer);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      metadata: { push_id: answer.push_id, access, factors: access_factors },
    });
  }
  expect(told).toHaveLength(3);
  const { access_factors: first } = await recordOf(...pushes[0]);
  expect(first).toMatchObject({
    values: ['all', 'some'].map((name) => ({ type: 'MEMBER_OF', of: { name } })),
  });
  expect(told).toEqual(found);

  // Nobody counts them again, and the one that is small enough is counted.
  const counting = graphAccessCounting(service.graph, 30);
  await count(counting);
  expect(await counting.next()).toEqual([]);
  for (const [source, answer] of pushes) {
    const { access, access_factors } = await recordOf(source, answer);
    // The group of all leads to nothing, so nobody lost access by leaving it.
    if (access_factors === null) expect(access).toMatchObject({ gained: 0, lost: 0 });
    expect(await eventsOf(answer)).toHaveLength(access_factors === null ? 0 : 1);
  }
});

const OUT_OF_TIME = new Neo4jError(
  'The transaction ran too long.',
  'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
  ...(['50N42', 'out of time'] as const),
);

test('what takes too long to be counted is too large', async () => {
  expect(await unlessTooMuch(Promise.reject(OUT_OF_TIME))).toBeNull();
  await expect(unlessTooMuch(Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
});

test('a push of which not even the factors can be found says that it is too large', async () => {
  await push(wiki, application(1));
  await count(graphAccessCounting(service.graph, 30));
  const more = await push(wiki, application(2));
  const counting = graphAccessCounting(service.graph, 30);
  await count({
    ...counting,
    count: () => Promise.resolve({ access: { state: 'too large' }, factors: null }),
  });
  const { access, access_factors } = await recordOf(wiki, more);
  expect([access, access_factors]).toEqual([{ state: 'too large' }, null]);
  expect(await eventsOf(more)).toMatchObject([{ severity: 'WARNING', metadata: { access } }]);
});

test('a push that nobody could count after three tries says so, and the next one is counted', async () => {
  await count(graphAccessCounting(service.graph, 30));
  await push(wiki, application(1));
  const lost = await push(wiki, application(2));
  const next = await push(wiki, application(3));
  const counting = graphAccessCounting(service.graph, 30);
  const failing: AccessCounting = {
    ...counting,
    count: (uncounted, isStopping) =>
      uncounted.push === lost.push_id
        ? Promise.reject(new Error('no luck'))
        : counting.count(uncounted, isStopping),
  };
  const logged: LoggedLine[] = [];
  const round = countingRound(failing, memoryLog(logged));
  await expect(round(() => false)).rejects.toThrow('no luck');
  await expect(round(() => false)).rejects.toThrow('no luck');
  await round(() => false);
  expect(logged).toMatchObject([{ level: 'warn' }]);
  expect((await recordOf(wiki, lost)).access).toEqual({ state: 'failed' });
  expect(await eventsOf(lost)).toMatchObject([
    { severity: 'WARNING', metadata: { access: { state: 'failed' } } },
  ]);
  expect((await recordOf(wiki, next)).access).toMatchObject({ lost: 0 });
});
