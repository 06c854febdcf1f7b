/** @more bounds */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Driver } from 'neo4j-driver';

import { otherConstants } from '../../bench/other-constants';
import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import { wikiOf } from '../questions/wiki';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { sized } from '../support/test-size';
import { breakableProxy } from './breakable-proxy';
import { whileLocked } from './locked-sources';

/** What payloads are measured by: all that is too large, too deep or too long here grows with it. */
const LIMIT_MEGABYTES = sized(16, 64);

// Small, so that payloads need not be large to be it.
const settings = (more: Readonly<Record<string, number>> = {}) => ({
  TLS: '',
  ...otherConstants({
    PUSH_THREAD_BYTES: 2 * 1024,
    LIMIT_JSON_BYTES: LIMIT_MEGABYTES * 1024 ** 2,
    ...more,
  }),
});

let driver: Driver;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
});
afterAll(() => driver.close());

interface Planned {
  readonly lost: readonly object[];
}

interface Source {
  readonly id: string;
  readonly data_source_id: string;
  readonly path: string;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const post = async (
  { address, apiKey }: ServiceProcess,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const register = async (
  service: ServiceProcess,
  template = 'identity_provider',
): Promise<Source> => {
  const path = '/api/v1/providers/custom';
  const created = async (at: string, body: object): Promise<string> => {
    const answer = await post(service, at, body);
    return (answer.body.value as { id: string }).id;
  };
  const id = await created(path, { name: randomUUID(), custom_template: template });
  const data_source_id = await created(`${path}/${id}/datasources`, { id, name: 'Main' });
  return { id, data_source_id, path: `${path}/${id}/datasources/${data_source_id}:push` };
};

const directory = (count: number, more: object = {}): object => ({
  name: 'Directory',
  idp_type: 'ldap',
  domains: [{ name: 'example.com' }],
  users: Array.from({ length: count }, (_, at) => ({
    name: `user${at}`,
    email: `user${at}@example.com`,
    assumed_role_arns: at < 3 ? [{ identity: `arn:aws:iam::1:role/r${at}` }] : [],
  })),
  groups: [],
  apps: [],
  ...more,
});

const push = (
  service: ServiceProcess,
  source: Source,
  json_data: string,
  more: object = {},
): Promise<Answer> => {
  const { id, data_source_id, path } = source;
  return post(service, path, { id, data_source_id, json_data, ...more });
};

const usersOf = async ({ data_source_id }: Source): Promise<unknown> => {
  const { records } = await driver.executeQuery(
    'MATCH (u:IdpUser {data_source: $source}) RETURN count(u) AS users',
    { source: data_source_id },
    { database: testNeo4j().database },
  );
  return Number(records[0]?.get('users'));
};

describe('a large push', () => {
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await startServiceProcess(settings());
  });
  afterAll(() => service.stop());

  test('is what a small one is, to its client and in the graph', async () => {
    const [large, small] = [await register(service), await register(service)];
    const json = JSON.stringify(directory(500));
    const answer = await push(service, large, json);
    expect(answer).toMatchObject({
      status: 200,
      body: { unchanged: false, put: { nodes: 501 }, removed: { nodes: 0 } },
    });
    expect(answer.body.warnings).toHaveLength(3);
    expect(Object.keys(answer.body)).toEqual([
      'warnings',
      'push_id',
      'at',
      'unchanged',
      'put',
      'removed',
      'digest',
    ]);
    // One that stays small as long as it is compressed, and one that never is large.
    const packed = gzipSync(json).toString('base64');
    expect(await push(service, large, packed, { compression_type: 'GZIP' })).toMatchObject({
      status: 200,
      body: { unchanged: true, digest: answer.body.digest },
    });
    const users = (directory(500) as { users: object[] }).users.slice(0, 4);
    const few = await push(service, small, JSON.stringify(directory(0, { users })));
    expect(few).toMatchObject({ status: 200, body: { put: { nodes: 5 } } });
    expect(few.body.warnings).toEqual(answer.body.warnings);
    expect(await usersOf(large)).toBe(500);
  });

  test('is planned like a small one, in a thread too, and then does what was planned', async () => {
    const source = await register(service);
    const { id, data_source_id } = source;
    const envelope = { id, data_source_id, json_data: JSON.stringify(directory(500)) };
    const planned = await post(service, source.path.replace(':push', ':plan'), envelope);
    expect(planned).toMatchObject({
      status: 200,
      body: { put: { nodes: 501 }, nodes: { total: 501, truncated: false } },
    });
    expect(await usersOf(source)).toBe(0);
    const { warnings, unchanged, put, removed, digest } = planned.body;
    expect(await push(service, source, envelope.json_data)).toMatchObject({
      status: 200,
      body: { warnings, unchanged, put, removed, digest },
    });
  });

  // The thread changes and compares a copy of the graph that the main thread has.
  test('says in its plan who would gain and lose what, as the push then does', async () => {
    const source = await register(service, 'application');
    const { id, data_source_id } = source;
    const users = (from: number): readonly string[] =>
      Array.from({ length: 200 }, (_, at) => `user${from + at}`);
    await push(service, source, wikiOf(users(0)));
    for (const json_data of [wikiOf(users(50)), wikiOf(users(50)), wikiOf(users(20))]) {
      const envelope = { id, data_source_id, json_data };
      const planned = await post(service, source.path.replace(':push', ':plan'), envelope);
      const pushed = await push(service, source, json_data);
      const { access_changes } = planned.body as { access_changes: { values: Planned[] } };
      const changes = await fetch(
        `${service.address}/api/v1/access:changes?page_size=1000&push=${String(pushed.body.push_id)}`,
        { headers: { authorization: `Bearer ${service.apiKey}` } },
      );
      const { total, values } = (await changes.json()) as { total: number; values: Planned[] };
      const rows = values.map((value) => ({ ...value, explain: undefined }));
      // A plan has those first who would lose something.
      const [losing, gaining] = [true, false].map((isLosing) =>
        rows.filter(({ lost }) => lost.length > 0 === isLosing),
      );
      expect(
        access_changes.values.map((value) => ({
          ...value,
          explain: undefined,
          human: undefined,
          is_person: undefined,
        })),
      ).toEqual([...(losing ?? []), ...(gaining ?? [])]);
      expect(access_changes).toMatchObject({ total, truncated: false });
      expect(total).toBe(pushed.body.unchanged === true ? 0 : values.length);
    }
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('is taken under Content-Encoding %s', async (encoding, compress) => {
    const { path, ...ids } = await register(service);
    const json_data = JSON.stringify(directory(300));
    const body = compress(JSON.stringify({ ...ids, json_data }));
    const answer = await post(service, path, body, { 'content-encoding': encoding });
    expect(answer).toMatchObject({ status: 200, body: { put: { nodes: 301 } } });
  });

  test('is taken in parts', async () => {
    const source = await register(service);
    const path = source.path.replace(':push', ':parts');
    const bytes = Buffer.from(JSON.stringify(directory(300)));
    const { upload_id } = (await post(service, path, { operation: 'start' })).body;
    for (const [index, part] of [bytes.subarray(0, 7001), bytes.subarray(7001)].entries()) {
      const data = part.toString('base64');
      const sequence_number = index + 1;
      await post(service, path, { operation: 'upload', upload_id, sequence_number, data });
    }
    const complete = { operation: 'complete', upload_id, sequence_count: 2 };
    const answer = await post(service, path, complete);
    expect(answer).toMatchObject({ status: 200, body: { put: { nodes: 301 } } });
    expect(await usersOf(source)).toBe(300);
  });

  test.each([
    ['a part', 200, 'upload'],
    ['a request to complete', 413, 'complete'],
  ])(
    'as %s whose body is large is read in a thread of its own, and answered %d',
    async (_what, status, operation) => {
      const source = await register(service);
      const path = source.path.replace(':push', ':parts');
      const { upload_id } = (await post(service, path, { operation: 'start' })).body;
      const data = Buffer.from(JSON.stringify(directory(300))).toString('base64');
      const counts = { sequence_number: 1, sequence_count: 1 };
      const answer = await post(service, path, { operation, upload_id, data, ...counts });
      expect(answer.status).toBe(status);
    },
  );

  test('is refused with all that is wrong, and writes nothing', async () => {
    const source = await register(service);
    const users = Array.from({ length: 300 }, (_, at) => ({ name: at }));
    const answer = await push(service, source, JSON.stringify(directory(0, { users })));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'InvalidArgument',
        message: expect.stringMatching(
          /There are 300 problems; the first 100 are listed/,
        ) as string,
        details: [{ total: 300 }],
      },
    });
    expect(await usersOf(source)).toBe(0);
  });

  test('of another data source than the path names is refused', async () => {
    const [one, other] = [await register(service), await register(service)];
    const answer = await push(
      service,
      { ...one, path: other.path },
      JSON.stringify(directory(100)),
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ field_violations: [{ code: 'ID_MISMATCH', pointer: '/id' }] }] },
    });
  });

  test.each([
    ['a gzip that grows beyond the limit', 413, () => ' '.repeat(LIMIT_MEGABYTES * 1.1e6), 'GZIP'],
    ['lists nested a million deep', 400, () => '['.repeat(1e6) + ']'.repeat(1e6), 'none'],
    [
      'objects nested a million deep',
      400,
      () => `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`,
      'GZIP',
    ],
    [
      'users nested a million deep',
      400,
      () =>
        JSON.stringify(directory(0, { users: 'X' })).replace(
          '"X"',
          '['.repeat(1e6) + ']'.repeat(1e6),
        ),
      'GZIP',
    ],
    [
      'a list of lists as long as the limit allows',
      400,
      () => `[${'[],'.repeat(LIMIT_MEGABYTES * 0.3e6)}[]]`,
      'GZIP',
    ],
    [
      'as many users without a name as the limit allows',
      400,
      () =>
        JSON.stringify(directory(0, { users: 'X' })).replace(
          '"X"',
          `[${'{},'.repeat(LIMIT_MEGABYTES * 0.08e6)}{}]`,
        ),
      'GZIP',
    ],
  ])('that is %s is answered %d, and the service lives', async (_name, status, json, kind) => {
    const source = await register(service);
    const text = json();
    const data = kind === 'GZIP' ? gzipSync(text, { level: 1 }).toString('base64') : text;
    const answer = await push(service, source, data, { compression_type: kind });
    expect(answer.status).toBe(status);
    expect(await usersOf(source)).toBe(0);
    expect((await push(service, source, JSON.stringify(directory(100)))).status).toBe(200);
  });

  test('through SCIM: a group of many members is read, planned and written in a thread', async () => {
    const { data_source_id } = await register(service);
    const members = Array.from({ length: 4_000 }, (_, at) => ({ value: `user-${at}` }));
    const { status, body } = await post(service, `/scim/v2/${data_source_id}/Groups`, {
      displayName: 'everybody',
      members,
    });
    expect([status, (body.members as unknown[]).length]).toEqual([201, members.length]);
    const answer = await fetch(`${service.address}/scim/v2/${data_source_id}/Groups`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    expect(await answer.json()).toMatchObject({ totalResults: 1, Resources: [{ id: body.id }] });
  });

  test('whose body is a bomb under Content-Encoding is answered 413', async () => {
    const { path } = await register(service);
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '), { level: 1 });
    const answer = await post(service, path, bomb, { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 413, body: { code: 'PayloadTooLarge', details: [] } });
  });
});

test('a push that needs more memory than one may take is answered 413; the next one is taken', async () => {
  const most = 64 * 1024 ** 2;
  const service = await startServiceProcess(
    settings({ LIMIT_JSON_BYTES: most, PUSH_THREAD_MEMORY: most }),
  );
  const source = await register(service);
  expect((await push(service, source, JSON.stringify(directory(50)))).status).toBe(200);
  const tooMuch = gzipSync(JSON.stringify(directory(400_000)), { level: 1 }).toString('base64');
  const answer = await push(service, source, tooMuch, { compression_type: 'GZIP' });
  expect(answer).toMatchObject({
    status: 413,
    body: {
      code: 'PayloadTooLarge',
      message: expect.stringMatching(
        /a push may take 64m\. Give the service \d+[mg] \(its container's limit, or MEMORY\)/,
      ) as string,
    },
  });
  // Judged by its text: no thread runs out of memory.
  expect(service.printed()).not.toContain('ERR_WORKER_OUT_OF_MEMORY');
  expect(await usersOf(source)).toBe(50);
  expect((await push(service, source, JSON.stringify(directory(60)))).status).toBe(200);
  expect(await usersOf(source)).toBe(60);
  await service.stop();
});

test('pushes wait for a thread, as many as may; more are answered 429', async () => {
  const service = await startServiceProcess(settings({ LIMIT_PUSHES_WAITING: 1 }));
  const sources = [await register(service), await register(service), await register(service)];
  const json = JSON.stringify(directory(100));
  const sent = await whileLocked(idsOf(sources), async () => {
    const all = sources.map((source) => push(service, source, json));
    expect((await Promise.race(all)).status).toBe(429);
    return { all };
  });
  const answers = await Promise.all(sent.all);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  expect(answers.find(({ status }) => status === 429)).toMatchObject({
    body: {
      code: 'ResourceExhausted',
      message: 'Too many large pushes are waiting; try again later.',
    },
  });
  await service.stop();
});

test('large pushes of one key leave places to others, and a key takes half of the places', async () => {
  const service = await startServiceProcess(settings({ LIMIT_PUSHES_WAITING: 2 }));
  const mine = await register(service);
  const theirs = await register(service);
  const path = theirs.path.slice(0, theirs.path.lastIndexOf('/'));
  const sources = [theirs];
  for (let more = 0; more < 4; more += 1) {
    const made = await post(service, path, { id: theirs.id, name: `more ${more}` });
    const { id } = made.body.value as { id: string };
    sources.push({ id: theirs.id, data_source_id: id, path: `${path}/${id}:push` });
  }
  const made = await post(service, '/api/preview/teamkeys', {
    name: 'greedy',
    scopes: ['push'],
    providers: [theirs.id],
  });
  const [, apiKey = ''] = /"access_key":"([^"]+)"/.exec(JSON.stringify(made.body)) ?? [];
  const greedy: ServiceProcess = { ...service, apiKey };
  const json = JSON.stringify(directory(100));
  const sent = await whileLocked(idsOf(sources), async () => {
    const all = sources.map((source) => push(greedy, source, json));
    // One push runs, and as many wait as may.
    expect((await Promise.race(all)).status).toBe(429);
    const other = push(service, mine, json);
    while ((await waitingPushes(service)) < 2) await sleep(20);
    return { all, other };
  });
  expect((await sent.other).status).toBe(200);
  const answers = await Promise.all(sent.all);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.body.message).toBe(
    'The key has as many large pushes waiting as one key may have; try again later.',
  );
  await service.stop();
});

test('a stop finishes the large push that runs', async () => {
  const service = await startServiceProcess(settings());
  const source = await register(service);
  const ending = await whileLocked(idsOf([source]), async (locked) => {
    const answer = push(service, source, JSON.stringify(directory(100)));
    await locked.untilAwaited();
    const stopped = service.stop();
    while (await isAnswering(service));
    return { answer, stopped };
  });
  expect((await ending.answer).status).toBe(200);
  await ending.stopped;
  expect(await usersOf(source)).toBe(100);
});

test('a large push is answered 503 while Neo4j is away, and taken once it is back', async () => {
  const proxy = await breakableProxy(testNeo4j().uri);
  const service = await startServiceProcess({
    ...settings(),
    NEO4J_URI: `bolt://127.0.0.1:${proxy.port}`,
  });
  const source = await register(service);
  const json = JSON.stringify(directory(100));
  await whileLocked(idsOf([source]), async (locked) => {
    const cut = push(service, source, json);
    await locked.untilAwaited();
    await proxy.cut();
    expect(await cut).toMatchObject({ status: 503, body: { code: 'Unavailable' } });
  });
  expect(service.printed()).toContain('Neo4j does not answer; requests that need it');
  expect(await usersOf(source)).toBe(0);
  await proxy.mend();
  expect((await push(service, source, json)).status).toBe(200);
  await service.stop();
  await proxy.cut();
});

const idsOf = (sources: readonly Source[]): readonly string[] =>
  sources.map(({ data_source_id }) => data_source_id);

const waitingPushes = async ({ address, apiKey }: ServiceProcess): Promise<number> => {
  const answer = await fetch(`${address}/metrics`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return Number(/^grantgraph_pushes_waiting (\d+)$/m.exec(await answer.text())?.[1]);
};

/** Whether the service takes requests. */
const isAnswering = ({ address }: ServiceProcess): Promise<boolean> =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  );
