/** @more bounds */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/** Of these two, one lets a query run as long as a test needs it, and the other one ends it soon. */
let service: ServiceUnderTest;
let hasty: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest({ querySeconds: 600, questionWaitSeconds: 0.1 });
  hasty = await serviceUnderTest({ querySeconds: 1 }, { keep: true });
});
afterAll(async () => {
  await service.close();
  await hasty.close();
});

const keyWith = async (name: string, scopes: readonly string[]): Promise<string> => {
  const answer = await service.post('/api/preview/teamkeys', { name, scopes });
  return (answer.body as { value: { access_key: string } }).value.access_key;
};

const query = (key: string, cypher: string, of = service): supertest.Test =>
  supertest(of.app).post('/api/v1/query').set('authorization', `Bearer ${key}`).send({ cypher });

const entities = (key: string): supertest.Test =>
  supertest(service.app).get('/api/v1/entities').set('authorization', `Bearer ${key}`);

/** The transactions of a key, as an operator sees them. */
const runningOf = (key: string) =>
  ask(
    service.graph,
    'SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.key = $key RETURN transactionId',
    { key },
  );

const untilRunning = async (key: string, count: number): Promise<readonly unknown[]> => {
  for (;;) {
    const rows = await runningOf(key);
    if (rows.length === count) return rows.map(({ transactionId }) => transactionId);
    await sleep(20);
  }
};

/** A query that ends by itself, once it was seen at work. It runs again if it ended before somebody looked. */
const seenAtWork = async <A>(
  key: string,
  begin: () => Promise<A>,
): Promise<{ end: Promise<A> }> => {
  for (;;) {
    let hasEnded = false;
    const end = begin().finally(() => (hasEnded = true));
    while (!hasEnded) if ((await runningOf(key)).length === 1) return { end };
    await untilRunning(key, 0);
  }
};

// A loop over rows; some of its words and its lists passed an earlier check of the text.
const ROWS = `UNWIND range(1, 1600000000) AS a
WITH a WHERE falſe OR size(split(toString(a), '')) > 12 RETURN count(a)`;
const SLOW = ROWS.replace('falſe OR ', '');

// A key of an earlier release has one of these, or both of the first ones.
test.each([['read'], ['push'], ['admin'], ['push read']])(
  'a key with the scope %s alone runs no query of its own, and learns what to do',
  async (scope) => {
    const answer = await query(await keyWith('Other', scope.split(' ')), 'RETURN 1');
    expect([answer.status, (answer.body as { message: string }).message]).toEqual([
      403,
      expect.stringMatching(/the scope "cypher".*Saved queries need "read" only/),
    ]);
  },
);

test('a hostile query ends by the limit of Neo4j', async () => {
  const hostile = await keyWith('Ended', ['cypher']);
  const { status, text } = await query(hostile, SLOW, hasty);
  expect([status, text]).toEqual([400, expect.stringContaining('took longer than 1 s')]);
  expect(await runningOf('Ended')).toEqual([]);
  // Letters that only look like a keyword are a name to Neo4j, which says so.
  const tricked = await query(hostile, ROWS);
  expect([tricked.status, tricked.text]).toEqual([400, expect.stringContaining('falſe')]);
});

test('while a hostile query runs, others are answered, and an operator finds it in Neo4j and ends it there', async () => {
  const [hostile, other] = [await keyWith('Hostile', ['cypher']), await keyWith('B', ['read'])];
  const begun = query(hostile, SLOW).then(({ status }) => status);
  const ids = await untilRunning('Hostile', 1);
  // Another one of the same key waits in vain; other keys feel nothing.
  expect((await query(hostile, 'RETURN 1')).status).toBe(429);
  const another = await keyWith('Another', ['cypher', 'read']);
  for (const key of [other, another]) expect((await entities(key)).status).toBe(200);
  expect((await query(another, 'RETURN 1')).status).toBe(200);
  expect(await runningOf('Hostile')).toHaveLength(1);
  await ask(service.graph, 'TERMINATE TRANSACTIONS $ids', { ids });
  expect(await begun).toBe(400);
  expect((await query(hostile, 'RETURN 1')).status).toBe(200);
});

test('a query that needs too much memory is refused, and others are answered', async () => {
  const [greedy, other] = [await keyWith('Greedy', ['cypher']), await keyWith('C', ['read'])];
  const all = 'UNWIND range(1, 1000000000) AS x WITH collect(toString(x)) AS xs RETURN size(xs)';
  const begun = await seenAtWork('Greedy', async () => await query(greedy, all));
  expect((await entities(other)).status).toBe(200);
  const { status, text } = await begun.end;
  expect([status, text]).toEqual([400, expect.stringMatching(/more memory|took longer/)]);
});

test('while a query loops within one row, others are answered, and nobody reads that Neo4j is away', async () => {
  const [looping, other] = [await keyWith('Looping', ['cypher']), await keyWith('D', ['read'])];
  const endless = 'RETURN any(x IN range(1, 300000000) WHERE x < 0) AS found';
  const begun = await seenAtWork('Looping', async () => await query(looping, endless, hasty));
  let hasEnded = false;
  void begun.end.finally(() => (hasEnded = true));
  while (!hasEnded) expect((await entities(other)).status).toBe(200);
  const { status, text } = await begun.end;
  // Neo4j ends it after its row, if that comes before the service gives it up.
  expect([200, 400, 503]).toContain(status);
  expect(text).not.toContain('does not answer');
  await untilRunning('Looping', 0);
});

// A table whose client leaves gave its turn back at once, so a key could have any number of loops.
test.each(['json', 'csv'])(
  'a client that leaves a query in %s keeps the turn of its key until Neo4j has ended it',
  async (format) => {
    const name = `Leaving ${format}`;
    const key = await keyWith(name, ['cypher']);
    const looping = `UNWIND [1, 2] AS row
      WITH row, any(x IN range(1, row * 30000000) WHERE x < 0) AS found RETURN row, found`;
    const server = createServer(service.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const left = new AbortController();
    const { port } = server.address() as AddressInfo;
    const begun = await seenAtWork(name, () =>
      fetch(`http://127.0.0.1:${port}/api/v1/query?format=${format}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ cypher: looping }),
        signal: left.signal,
      })
        .then((answer) => answer.text())
        .catch(() => undefined),
    );
    left.abort();
    await begun.end;
    for (let isRunning = true; isRunning;) {
      const { status } = await query(key, 'RETURN 1');
      isRunning = (await runningOf(name)).length > 0;
      if (isRunning) expect(status).toBe(429);
    }
    for (let status = 429; status !== 200;) ({ status } = await query(key, 'RETURN 1'));
    server.close();
  },
);
