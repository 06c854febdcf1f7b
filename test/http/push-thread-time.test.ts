/** @more bounds */

import { randomUUID } from 'node:crypto';

import { otherConstants } from '../../bench/other-constants';
import { plannedJson, sendFile } from '../connectors/send-file';
import { type ServiceProcess, startServiceProcess } from '../connectors/service-process';
import { Client } from '../hardening/client';
import { clearGraph, testDriver } from '../support/neo4j';
import { whileLocked } from './locked-sources';

let service: ServiceProcess;
let client: Client;

beforeAll(async () => {
  const driver = testDriver();
  await clearGraph(driver);
  await driver.close();
  service = await startServiceProcess({
    TLS: '',
    ...otherConstants({ PUSH_THREAD_BYTES: 2 * 1024, LIMIT_PUSH_THREAD_SECONDS: 8 }),
  });
  client = new Client(service);
});
afterAll(async () => {
  client.close();
  await service.stop();
});

const post = (path: string, body: object) =>
  client.send({ method: 'POST', path, body: JSON.stringify(body) });

/** Log lines of threads that ended. */
const endedThreads = (): number => service.printed().split('a push thread ended').length - 1;

/** Registers an application. */
const registered = async () => {
  const providers = '/api/v1/providers/custom';
  const created = async (path: string, body: object): Promise<string> =>
    ((await post(path, body)).body?.value as { id: string }).id;
  const id = await created(providers, { name: randomUUID(), custom_template: 'application' });
  const sources = `${providers}/${id}/datasources`;
  const data_source_id = await created(sources, { id, name: 'Main' });
  return { id, data_source_id, path: `${sources}/${data_source_id}` };
};

const json_data = JSON.stringify({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: Array.from({ length: 200 }, (_, at) => ({ name: `user ${at}` })),
    },
  ],
});

test('a push that takes longer than one may in a thread is answered 503, and the next one gets a new thread', async () => {
  const { path, ...ids } = await registered();
  const push = () => post(`${path}:push`, { ...ids, json_data });
  const before = endedThreads();
  expect(await whileLocked([ids.data_source_id], push)).toMatchObject({
    status: 503,
    body: {
      code: 'Unavailable',
      message: expect.stringContaining('took longer than it may run in a thread') as string,
    },
  });
  expect(endedThreads()).toBe(before + 1);

  expect(await push()).toMatchObject({ status: 200, body: { put: { nodes: 201 } } });
  expect(endedThreads()).toBe(before + 1);
});

test('a large file from a page runs in the push thread: its plan, and its push', async () => {
  const { path, data_source_id } = await registered();
  const file = { name: 'wiki.json', content: json_data };
  const planned = plannedJson(json_data);
  const send = (fields: Readonly<Record<string, string>>) => () =>
    sendFile(service, `/console/sources/${data_source_id}/push`, fields, file);
  const before = endedThreads();
  for (const [at, fields] of [{}, { planned, on: '' }].entries()) {
    const answer = await whileLocked([data_source_id], send(fields));
    expect([answer.status, endedThreads()]).toEqual([503, before + at + 1]);
  }
  expect(await send({})()).toMatchObject({ status: 200 });
  expect(await send({ planned, on: '' })()).toMatchObject({ status: 303 });
  const { body } = await client.send({ method: 'GET', path: `${path}/pushes` });
  expect(body?.values).toMatchObject([{ outcome: 'accepted' }]);
  expect(endedThreads()).toBe(before + 2);
});
