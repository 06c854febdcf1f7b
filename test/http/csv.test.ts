/** @more access */

import { once } from 'node:events';
import { request } from 'node:http';

import { parse } from 'csv-parse/sync';
import express from 'express';
import * as TE from 'fp-ts/TaskEither';
import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { setTellExport } from '../../src/web/exchange/tell-export';
import { asCsv } from '../../src/web/lists/listed';
import { setLookAgain } from '../../src/web/exchange/still-admitted';
import { keyOf, pushCompany } from './company';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;
let source: string;
beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  const { path, ...ids } = await service.register();
  source = path.replace(/:push$/, '');
  const users = ['=1+1', '+1', '-1', '@SUM(A1)', 'a "b", c'].map((name, at) => ({
    name,
    identity: `user${at}`,
    email: `user${at}@evil.example`,
  }));
  const payload = { name: 'Evil', idp_type: 'custom', domains: [{ name: 'evil.example' }], users };
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect(answer.status).toBe(200);
});
afterAll(() => service.close());

type Line = Readonly<Record<string, string>>;

const csvOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await service.send('get', path).set(headers).buffer();
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  return answer.text;
};

const linesOf = async (path: string, headers?: Record<string, string>): Promise<readonly Line[]> =>
  parse(await csvOf(path, headers), { columns: true });

const valuesOf = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { body } = (await service.send('get', path)) as { body: unknown };
  const { values, events } = body as { values: []; events: [] };
  return values ?? events;
};

test('CSV of entities has all of them, with a column for each declared property', async () => {
  const lines = await linesOf('/api/v1/entities?label=IdpUser', { accept: 'text/csv' });
  const values = await valuesOf('/api/v1/entities?label=IdpUser&page_size=10000');
  expect(lines.map(({ id }) => id)).toEqual(values.map(({ id }) => id));
  const nadia = lines.find(({ name }) => name === 'Nadia Haddad');
  expect(nadia).toMatchObject({ label: 'IdpUser', is_active: 'true' });
  expect(Object.keys(nadia ?? {})).toEqual(expect.arrayContaining(['email', 'other_properties']));
});

test('CSV goes through all pages', async () => {
  const [{ count }] = (await ask(service.graph, 'MATCH (n:Event) RETURN count(n) AS count')) as [
    { count: number },
  ];
  expect(await linesOf('/api/v1/events?format=csv')).toHaveLength(count);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)'])(
  'a text that a spreadsheet would run gets an apostrophe: %j',
  async (name) => {
    const lines = await linesOf('/api/v1/entities?label=IdpUser&format=csv');
    expect(lines.map((line) => line.name)).toContain(`'${name}`);
    expect(
      lines.flatMap((line) => Object.values(line)).filter((cell) => /^[=+\-@\t\r]/.test(cell)),
    ).toEqual([]);
  },
);

test('a line break within a text begins no cell', async () => {
  const text = await csvOf('/api/v1/entities?label=IdpUser&format=csv');
  expect(text).toContain('"a ""b"", c"');
  // Names have no line breaks. What a query makes may have some.
  const parameters = { texts: ['x\r=1+1', '\tx', '\rx'] };
  const cypher = 'UNWIND $texts AS text RETURN text';
  const answer = await service.post('/api/v1/query?format=csv', { cypher, parameters }).buffer();
  expect(answer.text).toBe('text\r\n"x\r\'=1+1"\r\n"\'\tx"\r\n"\'\rx"\r\n');
});

test('CSV of access has a line for each permission', async () => {
  const principal = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const query = new URLSearchParams({ principal }).toString();
  const values = await valuesOf(`/api/v1/access?${query}&page_size=10000`);
  const lines = await linesOf(`/api/v1/access?${query}&format=csv`);
  expect(lines.map(({ id, permission }) => [id, permission])).toEqual(
    values.flatMap(({ id, permissions }) =>
      (permissions as { name: string }[]).map(({ name }) => [id, name]),
    ),
  );
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const who = await linesOf(
    `/api/v1/access?${new URLSearchParams({ resource }).toString()}&format=csv`,
  );
  expect(who.map(({ id }) => id)).toContain(principal);
});

test('CSV of pushes', async () => {
  const values = await valuesOf(`${source}/pushes`);
  const lines = await linesOf(`${source}/pushes?format=csv`);
  expect(lines.map(({ id, outcome }) => ({ id, outcome }))).toEqual(
    values.map(({ id, outcome }) => ({ id, outcome })),
  );
});

test('others are answered while the service makes a page of many lines', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const page = { has_more: false, next_page_token: '' };
  const send = asCsv(() => TE.right(page), {
    columns: () => [{ name: 'turn', cell: () => turns }],
    rowsOf: () =>
      Array.from({ length: 5_000 }, () => ({
        texts: Array.from({ length: 20 }, () => 'x'.repeat(50)),
      })),
  });
  const app = express();
  setTellExport(app, () => TE.right(undefined));
  app.get('/', async (req, res) => {
    res.locals.found = { ofPath: [], route: undefined, params: {} };
    setLookAgain(res, () => Promise.resolve({ scopes: ['read'], providers: null, role: null }));
    await send(req, res)();
  });
  count();
  const { text } = await supertest(app).get('/').buffer();
  isOver = true;
  const lines = parse(text, { columns: true }) as readonly Line[];
  expect(lines).toHaveLength(5_000);
  expect(new Set(lines.map(({ turn }) => turn)).size).toBeGreaterThan(4);
});

test('CSV of a query has all rows, beyond the limit of JSON', async () => {
  const cypher = "UNWIND range(1, 5000) AS n RETURN n AS `=n`, 'x' AS text, [n] AS list";
  const answer = await service.post('/api/v1/query?format=csv', { cypher }).buffer();
  expect(answer.status).toBe(200);
  const lines = parse(answer.text) as readonly (readonly string[])[];
  expect(lines[0]).toEqual(["'=n", 'text', 'list']);
  expect(lines).toHaveLength(5001);
  expect(lines.at(-1)).toEqual(['5000', 'x', '[5000]']);
  const none = await service.post('/api/v1/query?format=csv', {
    cypher: 'UNWIND [] AS n RETURN n AS a',
  });
  expect(none.text).toBe('a\r\n');
});

test.each([
  ['MATCH (n) DELETE n', 'NOT_READING'],
  ['RETURN', 'BAD_CYPHER'],
  [
    `UNWIND range(1, 100) AS n RETURN reduce(t = '', i IN range(1, 20000) | t + 'x') AS t`,
    'BAD_CYPHER',
  ],
])('a query that is refused is refused as CSV too: %s', async (cypher, code) => {
  const answer = await service.post('/api/v1/query?format=csv', { cypher });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(code);
});

test('a failure behind the first rows cuts the answer', async () => {
  const cypher = 'UNWIND range(1, 1000) AS n RETURN 1 / (999 - n) AS x';
  const { port, close } = await listenLocally(service.app);
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?format=csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}` },
    body: JSON.stringify({ cypher }),
  });
  await expect(answer.text()).rejects.toThrow();
  await close();
});

test('a file breaks off when its key is revoked while it is read', async () => {
  const made = await service
    .post('/api/preview/teamkeys', { name: 'Long file', scopes: ['read', 'cypher'] })
    .expect(200);
  const { id, access_key } = (made.body as { value: { id: string; access_key: string } }).value;
  const { port, close } = await listenLocally(service.app);
  const text = 'x'.repeat(1_000);
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?format=csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_key}`, 'accept-encoding': 'identity' },
    body: JSON.stringify({ cypher: `UNWIND range(1, 60000) AS n RETURN n, '${text}' AS text` }),
  });
  const reading = answer.body?.getReader();
  await reading?.read();
  // More is to come than the connection holds.
  await service.post(`/api/preview/teamkeys/${id}:revoke`, {}).expect(200);
  const rest = async (): Promise<void> => {
    while ((await reading?.read())?.done === false);
  };
  await expect(rest()).rejects.toThrow();
  await close();
});

test('a client that leaves ends its query in Neo4j', async () => {
  const { port, close } = await listenLocally(service.app);
  // The first rows come at once; the next one never does.
  const cypher =
    'UNWIND range(1, 100000000000) AS n WITH n WHERE n < 1000 OR n = 100000000000 RETURN n';
  const asking = request({
    port,
    method: 'POST',
    path: '/api/v1/query?format=csv',
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  asking.on('error', () => undefined);
  asking.end(JSON.stringify({ cypher }));
  const [answer] = (await once(asking, 'response')) as [NodeJS.ReadableStream];
  await once(answer, 'data');
  const running = async (): Promise<number> =>
    (
      await ask(
        service.graph,
        "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS '100000000000' AND NOT currentQuery STARTS WITH 'SHOW' RETURN 1",
      )
    ).length;
  expect(await running()).toBe(1);
  asking.destroy();
  while ((await running()) > 0);
  await service.running.settled();
  await close();
});

test('a page is refused as CSV, since a table has all rows', async () => {
  for (const query of ['page_size=3', 'page_token=x']) {
    const answer = await service.send('get', `/api/v1/entities?format=csv&${query}`);
    expect(answer.status).toBe(400);
  }
  expect((await service.send('get', '/api/v1/entities?format=xml')).status).toBe(400);
  expect((await service.send('get', '/api/v1/events?format=xml')).status).toBe(400);
});
