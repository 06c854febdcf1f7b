import supertest from 'supertest';

import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const EMAIL = 'zacharias@example.org';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

test.each([
  ['/api/v1/entities/Identity%7Cann%40x', '/api/v1/entities/{id}'],
  ['/api/v1/entities/a:b', '/api/v1/entities/{id}'],
  ['/api/v1/access:check', '/api/v1/access:check'],
  ['/api/v1/providers/custom/templates', '/api/v1/providers/custom/templates'],
  ['/api/v1/providers/custom/1', '/api/v1/providers/custom/{id}'],
  [
    '/api/v1/providers/custom/1/datasources/2:push',
    '/api/v1/providers/custom/{id}/datasources/{ds}:push',
  ],
  ['/api/v1/providers/custom/1/datasources/2', '/api/v1/providers/custom/{id}/datasources/{ds}'],
  ['/ann@x', 'unknown'],
])('the path %s is logged as %s', async (path, template) => {
  const before = service.logged.length;
  await service.send('get', path);
  expect(service.logged.slice(before)).toMatchObject([{ message: 'request', path: template }]);
});

test('no line holds an email from a path, a query, a payload or a header', async () => {
  const { path, ...ids } = await service.register();
  const escaped = encodeURIComponent(EMAIL);
  for (const asked of [
    `/api/v1/entities/Identity%7C${escaped}`,
    `/api/v1/access?principal=Identity%7C${escaped}`,
    `/api/v1/access:check?principal=${escaped}&resource=${escaped}`,
    `/api/v1/entities?filter=name eq "${escaped}"`,
    `/${escaped}`,
    `/api/v1/entities/%E0%A4%A${escaped}`,
    `/api/v1/providers/custom/${escaped}`,
  ]) {
    await service.send('get', asked).set('x-user', EMAIL);
  }
  await supertest(service.app)
    .get(`/api/v1/entities/${escaped}`)
    .set('authorization', `Bearer ${EMAIL}`);
  const payload = (name: unknown): string =>
    JSON.stringify({
      domains: [{ name: 'd' }],
      users: [{ name, email: EMAIL, groups: [{ identity: EMAIL }] }],
    });
  await service.post(path, { ...ids, json_data: payload(EMAIL) });
  await service.post(path, { ...ids, json_data: `${payload(EMAIL)}x` });
  await service.post('/api/v1/query', { cypher: `RETURN "${EMAIL}" AS`, parameters: {} });
  await service.post('/api/v1/query', { cypher: `RETURN toInteger(1 + "${EMAIL}") / 0` });
  const text = JSON.stringify(service.logged);
  expect(text).toContain('/api/v1/entities/{id}');
  expect(text).not.toMatch(/zacharias/i);
});

test("a request's line names the key and the client", async () => {
  const created = await service.post('/api/preview/teamkeys', { name: 'Nightly' });
  const { access_key, id } = (created.body as { value: { access_key: string; id: string } }).value;
  await supertest(service.app)
    .get('/api/v1/providers/custom')
    .set('authorization', `Bearer ${access_key}`);
  await service.send('get', '/api/v1/events');
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      message: 'request',
      key: 'Nightly',
      team_key: id,
      path: '/api/v1/providers/custom',
      client: expect.stringContaining('127.0.0.1') as string,
    }),
  );
  expect(service.logged).toContainEqual(
    expect.objectContaining({ key: 'API_KEY', path: '/api/v1/events' }),
  );
});
