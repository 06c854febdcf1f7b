import { setTimeout as sleep } from 'node:timers/promises';

import supertest from 'supertest';

import { testNeo4j } from '../support/neo4j';
import { type BreakableProxy, breakableProxy } from './breakable-proxy';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let proxy: BreakableProxy;
let service: ServiceUnderTest;
let ids: RegisteredIds;

beforeAll(async () => {
  proxy = await breakableProxy(testNeo4j().uri);
  service = await serviceUnderTest({}, { uri: `bolt://127.0.0.1:${proxy.port}` });
  ids = await service.register();
});
afterAll(async () => {
  await service.close();
  await proxy.cut();
});

const push = (name: string): supertest.Test =>
  service.post(ids.path, {
    id: ids.id,
    data_source_id: ids.data_source_id,
    json_data: JSON.stringify({ name: 'x', idp_type: 'x', domains: [{ name }], users: [] }),
  });

describe.each([1, 2])('when Neo4j goes down, time %i', (time) => {
  test('pushes are 503 within seconds and say when to come again, and the process lives', async () => {
    expect((await push(`before ${time}`)).status).toBe(200);
    const before = await service.counts();
    await proxy.cut();
    // A hundred times as long as it takes, and less than any limit of a push or of the driver.
    const late = sleep(20_000, null, { ref: false });
    const answer = await Promise.race([push(`down ${time}`), late]);
    if (answer === null) throw new Error('The push waits for something.');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.body).toMatchObject({
      code: 'Unavailable',
      message: 'The graph database does not answer.',
      details: [],
    });
    expect((await supertest(service.app).get('/healthz')).status).toBe(200);
    const ready = await supertest(service.app).get('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ message: 'The graph database does not answer.' });
    expect(await service.counts()).toEqual(before);
  });

  test('the next push after its return is taken, without a restart', async () => {
    await proxy.mend();
    expect((await supertest(service.app).get('/readyz')).status).toBe(200);
    expect((await push(`after ${time}`)).status).toBe(200);
  });
});

test('connections that died unseen are replaced unnoticed', async () => {
  await push('warm');
  await proxy.cut();
  await proxy.mend();
  expect((await push('warm again')).status).toBe(200);
});

test('the log tells each outage once, with its cause; requests that failed have their own line alone', async () => {
  const ends = (): number =>
    service.logged.filter(({ message }) => message === 'Neo4j answers again').length;
  while (ends() < 2) await supertest(service.app).get('/readyz');
  const told = service.logged.filter(({ message }) => !/^(request$|push |plan )/.test(message));
  const outage = [
    {
      level: 'error',
      message: 'Neo4j does not answer; requests that need it are answered 503 until it does',
      error_code: 'ServiceUnavailable',
      error_message: expect.any(String) as string,
    },
    { level: 'info', message: 'Neo4j answers again', seconds: expect.any(Number) as number },
  ];
  expect(told).toEqual([...outage, ...outage]);
  expect(JSON.stringify(service.logged)).not.toContain('error_stack');
  const failed = service.logged.filter(({ message }) => message === 'push failed');
  expect(failed).toEqual([]);
});
