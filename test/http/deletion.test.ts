/** @more pushes */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { records } from '../../src/features';
import { ask } from '../../src/neo4j/ask';
import { graphDeletions } from '../../src/push/graph/deletion';
import { judgeDeletion } from '../../src/registry/deletion-guard';
import { finishDeletions } from '../../src/registry/deletion';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeEach(async () => {
  service = await serviceUnderTest();
});
afterEach(() => service.close());

const COMPANY = join(__dirname, '../../examples/company');
const DIRECTORY = ['corporate-directory.json', 'identity_provider'] as const;
const CODE_HOST = ['source-code-host.json', 'application'] as const;
const CRM = ['crm.json', 'application'] as const;

const pushTo = async ({ path, ...ids }: RegisteredIds, json_data: string): Promise<number> =>
  (await service.post(path, { ...ids, json_data })).status;

const pushed = async ([file, template]: readonly [string, string]): Promise<RegisteredIds> => {
  const source = await service.register(template);
  expect(await pushTo(source, readFileSync(join(COMPANY, file), 'utf8'))).toBe(200);
  return source;
};

const sourcePath = ({ path }: RegisteredIds): string => path.replace(/:push$/, '');
const providerPath = ({ id }: RegisteredIds): string => `/api/v1/providers/custom/${id}`;

/** Everything but what the service keeps for itself. */
const graph = async (): Promise<readonly unknown[]> => {
  const kept =
    'x:Provider OR x:DataSource OR x:Push OR x:Event OR x:BindingLock OR x:AccessCommit OR x:Store OR x:Past';
  const nodes = await ask(
    service.graph,
    `MATCH (x) WHERE NOT (${kept}) RETURN labels(x)[0] + ' ' + x.key AS key, properties(x) AS properties ORDER BY key`,
  );
  const relationships = await ask(
    service.graph,
    `MATCH (x)-[r]->(y) WHERE NOT (${kept})
     RETURN type(r) AS type, x.key AS from, y.key AS to, properties(r) AS properties ORDER BY type, from, to, properties(r).id`,
  );
  return [...nodes, ...relationships];
};

const eventTypes = async (id: string): Promise<readonly unknown[]> =>
  (
    await ask(
      service.graph,
      'MATCH (e:Event {entity_id: $id}) RETURN e.event_type AS type ORDER BY e.timestamp, e.key',
      { id },
    )
  ).map(({ type }) => type);

test.each([
  ['an identity provider', DIRECTORY, [CODE_HOST, CRM]],
  ['an application', CODE_HOST, [DIRECTORY]],
])(
  'deleting the data source of %s leaves the graph as if it had not been',
  async (_what, one, others) => {
    for (const other of others) await pushed(other);
    const before = await graph();
    const source = await pushed(one);
    expect(await graph()).not.toEqual(before);

    const answer = await service.send('delete', sourcePath(source));
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await graph()).toEqual(before);
    expect((await service.send('get', sourcePath(source))).status).toBe(404);
    expect(await eventTypes(source.data_source_id)).toEqual(['DATASOURCE_DELETED']);
    const pushes = await ask(
      service.graph,
      'MATCH (push:Push) WHERE NOT (push)-[:FROM]->() RETURN push.key',
    );
    expect(pushes).toEqual([]);
  },
);

test('deleting a provider takes its data sources and its name with it', async () => {
  const source = await pushed(CRM);
  const { value } = (await service.send('get', providerPath(source))).body as {
    value: { name: string };
  };

  expect((await service.send('delete', providerPath(source))).body).toEqual({});
  expect(await graph()).toEqual([]);
  expect(Object.keys(await service.counts())).toEqual(['Event']);
  expect(await eventTypes(source.id)).toEqual(['PROVIDER_DELETED']);
  const again = { name: value.name, custom_template: 'application' };
  expect((await service.post('/api/v1/providers/custom', again)).status).toBe(200);

  // A process that comes late to a finished deletion leaves its event.
  const tell = (): never => {
    throw new Error('the provider is gone');
  };
  await service.deletions.removeProvider(source.id, tell);
  expect(await eventTypes(source.id)).toEqual(['PROVIDER_DELETED']);
});

const pastFacts = async (): Promise<number> =>
  Number((await ask(service.graph, 'MATCH (n:Past) RETURN count(n) AS facts'))[0]?.facts);

test.each([
  ['data source', sourcePath],
  ['provider', providerPath],
])('deleting a %s ends its facts, and erases them if that is asked for', async (_what, pathOf) => {
  const kept = await pushed(CRM);
  await service.send('delete', pathOf(kept)).expect(200);
  const facts = await pastFacts();
  expect(facts).toBeGreaterThan(50);
  const erased = await pushed(CODE_HOST);
  const wrong = await service.send('delete', `${pathOf(erased)}?erase=maybe`);
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
    400,
    expect.stringContaining('neither true nor false'),
  ]);
  // Public clients may send what the service does not know.
  await service.send('delete', `${pathOf(erased)}?Erase=True&force=1`).expect(200);
  expect(await pastFacts()).toBe(facts);
  const told = await ask(
    service.graph,
    "MATCH (e:Event) WHERE e.event_type ENDS WITH '_DELETED' AND e.metadata CONTAINS 'erased_history\":true' RETURN count(e) AS count",
  );
  expect(Number(told[0]?.count)).toBeGreaterThan(0);
  const { value } = (await service.send('get', '/api/v1/history')).body as {
    readonly value: { readonly facts: { readonly nodes: number; readonly relationships: number } };
  };
  expect(value).toMatchObject({ keep_days: null, since: expect.any(String) as unknown });
  expect(value.facts.nodes + value.facts.relationships).toBe(facts);
});

describe('what is large', () => {
  const LARGE = JSON.stringify({
    name: 'large',
    idp_type: 'custom',
    domains: [{ name: 'd' }],
    users: Array.from({ length: 600 }, (_, index) => ({ name: `u${index}` })),
  });
  const large = async (): Promise<RegisteredIds> => {
    const source = await service.register();
    await service.post(source.path, { ...source, json_data: LARGE }).expect(200);
    return source;
  };
  const finish = (isStopping = () => false): Promise<void> =>
    finishDeletions(service.deletions, isStopping);

  test('is marked, refuses pushes, and goes in the background', async () => {
    const source = await large();
    const woken = service.backgroundWoken();
    expect((await service.send('delete', sourcePath(source))).body).toEqual({});
    expect(service.backgroundWoken()).toBe(woken + 1);
    expect((await service.send('get', sourcePath(source))).body).toMatchObject({
      value: { status: 'DELETING' },
    });
    const refused = await service.post(source.path, { ...source, json_data: LARGE });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'FailedPrecondition' });

    let steps = 0;
    await finish(() => (steps += 1) > 3);
    // A stop or crash loses nothing: whoever comes next goes on.
    expect((await service.send('get', sourcePath(source))).body).toMatchObject({
      value: { status: 'DELETING' },
    });
    expect((await service.send('delete', sourcePath(source))).status).toBe(200);
    await finish();
    expect((await service.send('get', sourcePath(source))).status).toBe(404);
    expect(await graph()).toEqual([]);
  });

  test('goes with its provider, two processes at it', async () => {
    const source = await large();
    expect((await service.send('delete', providerPath(source))).body).toEqual({});
    expect((await service.send('get', providerPath(source))).body).toMatchObject({
      value: { state: 'DELETING' },
    });
    const create = { id: source.id, name: 'Another' };
    expect((await service.post(`${providerPath(source)}/datasources`, create)).status).toBe(409);
    expect((await service.post(source.path, { ...source, json_data: LARGE })).status).toBe(409);
    await Promise.all([finish(), finish()]);
    expect((await service.send('get', providerPath(source))).status).toBe(404);
    expect(await graph()).toEqual([]);
    expect(await eventTypes(source.id)).toEqual(['PROVIDER_DELETED']);
  });
});

test('events go in steps, and what was interrupted is gone on with', async () => {
  const deletions = graphDeletions(
    service.graph,
    { waitSeconds: 5, pushSeconds: 60 },
    records,
    25,
    10,
  );
  const source = await service.register();
  const id = source.data_source_id;
  await service.graph.driver.executeQuery(
    `UNWIND range(1, 45) AS at
     CREATE (:Event {key: 'event ' + at, entity_id: $id, provider_id: $provider, timestamp: datetime()})`,
    { id, provider: source.id },
    { database: service.graph.database },
  );
  await deletions.markDataSource(id, { requestId: 'request' }, () => undefined);
  const deleting = { id, requestId: 'request' };
  const tell = (): never => {
    throw new Error('the process ends here');
  };
  expect(await deletions.removeSome(deleting, tell)).toBe(true);
  expect(await eventTypes(id)).toHaveLength(36);
  for (let step = 0; step < 3; step += 1) await deletions.removeSome(deleting, tell);
  await expect(deletions.removeSome(deleting, tell)).rejects.toThrow('the process ends here');
  await finishDeletions(deletions, () => false);
  expect(await eventTypes(id)).toEqual(['DATASOURCE_DELETED']);
  expect((await service.send('get', sourcePath(source))).status).toBe(404);
});

describe('what the removal guard guards', () => {
  const ROWS = 20;
  let guarded: ServiceUnderTest;
  beforeEach(async () => {
    guarded = await serviceUnderTest({ guardRows: ROWS });
  });
  afterEach(() => guarded.close());

  const holding = async (rows: number): Promise<RegisteredIds> => {
    const source = await guarded.register();
    await hold(source, rows);
    return source;
  };
  const hold = async ({ path, ...ids }: RegisteredIds, rows: number): Promise<string> => {
    const json_data = JSON.stringify({
      domains: [{ name: 'd' }],
      users: Array.from({ length: rows - 1 }, (_, index) => ({ name: `u${index}` })),
    });
    const answer = await guarded.post(path, { ...ids, json_data });
    expect(answer.status).toBe(200);
    return (answer.body as { digest: string }).digest;
  };
  const another = async (source: RegisteredIds): Promise<RegisteredIds> => {
    const path = `${providerPath(source)}/datasources`;
    const created = await guarded.post(path, { id: source.id, name: 'Another' });
    const { id } = (created.body as { value: { id: string } }).value;
    return { ...source, data_source_id: id, path: `${path}/${id}:push` };
  };
  const tokenOf = (message: string): string =>
    /Grantgraph-Confirm-Removal: ([0-9a-f]{64})/.exec(message)?.[1] ?? '';
  /** The message of a deletion that is refused. */
  const refusedWith = async (path: string, token?: string): Promise<string> => {
    const sent = guarded.send('delete', path);
    const answer = await (token === undefined
      ? sent
      : sent.set('Grantgraph-Confirm-Removal', token));
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([
      409,
      'FailedPrecondition',
    ]);
    return (answer.body as { message: string }).message;
  };
  const newestEvent = async (): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await guarded.send('get', '/api/v1/events');
    return (
      (answer.body as { events: readonly Readonly<Record<string, unknown>>[] }).events[0] ?? {}
    );
  };

  test('a data source is deleted with the token that its refusal names, and with no other', async () => {
    const source = await holding(ROWS);
    const before = await guarded.counts();
    const message = await refusedWith(sourcePath(source));
    expect(message).toContain(`data source "Main" would remove ${ROWS} rows in 1 data source;`);
    expect(await guarded.counts()).toEqual({ ...before, Event: Number(before.Event) + 1 });
    expect((await guarded.send('get', sourcePath(source))).body).toMatchObject({
      value: { status: 'SUCCESS' },
    });
    expect(await newestEvent()).toMatchObject({
      event_type: 'DELETION_REFUSED',
      severity: 'WARNING',
      metadata: { by: { key_id: null, name: 'API_KEY' } },
    });
    const token = tokenOf(message);
    await refusedWith(sourcePath(source), 'f'.repeat(64));

    // A push between changes what would go.
    const digest = await hold(source, ROWS + 1);
    const other = tokenOf(await refusedWith(sourcePath(source), token));
    expect(other).toBe(
      createHash('sha256').update(`${source.data_source_id} ${digest}\n`).digest('hex'),
    );
    const confirmed = guarded.send('delete', sourcePath(source));
    expect((await confirmed.set('grantgraph-confirm-removal', other)).status).toBe(200);
    expect((await guarded.send('get', sourcePath(source))).status).toBe(404);
    expect(await newestEvent()).toMatchObject({
      event_type: 'DATASOURCE_DELETED',
      metadata: { rows: ROWS + 1, confirmed_removal: other, by: { key_id: null, name: 'API_KEY' } },
    });
  });

  test('smaller ones are deleted without', async () => {
    const source = await holding(ROWS - 1);
    expect((await guarded.send('delete', sourcePath(source))).status).toBe(200);
  });

  test('a call lets a deletion through as it does a push', async () => {
    const source = await holding(ROWS);
    await guarded.post(source.path.replace(/:push$/, ':allow-removal'), {}).expect(200);
    expect((await guarded.send('delete', sourcePath(source))).status).toBe(200);
  });

  test('a provider is judged by all its data sources', async () => {
    const one = await holding(ROWS - 1);
    const two = await another(one);
    await hold(two, 5);
    const message = await refusedWith(providerPath(one));
    expect(message).toContain(`would remove ${ROWS + 4} rows in 2 data sources;`);
    const answer = await guarded
      .send('delete', providerPath(one))
      .set('Grantgraph-Confirm-Removal', tokenOf(message));
    expect(answer.status).toBe(200);
    expect((await guarded.send('get', providerPath(one))).status).toBe(404);
    expect(await newestEvent()).toMatchObject({
      event_type: 'PROVIDER_DELETED',
      metadata: { rows: ROWS + 4, by: { key_id: null, name: 'API_KEY' } },
    });
  });

  test('what a push in parts has put so far counts', async () => {
    const source = await guarded.register();
    await hold(source, ROWS);
    await guarded.graph.driver.executeQuery(
      `MATCH (source:DataSource {key: $id}) SET source.rows = 0, source.half_written_by = 'push'`,
      { id: source.data_source_id },
      { database: guarded.graph.database },
    );
    expect(await refusedWith(sourcePath(source))).toContain(`remove ${ROWS} rows`);
  });

  test('what is being deleted is not asked about again, and keeps who began it', async () => {
    const source = await holding(ROWS);
    const by = { keyId: 'key', name: 'Connector', address: '192.0.2.7' };
    const act = { requestId: 'request', by };
    await guarded.deletions.markDataSource(source.data_source_id, act, () => undefined);
    expect((await guarded.send('delete', sourcePath(source))).status).toBe(200);
    expect(await newestEvent()).toMatchObject({
      event_type: 'DATASOURCE_DELETED',
      metadata: { rows: ROWS, by: { key_id: 'key', name: 'Connector', address: '192.0.2.7' } },
    });
  });

  test('a judgement that stops the deletion of a provider leaves it as it was', async () => {
    const source = await holding(ROWS - 1);
    const judged: number[] = [];
    await expect(
      guarded.deletions.markProvider(source.id, { requestId: 'request' }, (held) => {
        judged.push(...held.map(({ rows }) => rows));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(judged).toEqual([ROWS - 1]);
    expect((await guarded.send('get', providerPath(source))).body).toMatchObject({
      value: { state: 'ENABLED' },
    });
  });
});

test.each([
  [0.5, 409],
  [1, 200],
])('with the share %d a deletion of much is answered %d', (share, status) => {
  const judge = judgeDeletion({ rows: 20, share }, null, 'it');
  const held = [{ id: 'a', rows: 20, digest: null, isRemovalAllowed: false }];
  if (status === 200) expect(() => judge(held)).not.toThrow();
  else expect(() => judge(held)).toThrow('would remove 20 rows');
});

test('a refused push leaves its data source in ERROR until one is accepted', async () => {
  const source = await service.register();
  const status = async (): Promise<unknown> =>
    ((await service.send('get', sourcePath(source))).body as { value: { status: unknown } }).value
      .status;
  expect(await pushTo(source, '{}')).toBe(400);
  expect(await status()).toBe('ERROR');
  expect(await pushTo(source, '{"name":"n","idp_type":"t","domains":[{"name":"d"}]}')).toBe(200);
  expect(await status()).toBe('SUCCESS');
});
