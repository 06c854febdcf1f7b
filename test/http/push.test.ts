import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import {
  API_KEY,
  listenLocally,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const payload = (...users: readonly string[]): string =>
  JSON.stringify({
    name: 'Directory',
    idp_type: 'ldap',
    domains: [{ name: 'example.com' }],
    users: users.map((name) => ({ name, email: `${name}@example.com` })),
    groups: [],
    apps: [],
  });

const envelope = (
  { id, data_source_id }: RegisteredIds,
  json_data: unknown,
  more = {},
): object => ({
  id,
  data_source_id,
  json_data,
  ...more,
});

const gzipped = (text: string): string => gzipSync(text).toString('base64');

/** Posts bytes under a content encoding. */
const postBytes = (path: string, bytes: Buffer, encoding?: string): supertest.Test => {
  const request = supertest(service.app)
    .post(path)
    .set('authorization', `Bearer ${API_KEY}`)
    .set('content-type', 'application/json');
  if (encoding !== undefined) request.set('content-encoding', encoding);
  // Buffers under this content type would be made JSON of.
  return request.serialize((body: unknown) => body as string).send(bytes);
};

// A refused push leaves its record and an event, and no row.
const rowCounts = async (): Promise<readonly (readonly [string, unknown])[]> =>
  Object.entries(await service.counts())
    .filter(([label]) => label !== 'Push' && label !== 'Event')
    .sort();

interface PushAnswer {
  readonly push_id: string;
  readonly at: string;
  readonly unchanged: boolean;
  readonly digest: string;
  readonly warnings: readonly unknown[];
}

describe('a push', () => {
  test('answers what it did, and again that nothing changed', async () => {
    const ids = await service.register();
    const first = await service.post(ids.path, envelope(ids, payload('ann', 'bob')));
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      warnings: [],
      push_id: expect.any(String) as string,
      at: expect.stringMatching(/Z$/) as string,
      unchanged: false,
      put: { nodes: 3, relationships: expect.any(Number) as number },
      removed: { nodes: 0, relationships: 0 },
      digest: expect.stringMatching(/^[0-9a-f]+$/) as string,
    });
    const second = await service.post(ids.path, envelope(ids, payload('bob', 'ann')));
    expect(second.status).toBe(200);
    const [before, after] = [first.body as PushAnswer, second.body as PushAnswer];
    expect(after).toMatchObject({ unchanged: true, digest: before.digest });
    expect(after.push_id).not.toBe(before.push_id);
  });

  test('leaves one line in the log with counts and seconds, without contents', async () => {
    const ids = await service.register();
    const answer = await service.post(ids.path, envelope(ids, payload('zacharias')));
    const requestId = answer.headers['x-request-id'] as string;
    await service.running.settled();
    const lines = service.logged.filter((line) => line.request_id === requestId);
    expect(lines.map(({ message }) => message).sort()).toEqual(['push accepted', 'request']);
    expect(lines.find(({ message }) => message === 'push accepted')).toMatchObject({
      push_id: (answer.body as PushAnswer).push_id,
      put: { nodes: 2 },
      seconds: { read: expect.any(Number) as number },
    });
    expect(JSON.stringify(service.logged)).not.toContain('zacharias');
  });

  test.each([
    ['in plain text', {}, payload('ann')],
    ['with compression_type none', { compression_type: 'none' }, payload('ann')],
    ['with compression_type null', { compression_type: null }, payload('ann')],
    ['as base64 of gzip', { compression_type: 'GZIP' }, gzipped(payload('ann'))],
    ['as gzip in lower case', { compression_type: 'gzip' }, gzipped(payload('ann'))],
    [
      'as base64 with line breaks',
      { compression_type: 'GZIP' },
      gzipped(payload('ann')).replace(/.{76}/g, '$&\r\n'),
    ],
    ['with keys nobody knows', { anything: { at: 'all' } }, payload('ann')],
  ])('is taken %s', async (_name, more, json) => {
    const ids = await service.register();
    const answer = await service.post(ids.path, envelope(ids, json, more));
    expect(answer.body).toMatchObject({ put: { nodes: 2 }, unchanged: false });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('is taken under Content-Encoding %s', async (encoding, compress) => {
    const ids = await service.register();
    const text = JSON.stringify(envelope(ids, payload('ann')));
    const answer = await postBytes(ids.path, compress(text), encoding);
    expect(answer.status).toBe(200);
  });
});

describe('a push is refused, no row is written and the service lives, when', () => {
  let ids: RegisteredIds;
  let before: Awaited<ReturnType<typeof rowCounts>>;

  beforeAll(async () => {
    ids = await service.register();
    before = await rowCounts();
  });
  afterEach(async () => {
    expect(await rowCounts()).toEqual(before);
    expect((await supertest(service.app).get('/readyz')).status).toBe(200);
  });

  test('the provider is unknown', async () => {
    const answer = await service.post(ids.path.replace(ids.id, 'nobody'), 'not json');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ message: 'There is no provider with this id.' });
  });

  test('the data source is unknown, or another provider has it', async () => {
    const other = await service.register();
    before = await rowCounts();
    const paths = [
      ids.path.replace(ids.data_source_id, 'nothing'),
      ids.path.replace(ids.data_source_id, other.data_source_id),
    ];
    for (const path of paths) {
      const answer = await service.post(path, {});
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        code: 'NotFound',
        message: expect.stringMatching(/data source/) as string,
      });
    }
  });

  test.each(['id', 'data_source_id'] as const)('%s is not the one in the path', async (field) => {
    const answer = await service.post(ids.path, {
      ...envelope(ids, payload('ann')),
      [field]: 'another',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: [{ field_violations: [{ field, pointer: `/${field}`, code: 'ID_MISMATCH' }] }],
    });
  });

  test.each([
    ['the body is empty', '', '', 'NOT_JSON'],
    ['the body is not JSON', '{', '', 'NOT_JSON'],
    ['the body is a list', '[]', '', 'WRONG_TYPE'],
  ])('%s', async (_name, body, pointer, code) => {
    const answer = await service.post(ids.path, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field_violations: [{ pointer, code }] }] });
  });

  test.each([
    ['json_data is missing', undefined, {}, '/json_data', 'MISSING_FIELD'],
    ['json_data is an object', {}, {}, '/json_data', 'WRONG_TYPE'],
    ['the payload is not JSON', '{"name":', {}, '', 'NOT_JSON'],
    [
      'the compression is unknown',
      'x',
      { compression_type: 'zip' },
      '/compression_type',
      'UNKNOWN_VALUE',
    ],
    [
      'gzip is promised and not sent',
      payload('a'),
      { compression_type: 'GZIP' },
      '/json_data',
      'BAD_COMPRESSION',
    ],
    [
      'the gzip is cut',
      gzipped(payload('a')).slice(0, 60),
      { compression_type: 'GZIP' },
      '/json_data',
      'BAD_COMPRESSION',
    ],
    [
      'the gzip is of no UTF-8',
      gzipSync(Buffer.from([0x7b, 0xff])).toString('base64'),
      { compression_type: 'GZIP' },
      '/json_data',
      'ILL_FORMED_TEXT',
    ],
  ])('%s', async (_name, json, more, pointer, code) => {
    const answer = await service.post(ids.path, envelope(ids, json, more));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'InvalidArgument',
      details: [{ field_violations: [{ pointer, code }] }],
    });
  });

  const missingComma = '{\n  "name": "Zacharias"\n  "users": []\n}';
  const found = {
    pointer: '',
    code: 'NOT_JSON',
    description: expect.stringContaining('line 3, column 3: a ","') as unknown,
    near: '{ "name": "Zacharias" ‹here›"users": [] }',
  };

  test.each([
    ['', 'as it is', missingComma, {}],
    [':plan', 'as it is', missingComma, {}],
    ['', 'after a byte order mark', `\ufeff${missingComma}`, {}],
    ['', 'as a gzip', gzipped(missingComma), { compression_type: 'GZIP' }],
  ])(
    'its JSON lacks a comma (%s, %s): the answer alone shows the text around the place',
    async (kind, _how, json, more) => {
      const path = kind === '' ? ids.path : ids.path.replace(/:push$/, kind);
      const answer = await service.post(path, envelope(ids, json, more));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ details: [{ field_violations: [found] }] });
      await service.running.settled();
      // An erasure of a person would not find half of a name.
      const stored = await ask(service.graph, 'MATCH (n:Push|Event) RETURN properties(n) AS of');
      expect(JSON.stringify([stored, service.logged])).not.toContain('Zacharias');
    },
  );

  test('the JSON of its envelope is at fault', async () => {
    const answer = await service.post(ids.path, '{"json_data": "{}"\n"id": "x"}');
    expect(answer.body).toMatchObject({
      details: [{ field_violations: [{ near: '{"json_data": "{}" ‹here›"id": "x"}' }] }],
    });
  });

  test('the payload has more problems than are listed', async () => {
    const users = Array.from({ length: 9 }, () => ({ name: 7 }));
    const json = JSON.stringify({ ...(JSON.parse(payload()) as object), users });
    const answer = await service.post(ids.path, envelope(ids, json));
    expect(answer.status).toBe(400);
    const { message, details } = answer.body as {
      message: string;
      details: [{ field_violations: unknown[]; total: number }];
    };
    expect(message).toMatch(/There are 9 problems; the first 5 are listed\.$/);
    expect(details[0].field_violations).toHaveLength(5);
    expect(details[0].field_violations[1]).toEqual({
      field: 'users.name',
      pointer: '/users/1/name',
      code: 'WRONG_TYPE',
      description: expect.any(String) as string,
    });
    expect(details[0].total).toBe(9);
  });

  test.each([
    ['the body is too large', () => payload('a'.repeat(70_000)), {}],
    [
      'the payload inflates beyond the limit',
      () => gzipped(' '.repeat(8 * 1024 * 1024)),
      { compression_type: 'GZIP' },
    ],
  ])('%s', async (_name, json, more) => {
    const answer = await service.post(ids.path, envelope(ids, json(), more));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ code: 'PayloadTooLarge', details: [] });
  });

  test('the body inflates beyond the limit', async () => {
    const text = JSON.stringify(envelope(ids, ' '.repeat(1024 * 1024)));
    const answer = await postBytes(ids.path, gzipSync(text), 'gzip');
    expect(answer.status).toBe(413);
  });

  test.each([
    ['the Content-Encoding is another', 'gzip', Buffer.from('{}')],
    ['the gzip of the body is cut', 'gzip', gzipSync(payload('ann')).subarray(0, 40)],
    ['the brotli of the body is broken', 'br', Buffer.from('this is no brotli at all')],
    ['the Content-Encoding is unknown', 'rot13', Buffer.from('{}')],
  ])('%s', async (_name, encoding, bytes) => {
    const answer = await postBytes(ids.path, bytes, encoding);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: [{ field_violations: [{ pointer: '', code: 'BAD_COMPRESSION' }] }],
    });
  });

  test('the client leaves in the middle of its body', async () => {
    const { port, close } = await listenLocally(service.app);
    const seen = service.logged.length;
    const socket = connect(port, '127.0.0.1');
    const text = JSON.stringify(envelope(ids, payload('ann')));
    socket.write(
      [
        `POST ${ids.path} HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${API_KEY}`,
        `content-length: ${text.length}`,
        'expect: 100-continue',
        '',
        text.slice(0, -10),
      ].join('\r\n'),
    );
    // So it has begun to read.
    await once(socket, 'data');
    socket.destroy();
    while (service.logged.length === seen) await sleep(20);
    await service.running.settled();
    await close();
    const lines = service.logged.slice(seen);
    expect(lines.map(({ message }) => message)).toContain('request cut off by its client');
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
