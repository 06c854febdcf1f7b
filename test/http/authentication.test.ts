import { once } from 'node:events';
import { connect } from 'node:net';

import supertest from 'supertest';

import { idleApp } from '../support/idle-app';
import {
  API_KEY,
  listenLocally,
  NEXT_API_KEY,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const PUSH = '/api/v1/providers/custom/none/datasources/none:push';

describe('a request without the key', () => {
  test.each([
    ['to register', 'post', '/api/v1/providers/custom', {}],
    ['to push to a data source that is not there', 'post', PUSH, {}],
    ['to list providers', 'get', '/api/v1/providers/custom', {}],
    ['with another key', 'post', '/api/v1/providers/custom', { authorization: 'Bearer other' }],
    [
      'with a longer key',
      'post',
      '/api/v1/providers/custom',
      { authorization: `Bearer ${API_KEY}x` },
    ],
    ['with an empty key', 'post', '/api/v1/providers/custom', { authorization: 'Bearer ' }],
    [
      'with another scheme',
      'post',
      '/api/v1/providers/custom',
      { authorization: `Basic ${API_KEY}` },
    ],
    ['with the bare key', 'post', '/api/v1/providers/custom', { authorization: API_KEY }],
  ] as const)('%s is 401 and writes nothing', async (_name, method, path, headers) => {
    const answer = await supertest(service.app)[method](path).set(headers);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.body).toEqual({
      code: 'Unauthenticated',
      message: expect.any(String) as string,
      request_id: answer.headers['x-request-id'],
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      details: [],
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(await service.counts()).toEqual({});
  });
});

test('a client that asks for the end of its connection hears the answer though it sends on', async () => {
  const { port, close } = await listenLocally(service.app);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const body = Buffer.alloc(8_000_000, 'x');
  socket.write(
    `POST ${PUSH} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  const ended = once(socket, 'end');
  try {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    // More than the buffers of a connection hold, so that somebody has to read it.
    await new Promise<void>((resolve, reject) => {
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    await ended;
  } finally {
    socket.destroy();
    await close();
  }
});

test.each([
  ['no key', {}],
  ['an unknown key', { authorization: 'Bearer other' }],
  ['the key', { authorization: `Bearer ${API_KEY}` }],
])('a path that is not there is 404 with %s', async (_name, headers) => {
  for (const path of ['/api/v1/nothing', '/favicon.ico', '/api/v1/Providers/custom']) {
    const answer = await supertest(service.app).get(path).set(headers);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.body).toMatchObject({ code: 'NotFound', message: 'There is no such path.' });
  }
});

test('the scheme is taken in any case', async () => {
  const answer = await supertest(service.app)
    .get('/api/v1/providers/custom')
    .set('authorization', `bearer ${API_KEY}`);
  expect(answer.status).toBe(200);
});

test.each(['/healthz', '/readyz'])('%s needs no key', async (path) => {
  const answer = await supertest(service.app).get(path);
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveProperty('status');
});

test('no line of the log holds a key', async () => {
  await service.post(PUSH, {});
  await supertest(service.app).post(PUSH).set('authorization', 'Bearer other-key');
  expect(service.logged.length).toBeGreaterThan(0);
  expect(JSON.stringify(service.logged)).not.toMatch(/test-key|other-key/);
});

test('both keys of the settings let in, and events tell which one it was', async () => {
  for (const [index, key] of [API_KEY, NEXT_API_KEY].entries()) {
    const made = await supertest(service.app)
      .post('/api/v1/providers/custom')
      .set('authorization', `Bearer ${key}`)
      .send({ name: `Rotation ${index}`, custom_template: 'application' });
    expect(made.status).toBe(200);
  }
  const answer = await service.send('get', '/api/v1/events').query({ page_size: '2' });
  const { events } = answer.body as { events: readonly { metadata: { by: { name: string } } }[] };
  expect(events.map(({ metadata }) => metadata.by.name)).toEqual(['API_KEY_NEXT', 'API_KEY']);
});

test.each(['/healthz', '/api/v1/events', '/no/such/path', '/schemas/application.json', '/'])(
  'every answer tells browsers to run nothing: %s',
  async (path) => {
    for (const authorization of ['', `Bearer ${API_KEY}`]) {
      const { headers } = await supertest(idleApp()).get(path).set({ authorization });
      expect(headers['x-content-type-options']).toBe('nosniff');
      // Before, only pages for people said so.
      expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    }
  },
);
