import type { AccessCounting } from '../../src/questions/changes/counting';
import { accessCountingOf } from '../../src/questions/contract';
import { ask } from '../../src/neo4j/ask';
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

test('a push is counted exactly, however many it concerns', async () => {
  const counted = async (source: RegisteredIds, payload: object): Promise<unknown> => {
    const answer = await push(source, payload);
    await count(accessCountingOf(service.context));
    const { access, access_factors } = await recordOf(source, answer);
    const events = await eventsOf(answer);
    expect([access_factors, events.length]).toEqual([
      null,
      (access as { gained: number; lost: number } | null)?.gained === 0 &&
      (access as { lost: number }).lost === 0
        ? 0
        : 1,
    ]);
    return access;
  };
  expect(await counted(directory, people(MEMBERS))).toMatchObject({ gained: 0, lost: 0 });
  // Each account, the identity that it has, and the person who is known as that.
  expect(await counted(wiki, application(600))).toEqual({
    gained: 1_800,
    lost: 0,
    principals: 1_800,
    resources: 1,
    people: 600,
  });
  // The group of all leads to nothing, so nobody lost access by leaving it.
  expect(await counted(directory, people(0))).toMatchObject({ gained: 0, lost: 0 });
  expect(await counted(wiki, application(1))).toEqual({
    gained: 0,
    lost: 1_797,
    principals: 1_797,
    resources: 1,
    people: 599,
  });
});

test('a push that nobody could count after three tries says so, and the next one is counted', async () => {
  await count(accessCountingOf(service.context));
  await push(wiki, application(1));
  const lost = await push(wiki, application(2));
  const next = await push(wiki, application(3));
  const counting = accessCountingOf(service.context);
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
