import SwaggerParser from '@apidevtools/swagger-parser';
import supertest from 'supertest';

import { BUILD } from '../../src/build';
import { payloadSchema } from '../../src/contract/json-schema';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

type Document = Parameters<typeof SwaggerParser.validate>[0];

test('the description of the interface is valid OpenAPI, and needs no key', async () => {
  const answer = await supertest(service.app).get('/openapi.json');
  expect(answer.status).toBe(200);
  const body: unknown = answer.body;
  const paths = Object.keys((body as { paths: object }).paths);
  expect(paths).toContain('/api/v1/providers/custom/{id}/datasources/{ds}:push');
  expect(body).toMatchObject({
    info: { version: BUILD.version, 'x-commit': 'unknown', 'x-rules-version': BUILD.rulesVersion },
  });
  await SwaggerParser.validate(body as Document);
});

test.each(['application', 'identity_provider', 'hris'] as const)(
  'the schema of %s needs no key',
  async (template) => {
    const answer = await supertest(service.app).get(`/schemas/${template}.json`);
    expect([answer.status, answer.body]).toEqual([200, payloadSchema(template)]);
  },
);

test.each(['/schemas/principal.json', '/schemas/application', '/schemas'])(
  '%s is not there',
  async (path) => {
    expect((await service.send('get', path)).status).toBe(404);
  },
);
