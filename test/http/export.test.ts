/** @more access */
import { once } from 'node:events';
import { get as request } from 'node:http';
import { gunzipSync } from 'node:zlib';

import { parse } from 'csv-parse/sync';
import * as E from 'fp-ts/Either';
import supertest from 'supertest';

import type { ExportedAccess } from '../../src/contract/answers/questions/access';
import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { accessExportsOf, exportTurnsOf } from '../../src/questions/in-context';
import { pushCompany } from './company';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

const EXPORT = '/api/v1/access:export';

// Few at once, so that the rows of one principal come in several pieces.
const SIZES = { cursorEvery: 7, memoryBytes: 64 * 1024 * 1024 };

let service: ServiceUnderTest;
/** All rows, without and with explanations. The service sends them in many small pieces. */
let rows: readonly ExportedAccess[];
let explained: readonly ExportedAccess[];

beforeAll(async () => {
  service = await serviceUnderTest({ exports: SIZES });
  await pushCompany(service);
  rows = rowsIn(await textOf());
  explained = rowsIn(await textOf('?explain=true'));
});
afterAll(() => service.close());

const textOf = async (query = ''): Promise<string> => {
  const answer = await service.send('get', `${EXPORT}${query}`).buffer();
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.text;
};

const rowsIn = (text: string): readonly ExportedAccess[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedAccess);

const withoutCursor = ({ cursor: _, is_last: __, ...row }: ExportedAccess) => row;

/** All that `/api/v1/access` answers for each principal of the graph. */
const everyAnswer = async (): Promise<ReadonlyMap<string, unknown>> => {
  const principals = await ask(
    service.graph,
    `MATCH (who:Principal) RETURN who.key AS key
     UNION MATCH (who:Resource)-[:CONNECTS_TO]->() RETURN who.key AS key`,
  );
  const all = new Map<string, unknown>();
  for (const { key } of principals) {
    const query = new URLSearchParams({ principal: String(key), page_size: '10000' }).toString();
    const { body } = (await service.send('get', `/api/v1/access?${query}`)) as { body: unknown };
    const { values } = body as {
      values: readonly { id: string; permissions: readonly Record<string, unknown>[] }[];
    };
    for (const { id, permissions } of values) {
      const held = permissions.map(({ name, permission_type }) => ({ name, permission_type }));
      all.set(JSON.stringify([key, id]), held);
    }
  }
  return all;
};

test('an export is the union of what the list of access answers for each principal', async () => {
  const exported = new Map(
    rows.map(({ principal, resource, permissions }) => [
      JSON.stringify([principal.id, resource.id]),
      permissions,
    ]),
  );
  expect(exported.size).toBe(rows.length);
  expect(exported).toEqual(await everyAnswer());
  expect(rows.length).toBeGreaterThan(300);
});

test('an export of one principal has the rows that the export of all has for it', async () => {
  const principals = [...new Set(rows.map(({ principal }) => principal.id))];
  for (const id of principals.filter((_, at) => at % 12 === 0)) {
    const query = new URLSearchParams({ principal: id }).toString();
    expect(rowsIn(await textOf(`?${query}`)).map(withoutCursor)).toEqual(
      rows.filter(({ principal }) => principal.id === id).map(withoutCursor),
    );
  }
});

test('an event tells who exports', async () => {
  await textOf('?format=csv');
  const { body } = (await service.send('get', '/api/v1/events?page_size=1')) as { body: unknown };
  expect((body as { values: readonly unknown[] }).values).toMatchObject([
    {
      event_type: 'DATA_EXPORTED',
      metadata: { what: 'access', format: 'csv', by: { name: expect.any(String) as string } },
    },
  ]);
});

test('the last line of an export says that it is the last, and no other line does', async () => {
  const places = (some: readonly ExportedAccess[]): readonly number[] =>
    some.flatMap(({ is_last }, at) => (is_last === true ? [at] : []));
  for (const some of [rows, explained]) expect(places(some)).toEqual([some.length - 1]);
  const [late = ''] = rows.flatMap(({ cursor = [] }) => cursor).slice(-2);
  const rest = rowsIn(await textOf(`?cursor=${late}`));
  expect(places(rest)).toEqual([rest.length - 1]);
});

test('each row says of which push it is', async () => {
  const { body } = (await service.send('get', '/api/v1/entities?page_size=1')) as { body: unknown };
  const { as_of } = body as { as_of: unknown };
  for (const row of rows) expect(row.as_of).toEqual(as_of);
});

test('an export goes on behind any of its cursors', async () => {
  const cursors = rows.flatMap(({ cursor }, at) => (cursor === undefined ? [] : [{ cursor, at }]));
  expect(cursors.length).toBeGreaterThan(rows.length / SIZES.cursorEvery - 1);
  for (const { cursor, at } of [...cursors.slice(3, 8), ...cursors.slice(-1)]) {
    const rest = rowsIn(await textOf(`?cursor=${cursor}`));
    expect(rest.map(withoutCursor)).toEqual(rows.slice(at + 1).map(withoutCursor));
  }
});

test.each(['x', 'MDAwMDAwMDAwMDAwMDAwMA', `${'A'.repeat(80)}`])(
  'a cursor of nobody is refused: %s',
  async (cursor) => {
    const answer = await service.send('get', `${EXPORT}?cursor=${cursor}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('/cursor');
  },
);

test('with explain each row has the first path that the explanation gives', async () => {
  expect(explained.map(({ principal, resource }) => [principal.id, resource.id])).toEqual(
    rows.map(({ principal, resource }) => [principal.id, resource.id]),
  );
  for (const { principal, resource, explanation } of explained.filter((_, at) => at % 40 === 0)) {
    const pair = { principal: principal.id, resource: resource.id };
    const { body } = (await service.send(
      'get',
      `/api/v1/access:explain?${new URLSearchParams(pair).toString()}`,
    )) as { body: unknown };
    const { paths } = (body as { value: { paths: { hops: unknown[] }[] } }).value;
    expect(paths).toContainEqual(explanation);
    expect(explanation?.hops).toHaveLength(paths[0]?.hops.length ?? -1);
  }
});

test('CSV has a line for each permission, and the cursor of a row on its last line', async () => {
  const answer = await service.send('get', EXPORT).set('accept', 'text/csv').buffer();
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  const lines = parse(answer.text, { columns: true }) as readonly Record<string, string>[];
  const told = lines.map(({ principal_id, resource_id, permission, permission_types }) => [
    principal_id,
    resource_id,
    permission,
    permission_types,
  ]);
  expect(told).toEqual(
    rows.flatMap(({ principal, resource, permissions }) =>
      permissions.map(({ name, permission_type }) => [
        principal.id,
        resource.id,
        name,
        permission_type.join(' '),
      ]),
    ),
  );
  expect(lines.filter(({ cursor }) => cursor !== '')).toHaveLength(
    rows.filter(({ cursor }) => cursor !== undefined).length,
  );
  const [late = ''] = rows.flatMap(({ cursor = [] }) => cursor).slice(-3);
  expect(await textOf(`?format=csv&explain=true&cursor=${late}`)).toContain(' → ');
});

test('a client that accepts gzip gets gzip', async () => {
  const { port, close } = await listenLocally(service.app);
  const headers = { authorization: `Bearer ${API_KEY}`, 'accept-encoding': 'gzip' };
  const [answer] = (await once(request({ port, path: EXPORT, headers }), 'response')) as [
    AsyncIterable<Buffer> & { headers: Record<string, string> },
  ];
  expect(answer.headers['content-encoding']).toBe('gzip');
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  expect(rowsIn(gunzipSync(Buffer.concat(pieces)).toString()).map(withoutCursor)).toEqual(
    rows.map(withoutCursor),
  );
  await close();
});

test('a client that leaves ends the export, and no statement goes on in Neo4j', async () => {
  const { port, close } = await listenLocally(service.app);
  const headers = { authorization: `Bearer ${API_KEY}` };
  const asking = request({ port, path: `${EXPORT}?explain=true`, headers });
  const [answer] = (await once(asking, 'response')) as [NodeJS.ReadableStream];
  await once(answer, 'data');
  asking.on('error', () => undefined);
  asking.destroy();
  await service.running.settled();
  const isRunning = async (): Promise<boolean> =>
    (
      await ask(
        service.graph,
        "SHOW TRANSACTIONS YIELD currentQuery WHERE NOT currentQuery STARTS WITH 'SHOW' RETURN currentQuery",
      )
    ).length > 0;
  while (await isRunning());
  await close();
});

// Before, an export that had begun went on to name an erased person, for up to an hour.
test('an export ends when the process loads its graph again, and goes on at its cursor', async () => {
  const exporting = await accessExportsOf(service.context)({
    cursor: '',
    subject: null,
    isExplained: false,
    format: 'ndjson',
    left: new AbortController().signal,
  })();
  if (E.isLeft(exporting)) throw new Error(JSON.stringify(exporting.left));
  const first = await exporting.right.next();
  if (first.done === true || E.isLeft(first.value)) throw new Error('the export has no rows');
  const before = rowsIn(Buffer.from(first.value.right).toString());
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run('MATCH (lock:BindingLock) SET lock.epoch = randomUUID()'),
  );
  expect((await service.send('get', `${EXPORT}?principal=x`)).status).toBe(404);
  expect(await exporting.right.next()).toMatchObject({
    value: { left: { message: expect.stringContaining('last cursor') as string } },
  });
  expect((await exporting.right.next()).done).toBe(true);
  const rest = rowsIn(await textOf(`?cursor=${before.at(-1)?.cursor}`));
  expect([...before, ...rest].map(withoutCursor)).toEqual(rows.map(withoutCursor));
});

test('a key has half of the exports that may run at once', async () => {
  const hasty = await serviceUnderTest({ questionWaitSeconds: 0.2 }, { keep: true });
  let end: (done: E.Either<never, void>) => void = () => undefined;
  const running = new Promise<E.Either<never, void>>((resolve) => (end = resolve));
  const { exportsAtOnce } = hasty.context.config.limits;
  const turns = exportTurnsOf(hasty.context);
  const held = Array.from({ length: exportsAtOnce / 2 }, () =>
    turns.run({ key: '' }, () => running)(),
  );
  expect((await hasty.send('get', EXPORT)).status).toBe(429);
  expect(turns.waitingCount).toBe(0);
  end(E.right(undefined));
  await Promise.all(held);
  expect((await hasty.send('get', EXPORT)).status).toBe(200);
  await hasty.close();
});

test('HEAD is answered without rows, and a limited key exports nothing', async () => {
  expect(
    (await supertest(service.app).head(EXPORT).set('authorization', `Bearer ${API_KEY}`)).status,
  ).toBe(200);
  expect((await service.send('get', `${EXPORT}?format=xml`)).status).toBe(400);
  expect((await service.send('get', `${EXPORT}?person=true`)).status).toBe(400);
  expect((await service.send('get', `${EXPORT}?whom=x`)).status).toBe(400);
  expect((await service.send('get', `${EXPORT}?principal=x`)).status).toBe(404);
});
