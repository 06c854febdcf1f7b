import SwaggerParser from '@apidevtools/swagger-parser';
import supertest from 'supertest';

import { BUILD } from '../../src/build';
import { payloadSchema } from '../../src/contract/json-schema';
import { shownPath } from '../../src/web/routing/route';
import { API_CODES } from '../../src/problem';
import { idleRoutes } from '../support/idle-app';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

interface Described {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters: readonly {
              readonly name: string;
              readonly in: string;
              readonly required?: boolean;
            }[];
            readonly responses: Readonly<Record<string, { readonly content?: object }>>;
            readonly tags: readonly string[];
            readonly externalDocs?: { readonly url: string };
          }
        >
      >
    >
  >;
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  };
}

const described = async (): Promise<Described> =>
  (await supertest(service.app).get('/openapi.json')).body as Described;

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

test('each operation belongs to one topic, and the description says what each topic is', async () => {
  const { paths, tags } = await described();
  const named = new Set(tags.map(({ name }) => name));
  expect(tags.every(({ description }) => description !== '')).toBe(true);
  expect(named.size).toBe(tags.length);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = operations.flatMap((operation) => operation.tags);
  expect(used).toHaveLength(operations.length);
  expect(new Set(used)).toEqual(named);
});

test('it lists every status, with a description, and no answer for all others', async () => {
  const { paths, components } = await described();
  const push = paths['/api/v1/providers/custom/{id}/datasources/{ds}:push']?.post;
  const read = paths['/api/v1/providers/custom']?.get;
  const health = paths['/healthz']?.get;
  expect([push, read, health].map((one) => Object.keys(one?.responses ?? {}).join(' '))).toEqual([
    '200 400 401 403 404 409 413 429 500 503',
    '200 400 401 403 404 429 500 503',
    '200 400 500 503',
  ]);
  expect(components.responses.FailedPrecondition?.description).toBe(
    API_CODES.FailedPrecondition.meaning,
  );
});

// schemathesis sent questions without what they need: the description did not say so.
test('it says which parameters a question needs, and that a page size is a number', async () => {
  const { paths } = await described();
  const needed = Object.entries(paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name }) => `${path} ${name}`),
  );
  expect(needed.filter((one) => one.startsWith('/api/'))).toEqual([
    '/api/v1/access:check principal',
    '/api/v1/access:check resource',
    '/api/v1/access:explain principal',
    '/api/v1/access:explain resource',
  ]);
  const sizes = paths['/api/v1/entities']?.get?.parameters.filter(
    ({ name }) => name === 'page_size',
  );
  expect(sizes).toEqual([
    {
      name: 'page_size',
      in: 'query',
      allowEmptyValue: true,
      schema: { type: 'integer', minimum: 1, maximum: 999_999_999 },
    },
  ]);
});

test('each request of a multipart upload names its operation', () => {
  const parts = idleRoutes().find((route) => shownPath(route).endsWith(':parts'));
  const needed = (parts?.body ?? []).map((codec) =>
    codec.is({ upload_id: 'u', sequence_count: 1 }),
  );
  expect(needed).toEqual([false, false, false]);
});

test('lines of NDJSON have a schema, CSV has none', async () => {
  const { paths } = await described();
  expect(paths['/api/v1/access:export']?.get?.responses['200']?.content).toEqual({
    'application/x-ndjson': {
      schema: { type: 'string' },
      'x-line-schema': { $ref: '#/components/schemas/exported_access' },
    },
    'text/csv': { schema: { type: 'string' } },
  });
});

// A reader of /docs was sent "below", where nothing was.
test('an operation that is told more of elsewhere leads to a heading that is there', async () => {
  const { paths } = await described();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const pages = new Set(operations.flatMap(({ externalDocs }) => externalDocs?.url ?? []));
  expect(pages.size).toBeGreaterThan(5);
  for (const url of pages) {
    const [page = '', heading] = url.split('#');
    const { text } = await supertest(service.app).get(page);
    expect([url, text.includes(`id="${heading}"`)]).toEqual([url, true]);
  }
  expect(JSON.stringify(paths)).not.toContain('see below');
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
