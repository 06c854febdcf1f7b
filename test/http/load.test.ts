/** @more bounds */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { otherConstants } from '../../bench/other-constants';
import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { type Client, register, type Registered } from '../property/service-driver';

const SOURCES = 20;
const PUSHES = 200;

let service: ServiceProcess;

const startedWith = async (more: Readonly<Record<string, number>>): Promise<void> => {
  service = await startServiceProcess({
    TLS: '',
    ...otherConstants({
      LIMIT_BODY_BYTES: 64 * 1024,
      LIMIT_BODIES_BYTES: 512 * 1024,
      ...more,
    }),
  });
};

beforeAll(async () => {
  const driver = testDriver();
  await clearGraph(driver);
  await driver.close();
  // As long as all pushes together need.
  await startedWith({ LIMIT_PUSH_WAIT_SECONDS: 300 });
});
afterAll(() => service.stop());

const send = (path: string, body?: unknown): Promise<Response> =>
  fetch(`${service.address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const client: Client = {
  post: async (path, body) => {
    const answer = await send(path, body);
    return { status: answer.status, body: await answer.json() };
  },
};

const push = ({ id, data_source_id, path }: Registered, user: string): Promise<Response> =>
  send(path, {
    id,
    data_source_id,
    json_data: JSON.stringify({
      name: 'Directory',
      idp_type: 'ldap',
      domains: [{ name: 'example.com' }],
      users: [{ name: user }, ...Array.from({ length: 20 }, (_, at) => ({ name: `user${at}` }))],
    }),
  });

/** A client that sends the beginning of a request, and then nothing more. */
const slow = async (text: string): Promise<Socket> => {
  const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

test('200 pushes at once to 20 data sources are all taken in their turn, and others are answered meanwhile', async () => {
  const sources: Registered[] = [];
  while (sources.length < SOURCES) sources.push(await register(client, 'identity_provider'));
  const pushed = Array.from({ length: PUSHES }, (_, at) =>
    push(sources[at % SOURCES] as Registered, `last${at}`),
  );
  const read = await Promise.all([1, 2, 3].map(() => send('/api/v1/providers/custom')));
  expect(read.map(({ status }) => status)).toEqual([200, 200, 200]);
  const answers = await Promise.all(pushed);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const driver = testDriver();
  const { records } = await driver.executeQuery(
    'MATCH (u:IdpUser) RETURN u.data_source AS source, count(u) AS users, sum(toInteger(u.name STARTS WITH "last")) AS last',
    {},
    { database: testNeo4j().database },
  );
  await driver.close();
  expect(records.map((row) => [Number(row.get('users')), Number(row.get('last'))])).toEqual(
    Array.from({ length: SOURCES }, () => [21, 1]),
  );
});

describe('where a request must come soon', () => {
  beforeAll(async () => {
    await service.stop();
    await startedWith({ LIMIT_REQUEST_SECONDS: 6 });
  });

  test('slow clients do not hinder others, and are ended', async () => {
    const source = await register(client, 'identity_provider');
    const head = `POST ${source.path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.apiKey}\r\n`;
    const heads = await Promise.all(Array.from({ length: 25 }, () => slow(head)));
    const bodies = await Promise.all(
      Array.from({ length: 25 }, () => slow(`${head}content-length: 60000\r\n\r\n{`)),
    );
    const ended = [...heads, ...bodies].map((socket) => {
      socket.resume();
      return once(socket, 'close');
    });
    expect((await push(source, 'quick')).status).toBe(200);
    expect((await send('/healthz')).status).toBe(200);
    await Promise.all(ended);
  });

  test('a body for which there is no room is answered 429, until those before it are done, or ended', async () => {
    const source = await register(client, 'identity_provider');
    const head = `POST ${source.path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.apiKey}\r\ncontent-length: 60000\r\n\r\n`;
    const many = await Promise.all(
      Array.from({ length: 6 }, () => slow(head + ' '.repeat(59_000))),
    );
    const answers = many.map(async (socket) => String((await once(socket, 'data'))[0]));
    const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12));
    expect(new Set(statuses)).toEqual(new Set(['408', '429']));
    expect((await push(source, 'later')).status).toBe(200);
  });
});
