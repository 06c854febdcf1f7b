import { request } from 'node:http';

import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { LOCK_DATA_SOURCE } from '../../src/graph/statements/data-source-statements';
import { testNeo4j } from '../support/neo4j';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

const MOST = 5;

let service: ServiceUnderTest;
let listening: Awaited<ReturnType<typeof listenLocally>>;
let direct: Graph;

beforeAll(async () => {
  service = await serviceUnderTest({ keyRequests: MOST, eventStreams: 100 });
  listening = await listenLocally(service.app);
  direct = openGraph(testNeo4j());
});
afterAll(async () => {
  await listening.close();
  await service.close();
  await closeGraph(direct);
});

/** Sends a request and gives its status as soon as it comes; `end` ends the request. */
const sent = (key: string, method: string, path: string) => {
  const asking = request({
    port: listening.port,
    path,
    method,
    headers: { authorization: `Bearer ${key}` },
  });
  const status = new Promise<number>((resolve) =>
    asking.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }),
  );
  asking.on('error', () => undefined);
  asking.end();
  return { status, end: () => asking.destroy() };
};

const otherKey = async (): Promise<string> => {
  const made = await service.post('/api/preview/teamkeys', { name: 'Other', scopes: ['read'] });
  return (made.body as { value: { access_key: string } }).value.access_key;
};

test('one key has so many requests under way; others find room', async () => {
  const other = await otherKey();
  const streams = Array.from({ length: MOST }, () => sent(API_KEY, 'GET', '/api/v1/events:stream'));
  for (const { status } of streams) expect(await status).toBe(200);
  expect(await sent(API_KEY, 'GET', '/api/v1/history').status).toBe(429);
  expect(await sent(other, 'GET', '/api/v1/history').status).toBe(200);
  // What needs no key is for everybody.
  expect(await sent(API_KEY, 'GET', '/healthz').status).toBe(200);
  streams[0]?.end();
  while ((await sent(API_KEY, 'GET', '/api/v1/history').status) === 429);
  for (const { end } of streams) end();
});

test('verifications of one data source hold one connection, however many wait', async () => {
  const many = await serviceUnderTest({}, { keep: true });
  const ids = await many.register();
  const session = direct.driver.session({ database: direct.database });
  const holder = session.beginTransaction();
  await holder.run(LOCK_DATA_SOURCE, { data_source: ids.data_source_id, push: 'another' });
  const path = ids.path.replace(/:push$/, ':verify');
  const all = Array.from({ length: 20 }, async () => await many.post(path, {}));
  const blocked = async (): Promise<number> => {
    const [row] = await ask(
      direct,
      "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS count",
    );
    return Number(row?.count);
  };
  while ((await blocked()) === 0);
  for (let at = 0; at < 20; at += 1) await many.send('get', '/api/v1/history').expect(200);
  expect(await blocked()).toBe(1);
  await holder.rollback();
  await session.close();
  for (const answer of all) expect((await answer).status).toBe(200);
  await many.close();
});
