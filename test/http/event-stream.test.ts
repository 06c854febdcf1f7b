/** @more bounds */

import { randomUUID } from 'node:crypto';

import { testDriver, testNeo4j } from '../support/neo4j';
import { EventReader, type ReaderOptions } from './event-reader';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
/** Another process on the same graph. */
let other: ServiceUnderTest;
let readers: EventReader[];

beforeEach(async () => {
  readers = [];
  service = await serviceUnderTest({ eventStreams: 3 });
  other = await serviceUnderTest({}, { keep: true });
});
afterEach(async () => {
  for (const reader of readers) await reader.leave();
  await service.close();
  await other.close();
});

const open = async (options: ReaderOptions = {}, of = service): Promise<EventReader> => {
  const reader = await EventReader.open(of.app, options);
  if (reader.status === 200) readers.push(reader);
  return reader;
};

const push = async (
  { id, data_source_id, path }: RegisteredIds,
  users: readonly string[],
  by = service,
): Promise<void> => {
  const json_data = JSON.stringify({
    domains: [{ name: 'corp' }],
    users: users.map((name) => ({ name })),
  });
  const { status } = await by.post(path, { id, data_source_id, json_data });
  expect([200, 400]).toContain(status);
};

interface Listed {
  readonly id: string;
  readonly event_type: string;
}

const listed = async (): Promise<readonly Listed[]> => {
  const answer = await service.send('get', '/api/v1/events?order_by=timestamp');
  return (answer.body as { events: Listed[] }).events;
};

const teamKey = async (
  scopes: readonly string[],
  providers: readonly string[] = [],
): Promise<{ readonly id: string; readonly key: string }> => {
  const answer = await service.post('/api/preview/teamkeys', { name: 'k', scopes, providers });
  const { id, access_key } = (answer.body as { value: { id: string; access_key: string } }).value;
  return { id, key: access_key };
};

test('a stream tells each event as the list does, as soon as it happens', async () => {
  const reader = await open();
  const registered = await service.register();
  await push(registered, ['ann']);
  await push(registered, ['ann']);
  await push(registered, ['']);
  await reader.until(() => reader.told.length === 5);
  expect(reader.types).toEqual([
    'PROVIDER_REGISTERED',
    'DATASOURCE_CREATED',
    'PUSH_ACCEPTED',
    'PUSH_UNCHANGED',
    'PUSH_REFUSED',
  ]);
  expect(reader.told.map(({ event }) => event)).toEqual(await listed());
});

test('a reader that comes back is told what it missed, once, by whichever process', async () => {
  const registered = await service.register();
  const before = await open({ after: '0' });
  await push(registered, ['ann']);
  await before.until(() => before.types.includes('PUSH_ACCEPTED'));
  await before.leave();
  await push(registered, ['bob']);
  await push(registered, ['cyd'], other);
  const after = await open({ after: before.lastId }, other);
  await push(registered, ['dan']);
  await after.until(() => after.told.length === 3);
  const told = [...before.told, ...after.told].map(({ event }) => event.id);
  expect(told).toEqual((await listed()).map(({ id }) => id));
});

test('a reader that was told nothing yet misses nothing either', async () => {
  const registered = await service.register();
  const before = await open();
  await before.leave();
  await push(registered, ['ann']);
  const after = await open({ query: { last_event_id: before.lastId } });
  await after.until(() => after.told.length > 0);
  expect(before.told).toEqual([]);
  expect(after.types).toEqual(['PUSH_ACCEPTED']);
});

test('an event is told though later ones were committed before it', async () => {
  const reader = await open();
  const driver = testDriver();
  const session = driver.session({ database: testNeo4j().database });
  const slow = await session.beginTransaction();
  await slow.run(
    `CREATE (:Event {
       key: $id, id: $id, timestamp: datetime('2020-01-01T00:00:00Z'), category: 'SYSTEM', severity: 'INFO',
       name: 'Slow', message: 'It took long.', event_type: 'SLOW', entity: 'SERVICE', entity_id: '', entity_name: '',
       provider_id: '', metadata: '{}', unplaced: true
     })`,
    { id: randomUUID() },
  );
  await push(await service.register(), ['ann']);
  await reader.until(() => reader.types.includes('PUSH_ACCEPTED'));
  await slow.commit();
  await reader.until(() => reader.types.includes('SLOW'));
  expect(reader.told).toHaveLength(4);
  await session.close();
  await driver.close();
});

test('readers of two processes are told the same in the same order, whoever writes', async () => {
  const [one, two] = [await open(), await open({}, other)];
  const sources = [await service.register(), await other.register()];
  const pushes = Array.from({ length: 12 }, (_, at) =>
    push(sources[at % 2] as RegisteredIds, [`user ${at}`], at % 3 === 0 ? other : service),
  );
  await Promise.all(pushes);
  const count = (await listed()).length;
  for (const reader of [one, two]) await reader.until(() => reader.told.length === count);
  expect(one.told).toEqual(two.told);
  expect(new Set(one.told.map(({ event }) => event.id)).size).toBe(count);
});

test('a filter and the providers of a team key hold for a stream too', async () => {
  const [mine, others] = [await service.register(), await service.register()];
  const { key } = await teamKey(['read'], [mine.id]);
  const limited = await open({ key });
  const filtered = await open({ query: { filter: 'event_type eq "PUSH_UNCHANGED"' } });
  for (const registered of [others, mine]) {
    await push(registered, ['ann']);
    await push(registered, ['ann']);
  }
  await limited.until(() => limited.told.length === 2);
  await filtered.until(() => filtered.told.length === 2);
  expect(limited.told.map(({ event }) => event.provider_id)).toEqual([mine.id, mine.id]);
  expect(filtered.types).toEqual(['PUSH_UNCHANGED', 'PUSH_UNCHANGED']);
});

test('the ids of a limited stream show nothing of what others do, and it resumes nevertheless', async () => {
  const [mine, others] = [await service.register(), await service.register()];
  const { key } = await teamKey(['read'], [mine.id]);
  const before = await open({ key });
  const ids = [before.lastId];
  await push(others, ['ann']);
  await push(mine, ['ann']);
  await before.until(() => before.told.length === 1);
  ids.push(before.lastId);
  await before.leave();
  await push(others, ['bob']);
  await push(mine, ['bob']);
  const after = await open({ key, after: before.lastId }, other);
  ids.push(after.lastId);
  await after.until(() => after.told.length === 1);
  expect([...before.types, ...after.types]).toEqual(['PUSH_ACCEPTED', 'PUSH_ACCEPTED']);
  // Of one length, and none twice, though the second and third are of one place.
  expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
  expect(new Set(ids).size).toBe(3);
  const comments = after.comments.length;
  await push(others, ['cid']);
  await after.until(() => after.comments.length > comments);
  expect(after.told).toHaveLength(1);
  const fromStart = await open({ key, after: '0' });
  await fromStart.until(() => fromStart.told.length === 4);
});

test('a limited stream takes no place by its number', async () => {
  const { key } = await teamKey(['read'], [(await service.register()).id]);
  expect((await open({ key, after: '1' })).status).toBe(400);
});

test('a stream ends when its key is revoked', async () => {
  const { id, key } = await teamKey(['read']);
  const reader = await open({ key });
  await reader.until(() => reader.comments.length > 0);
  await service.post(`/api/preview/teamkeys/${id}:revoke`, {});
  await reader.until(() => reader.hasEnded);
  expect((await open({ key })).status).toBe(401);
});

test('a heartbeat says up to which push changes of access are counted, unless the key is limited', async () => {
  const directory = await service.register('identity_provider');
  await push(directory, ['ann']);
  const session = service.graph.driver.session({ database: service.graph.database });
  await session.run(`MERGE (store:Store {key: 'store'})
    SET store.access_push = 'a push', store.access_at = datetime('2026-03-01T00:00:00Z')`);
  await session.close();
  const { key } = await teamKey(['read'], [directory.id]);
  const [all, limited] = [await open(), await open({ key })];
  for (const reader of [all, limited]) await reader.until(() => reader.comments.length > 0);
  expect(all.comments[0]).toBe(
    ': nothing new; access counted up to push a push of 2026-03-01T00:00:00Z',
  );
  expect(limited.comments[0]).toBe(': nothing new');
});

test('streams are bounded, and a reader that leaves makes room', async () => {
  const first = await open();
  await open();
  await open();
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(refused.body).toContain('ResourceExhausted');
  await first.leave();
  while (service.watch.count() === 3) await new Promise(setImmediate);
  expect((await open()).status).toBe(200);
});

test('a stop ends all streams', async () => {
  const reader = await open();
  await service.watch.stop();
  await reader.until(() => reader.hasEnded);
  expect((await open()).status).toBe(429);
});

test.each([
  ['an id that is none', { after: 'x1' }, 400],
  ['a filter that is none', { query: { filter: 'colour eq "red"' } }, 400],
  ['a key that is not known', { key: 'nobody' }, 401],
])('%s is refused', async (_what, options, status) => {
  expect((await open(options)).status).toBe(status);
});

test('a key that may not read is refused', async () => {
  const { key } = await teamKey(['push']);
  expect((await open({ key })).status).toBe(403);
});

test('one key takes a share of the streams', async () => {
  const shared = await serviceUnderTest({ eventStreams: 4, streamsOfKey: 2 }, { keep: true });
  const [greedy, modest] = [await teamKey(['read']), await teamKey(['read'])];
  const statuses: number[] = [];
  for (const { key } of [greedy, greedy, greedy, modest]) {
    statuses.push((await open({ key }, shared)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 200]);
  for (const reader of readers) await reader.leave();
  await shared.close();
});

test('what seals ids is not in the graph', async () => {
  const answer = await service.post('/api/v1/query', {
    cypher: 'MATCH (o:EventOrder) RETURN properties(o) AS found',
  });
  // It held the secret, so whoever could ask could open and forge ids.
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('secret');
});
