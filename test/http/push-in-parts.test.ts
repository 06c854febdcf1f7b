/** @more pushes */

import { ask } from '../../src/neo4j/ask';
import { graphRegistry } from '../../src/graph/records/registry';
import { finishDeletions } from '../../src/registry/deletion';
import { killedAfter } from '../support/killed-graph';
import { filledGraph, TEST_LIMITS } from '../support/push';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let wiki: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest({ transactionRows: 20, guardRows: 10 });
});
afterAll(() => service.close());
beforeEach(async () => {
  wiki = await service.register('application');
});

const accounts = (count: number, ...more: readonly object[]): object => ({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: [
        ...Array.from({ length: count }, (_, at) => ({
          name: `user ${at}`,
          identities: [`user${at}@corp.example`],
        })),
        ...more,
      ],
    },
  ],
});

const send = (
  { path, ...ids }: RegisteredIds,
  payload: object,
  verb = 'push',
  to: ServiceUnderTest = service,
) => to.post(path.replace(/push$/, verb), { ...ids, json_data: JSON.stringify(payload) });

const read = async (path: string): Promise<Record<string, unknown>> => {
  const answer = await service.send('get', path);
  return (answer.body as { value: Record<string, unknown> }).value;
};

const sourcePath = ({ path }: RegisteredIds): string => path.replace(/:push$/, '');

const eventTypes = async ({ data_source_id }: RegisteredIds): Promise<readonly string[]> => {
  const filter = encodeURIComponent(`entity_id eq "${data_source_id}"`);
  const answer = await service.send('get', `/api/v1/events?filter=${filter}`);
  return (answer.body as { events: { event_type: string }[] }).events
    .map(({ event_type }) => event_type)
    .reverse();
};

// Its lock, its payload, the hold on the data source, and some parts.
const TRANSACTIONS = 7;

/** A push whose process is killed when some of it is written; gives its id. */
const interrupted = async (payload: object): Promise<string> => {
  const source = await graphRegistry(service.graph).findDataSource(wiki.id, wiki.data_source_id)();
  if (source._tag === 'Left') throw new Error(source.left._tag);
  const killed = await filledGraph(TEST_LIMITS, {
    keep: true,
    transactionRows: 20,
    spoil: killedAfter(TRANSACTIONS),
  });
  expect(await killed.push(source.right, payload)).toMatchObject({
    left: {
      _tag: 'Unavailable',
      message: expect.stringContaining('The service resumes it') as unknown,
    },
  });
  await killed.close();
  const { pending } = (await read(sourcePath(wiki))) as { pending: { push: string } };
  return pending.push;
};

test('a push that one transaction does not hold answers, counts and records as any other', async () => {
  const answer = await send(wiki, accounts(30));
  expect(answer.status).toBe(200);
  const body = answer.body as Record<string, unknown>;
  expect(body).toMatchObject({
    unchanged: false,
    put: { nodes: 31, relationships: 31 },
    removed: { nodes: 0, relationships: 0 },
  });
  expect(body.warnings).toHaveLength(30);
  const record = await read(`${sourcePath(wiki)}/pushes/${String(body.push_id)}`);
  expect(record).toMatchObject({
    outcome: 'accepted',
    put: body.put,
    digest: body.digest,
    warning_count: 30,
  });
  expect(await read(sourcePath(wiki))).toMatchObject({
    status: 'SUCCESS',
    pending: null,
    rows: 31,
    digest: body.digest,
    last_push: body.push_id,
  });
  const types = await eventTypes(wiki);
  expect(types.slice(0, 2)).toEqual(['DATASOURCE_CREATED', 'PUSH_BEGUN']);
  expect(types.filter((type) => type === 'PUSH_PROGRESS').length).toBeGreaterThan(5);
  expect(types.slice(-2)).toEqual(['PUSH_ACCEPTED', 'PUSH_WARNED']);
  const again = await send(wiki, accounts(30));
  expect(again.body).toMatchObject({ unchanged: true, warnings: body.warnings });
  expect(await service.counts()).not.toHaveProperty('LargePushLane');
});

test('what may refuse it is judged before anything is written', async () => {
  await send(wiki, accounts(30));
  const fused = await send(wiki, accounts(3));
  expect(fused.status).toBe(409);
  expect(await read(sourcePath(wiki))).toMatchObject({ rows: 31, pending: null });
  await service.post(wiki.path.replace(/push$/, 'allow-removal'), {});
  expect((await send(wiki, accounts(3))).status).toBe(200);
  expect(await read(sourcePath(wiki))).toMatchObject({ rows: 4, status: 'SUCCESS' });
  const refused = await send(wiki, accounts(30, { name: '' }));
  expect(refused.status).toBe(400);
  expect(await read(sourcePath(wiki))).toMatchObject({ rows: 4, status: 'ERROR' });
});

test('a plan of it is refused: it would not fit', async () => {
  const plan = await send(wiki, accounts(30), 'plan');
  expect([plan.status, (plan.body as { message: string }).message]).toEqual([
    413,
    expect.stringContaining('needs several transactions'),
  ]);
  expect(await read(sourcePath(wiki))).toMatchObject({ pending: null, rows: 0 });
});

describe('while one is interrupted', () => {
  test('the data source is pending, and says how far it is', async () => {
    const push = await interrupted(accounts(30));
    expect(await read(sourcePath(wiki))).toMatchObject({
      status: 'PENDING',
      pending: { push, total: 62 },
      last_push: null,
    });
    expect(await read(`${sourcePath(wiki)}/pushes/${push}`)).toMatchObject({ outcome: 'pending' });
    const refused = await send(wiki, { applications: 'none' });
    expect(refused.status).toBe(400);
    expect(await read(sourcePath(wiki))).toMatchObject({ status: 'PENDING' });
  });

  test('increments and verifying are for later', async () => {
    await send(wiki, accounts(1));
    await interrupted(accounts(30));
    const increment = await send(wiki, { incremental_change: true, applications: [] });
    expect(increment.status).toBe(409);
    expect((await service.post(wiki.path.replace(/push$/, 'verify'), {})).status).toBe(409);
  });

  test('what it held before is pushed anew, whatever is remembered of that', async () => {
    const first = await send(wiki, accounts(20));
    const push = await interrupted(accounts(35));
    const back = await send(wiki, accounts(20));
    expect([back.status, (back.body as { digest: string }).digest]).toEqual([
      200,
      (first.body as { digest: string }).digest,
    ]);
    expect(await read(`${sourcePath(wiki)}/pushes/${push}`)).toMatchObject({ outcome: 'replaced' });
    expect(await eventTypes(wiki)).toContain('PUSH_REPLACED');
    const left = await ask(service.graph, 'MATCH (n:LargePush {key: $key}) RETURN n.runner', {
      key: wiki.data_source_id,
    });
    expect(left).toEqual([]);
    const [standing] = await ask(
      service.graph,
      'MATCH (n:LocalUser {data_source: $key}) RETURN count(n) AS count, count(n.row_hash) AS proven',
      { key: wiki.data_source_id },
    );
    expect(standing).toEqual({ count: 20, proven: 20 });
  });

  test('the data source can be deleted, with all that was kept', async () => {
    await interrupted(accounts(30));
    // It holds enough rows by then for the removal guard.
    await service.post(wiki.path.replace(/push$/, 'allow-removal'), {});
    expect((await service.send('delete', sourcePath(wiki))).status).toBe(200);
    await finishDeletions(service.deletions, () => false);
    const [left] = await ask(
      service.graph,
      `MATCH (n) WHERE NOT n:Past AND (n.data_source = $key OR n.key STARTS WITH $key)
       RETURN collect(DISTINCT labels(n)[0]) AS labels`,
      { key: wiki.data_source_id },
    );
    expect(left).toEqual({ labels: [] });
  });
});

test('another push waits for one that is being applied, and is busy if that lasts', async () => {
  const { graph } = service;
  const session = graph.driver.session({ database: graph.database });
  const tx = await session.beginTransaction();
  await tx.run("MATCH (lock:BindingLock) SET lock.push = 'test'");
  const large = send(wiki, accounts(30)).then((answer) => answer);
  const begun = async (): Promise<boolean> => (await read(sourcePath(wiki))).pending !== null;
  while (!(await begun()));
  const impatient = await serviceUnderTest({ pushWaitSeconds: 1 }, { keep: true });
  const other = await send(wiki, accounts(2), 'push', impatient);
  expect(other.status).toBe(409);
  await impatient.close();
  await tx.rollback();
  await session.close();
  expect((await large).status).toBe(200);
  expect(await read(sourcePath(wiki))).toMatchObject({ rows: 31 });
});
