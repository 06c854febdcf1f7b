import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import * as E from 'fp-ts/Either';

import { awaitReady } from '../../src/demo/connector';
import { readConfig } from '../../src/config';
import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { type Service, startService } from '../../src/start/start-service';
import { savedQueries } from '../../src/kit/saved-queries';
import type { SavedQuery } from '../../src/kit/saved-query';
import { clearGraph, testNeo4j } from '../support/neo4j';

let service: Service;
let graph: Graph;
let folder: string;

beforeAll(async () => {
  const neo4j = testNeo4j();
  graph = openGraph(neo4j);
  await clearGraph(graph.driver);
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-questions-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NEO4J_URI: neo4j.uri,
    NEO4J_USER: neo4j.user,
    NEO4J_PASSWORD: neo4j.password,
    NEO4J_DATABASE: neo4j.database,
    LIMIT_ANSWER_SECONDS: '600',
  });
  if (E.isLeft(config)) throw new Error('the settings are wrong');
  const few = { questionsAtOnce: 3, questionsOfKey: 2, questionWaitSeconds: 0.1 };
  service = await startService({
    ...config.right,
    limits: { ...config.right.limits, ...few },
  });
  await awaitReady(service.address, 300);
});
afterAll(async () => {
  await service.stop();
  await closeGraph(graph);
  await rm(folder, { recursive: true });
});

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly message?: string; readonly value?: unknown };
}

const send = async (key: string, path: string, body?: object): Promise<Answered> => {
  const answer = await fetch(`${service.address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Answered['body'],
  };
};

const keyWith = async (...scopes: readonly string[]): Promise<string> => {
  const { body } = await send(service.apiKey, '/api/preview/teamkeys', { name: 'Key', scopes });
  return (body.value as { access_key: string }).access_key;
};

/** A question that lasts, as keys with `read` send it: a saved query of this test. */
const SLOW_QUERY = '/api/v1/queries/test/slow';
const SLOW = 'UNWIND range(1, 1000000000) AS slow RETURN count(slow % 7)';

beforeAll(() => {
  (savedQueries() as SavedQuery[]).push({
    topic: 'test',
    name: 'slow',
    title: 'Slow',
    question: 'How long?',
    rows: 'One row.',
    roles: ['administrator', 'auditor'],
    parameters: [],
    cypher: SLOW,
    text: SLOW,
  });
});

const slowOnes = async (): Promise<readonly string[]> => {
  const rows = await ask(
    graph,
    "SHOW TRANSACTIONS YIELD transactionId, currentQuery WHERE currentQuery STARTS WITH 'UNWIND range(1, 1000000000)' RETURN transactionId",
  );
  return rows.map(({ transactionId }) => String(transactionId));
};

const untilRunning = async (count: number): Promise<readonly string[]> => {
  for (;;) {
    const ids = await slowOnes();
    if (ids.length === count) return ids;
    await sleep(20);
  }
};

test('slow questions of a key stop neither questions of others, nor pushes, nor sign-ins', async () => {
  const [greedy, other, pusher] = [
    await keyWith('read'),
    await keyWith('read'),
    await keyWith('push'),
  ];
  const slow = [1, 2].map(() => send(greedy, SLOW_QUERY, {}));
  const ids = await untilRunning(2);

  const refused = await send(greedy, '/api/v1/entities');
  expect(refused).toMatchObject({
    status: 429,
    retryAfter: expect.stringMatching(/^\d+$/) as unknown,
    body: {
      code: 'ResourceExhausted',
      message: 'The key has 2 questions running; ask again when one is answered.',
    },
  });
  for (const list of ['events', 'providers/custom']) {
    expect([list, (await send(greedy, `/api/v1/${list}`)).status]).toEqual([list, 429]);
  }
  expect((await send(other, '/api/v1/entities')).status).toBe(200);

  const third = send(other, SLOW_QUERY, {});
  const all = await untilRunning(3);
  const full = await send(other, '/api/v1/entities');
  expect(full).toMatchObject({
    status: 429,
    body: {
      message: 'The service has 3 questions running; ask again later.',
    },
  });
  // A team key signs in, registers and pushes meanwhile, over other connections.
  const provider = await send(pusher, '/api/v1/providers/custom', {
    name: 'Directory',
    custom_template: 'identity_provider',
  });
  const { id } = provider.body.value as { id: string };
  const path = `/api/v1/providers/custom/${id}/datasources`;
  const source = await send(pusher, path, { id, name: 'Main' });
  const { id: data_source_id } = source.body.value as { id: string };
  const json_data = JSON.stringify({
    name: 'Directory',
    idp_type: 'ldap',
    domains: [{ name: 'example.com' }],
    users: [{ name: 'ann' }],
  });
  const push = await send(pusher, `${path}/${data_source_id}:push`, {
    id,
    data_source_id,
    json_data,
  });
  expect(push.status).toBe(200);

  expect(all).toEqual(expect.arrayContaining([...ids]));
  await ask(graph, 'TERMINATE TRANSACTIONS $all', { all });
  const ended = await Promise.all([...slow, third]);
  expect(ended.map(({ status }) => status)).not.toContain(200);
  // Its turn has come back.
  expect((await send(greedy, '/api/v1/entities')).status).toBe(200);
});

const connectionOf = (key: string, path: string, body?: object): Socket => {
  const { hostname, port } = new URL(service.address);
  const text = body === undefined ? '' : JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    [
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      'host: service',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  );
  return socket;
};

test.each([
  ['a query', SLOW_QUERY, {}],
  ['a query as CSV', `${SLOW_QUERY}?format=csv`, {}],
])('%s of a client that leaves ends, and its turn comes back', async (_, path, body) => {
  const key = await keyWith('read');
  const sockets = [1, 2].map(() => connectionOf(key, path, body));
  await untilRunning(2);
  for (const socket of sockets) socket.destroy();
  await untilRunning(0);
  for (;;) {
    const { status } = await send(key, '/api/v1/entities');
    if (status === 200) break;
    expect(status).toBe(429);
  }
});
