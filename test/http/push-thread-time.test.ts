import { randomUUID } from 'node:crypto';

import type { Driver } from 'neo4j-driver';

import { otherConstants } from '../../bench/other-constants';
import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import { Client } from '../hardening/client';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';

jest.setTimeout(120_000);

let driver: Driver;
let service: ServiceProcess;
let client: Client;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  service = await startServiceProcess({
    TLS: '',
    ...otherConstants({ PUSH_THREAD_BYTES: 2 * 1024, LIMIT_PUSH_THREAD_SECONDS: 8 }),
  });
  client = new Client(service);
});
afterAll(async () => {
  client.close();
  await service.stop();
  await driver.close();
});

const post = (path: string, body: object) =>
  client.send({ method: 'POST', path, body: JSON.stringify(body) });

/** Log lines of threads that ended. */
const endedThreads = (): number => service.printed().split('a push thread ended').length - 1;

test('a push that takes longer than one may in a thread is answered 503, and the next one gets a new thread', async () => {
  const providers = '/api/v1/providers/custom';
  const created = async (path: string, body: object): Promise<string> =>
    ((await post(path, body)).body?.value as { id: string }).id;
  const id = await created(providers, { name: randomUUID(), custom_template: 'application' });
  const sources = `${providers}/${id}/datasources`;
  const data_source_id = await created(sources, { id, name: 'Main' });
  const local_users = Array.from({ length: 100 }, (_, at) => ({ name: `user ${at}` }));
  const payload = { applications: [{ name: 'Wiki', application_type: 'wiki', local_users }] };
  const push = () =>
    post(`${sources}/${data_source_id}:push`, {
      ...{ id, data_source_id },
      json_data: JSON.stringify(payload),
    });

  // It waits in its thread for a lock that nobody lets go.
  const session = driver.session({ database: testNeo4j().database });
  const holding = session.beginTransaction();
  await holding.run('MATCH (d:DataSource {key: $id}) SET d.held = true', { id: data_source_id });
  expect(await push()).toMatchObject({
    status: 503,
    body: {
      code: 'Unavailable',
      message: expect.stringContaining('took longer than it may run in a thread') as string,
    },
  });
  await holding.rollback();
  await session.close();
  expect(endedThreads()).toBe(1);

  expect(await push()).toMatchObject({ status: 200, body: { put: { nodes: 101 } } });
  expect(endedThreads()).toBe(1);
});
