import supertest from 'supertest';

import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

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
    ['to a path that is not there', 'get', '/api/v1/nothing', {}],
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

test('the scheme is taken in any case', async () => {
  const answer = await supertest(service.app)
    .get('/api/v1/nothing')
    .set('authorization', `bearer ${API_KEY}`);
  expect(answer.status).toBe(404);
});

test.each(['/healthz', '/readyz'])('%s needs no key', async (path) => {
  const answer = await supertest(service.app).get(path);
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveProperty('status');
});

test('no line of the log holds a key', async () => {
  await service.post('/api/v1/nothing', {});
  await supertest(service.app).post(PUSH).set('authorization', 'Bearer other-key');
  expect(service.logged.length).toBeGreaterThan(0);
  expect(JSON.stringify(service.logged)).not.toMatch(/test-key|other-key/);
});
