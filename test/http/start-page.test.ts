import supertest from 'supertest';

import { BUILD, BUILD_FIELDS } from '../../src/build';
import { testNeo4j } from '../support/neo4j';
import { breakableProxy } from './breakable-proxy';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

test('a browser at / finds what runs, how it is, and where to go on, without a key', async () => {
  const { status, headers, text } = await supertest(service.app).get('/');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).toContain(`Version ${BUILD.version}, commit ${BUILD.commit}`);
  expect(text).toContain('Health: ready.');
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(links).toEqual(expect.arrayContaining(['/kit/guide.html', '/openapi.json', '/readyz']));
  expect(text).toContain('<li><a href="/manual/readme">Grantgraph</a></li>');
  for (const path of links) {
    const expected = path === '/metrics' ? 401 : 200;
    const opened = await supertest(service.app).get(path).redirects(1);
    expect([path, opened.status]).toEqual([path, expected]);
  }
});

test('/ takes no other method', async () => {
  expect((await supertest(service.app).post('/')).status).toBe(405);
});

test('it tells that Neo4j is down', async () => {
  const proxy = await breakableProxy(testNeo4j().uri);
  const cut = await serviceUnderTest({}, { uri: `bolt://127.0.0.1:${proxy.port}`, keep: true });
  await proxy.cut();
  const { status, text } = await supertest(cut.app).get('/');
  expect(status).toBe(200);
  expect(text).toContain('Health: not ready.');
  await cut.close();
});

test('/healthz tells version, commit and version of the rules', async () => {
  const answer = await supertest(service.app).get('/healthz');
  expect(answer.body).toEqual({ status: 'ok', ...BUILD_FIELDS });
});
