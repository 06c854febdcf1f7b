import { randomBytes } from 'node:crypto';

import type supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { removeOldUploads } from '../../src/push/parts/multipart-upload';
import { LOCK_DATA_SOURCE } from '../../src/graph/statements/data-source-statements';
import { testDriver, testNeo4j } from '../support/neo4j';
import { breakableProxy } from './breakable-proxy';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const LARGEST_PAYLOAD = 4 * 1024 * 1024;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest({
    bodyBytes: 8 * 1024 * 1024,
    jsonBytes: LARGEST_PAYLOAD,
    problems: 5,
  });
});
afterAll(() => service.close());

const payload = (...users: readonly string[]): string =>
  JSON.stringify({
    name: 'Directory',
    idp_type: 'ldap',
    domains: [{ name: 'example.com' }],
    users: users.map((name) => ({ name })),
  });

const partsPath = ({ path }: RegisteredIds): string => path.replace(/:push$/, ':parts');

/** An upload under way at a service. */
const uploadTo = (ids: RegisteredIds, id: string, by = service) => ({
  id,
  part: (sequence_number: unknown, bytes: Buffer | string): supertest.Test =>
    by.post(partsPath(ids), {
      operation: 'upload',
      upload_id: id,
      sequence_number,
      data: Buffer.from(bytes).toString('base64'),
    }),
  complete: (sequence_count: unknown): supertest.Test =>
    by.post(partsPath(ids), { operation: 'complete', upload_id: id, sequence_count }),
});

const started = async (ids: RegisteredIds, by = service): Promise<ReturnType<typeof uploadTo>> => {
  const answer = await by.post(partsPath(ids), { operation: 'start' });
  expect(answer.status).toBe(200);
  return uploadTo(ids, (answer.body as { upload_id: string }).upload_id, by);
};

const users = async ({ data_source_id }: RegisteredIds): Promise<readonly unknown[]> =>
  (
    await ask(
      service.graph,
      'MATCH (u:IdpUser {data_source: $id}) RETURN u.name AS name ORDER BY name',
      { id: data_source_id },
    )
  ).map(({ name }) => name);

/** Waits until so many transactions wait for a lock of a data source. */
const untilWaiting = async (count: number): Promise<void> => {
  for (;;) {
    const [waiting] = await ask(
      service.graph,
      "SHOW TRANSACTIONS YIELD status, currentQuery WHERE status STARTS WITH 'Blocked' AND currentQuery CONTAINS '$push' RETURN count(*) AS count",
    );
    if (waiting?.count === count) return;
  }
};

const kept = async (): Promise<readonly unknown[]> =>
  Object.entries(await service.counts())
    .filter(([label]) => label.startsWith('Upload'))
    .sort();

const removeOld = (): Promise<void> => removeOldUploads(service.uploads, () => false);

const problemsOf = (answer: supertest.Response): unknown => {
  const [detail] = (answer.body as { details: readonly { field_violations: unknown }[] }).details;
  return detail?.field_violations;
};

test('a payload in parts is pushed as one that comes whole, and leaves no part', async () => {
  const ids = await service.register();
  const bytes = Buffer.from(payload('ann', 'zoë'));
  const cut = bytes.indexOf('ë') + 1;
  const upload = await started(ids);
  // In any order; the slices cut a character.
  const second = await upload.part(2, bytes.subarray(cut));
  expect([second.status, second.body]).toEqual([200, { upload_id: upload.id, sequence_number: 2 }]);
  await upload.part(1, bytes.subarray(0, cut)).expect(200);
  const woken = service.backgroundWoken();
  const answer = await upload.complete(2);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    warnings: [],
    push_id: expect.any(String) as string,
    at: expect.stringMatching(/Z$/) as string,
    unchanged: false,
    put: { nodes: 3, relationships: expect.any(Number) as number },
    removed: { nodes: 0, relationships: 0 },
    digest: expect.stringMatching(/^[0-9a-f]+$/) as string,
  });
  expect(await users(ids)).toEqual(['ann', 'zoë']);

  const whole = await service.post(ids.path, { ...ids, json_data: bytes.toString() });
  expect(whole.body).toMatchObject({
    unchanged: true,
    digest: (answer.body as { digest: string }).digest,
  });
  expect(service.backgroundWoken()).toBe(woken + 1);
  await removeOld();
  expect(await kept()).toEqual([]);
});

test('a part sent again is taken once, unless its bytes differ', async () => {
  const ids = await service.register();
  const upload = await started(ids);
  await upload.part(1, payload('ann')).expect(200);
  await upload.part(1, payload('ann')).expect(200);
  const other = await upload.part(1, payload('bob'));
  expect(other.status).toBe(400);
  expect(problemsOf(other)).toMatchObject([
    {
      pointer: '/sequence_number',
      code: 'REPEATED_PART',
      description: 'part 1 has come with other data',
    },
  ]);
  await upload.complete(1).expect(200);
  expect(await users(ids)).toEqual(['ann']);
});

test('many parts at once each find their place', async () => {
  const ids = await service.register();
  const text = payload(...Array.from({ length: 200 }, (_, index) => `user ${index}`));
  const size = Math.ceil(text.length / 99);
  const upload = await started(ids);
  await Promise.all(
    Array.from({ length: 99 }, async (_, index) => {
      await upload.part(index + 1, text.slice(index * size, (index + 1) * size)).expect(200);
    }),
  );
  await upload.complete(99).expect(200);
  expect(await users(ids)).toHaveLength(200);
});

test('large parts that cannot be compressed come back as they were', async () => {
  const ids = await service.register();
  const noise = randomBytes(2_400_000).toString('base64');
  const text = payload('ann').replace('"ldap"', `"ldap", "noise": "${noise}"`);
  const upload = await started(ids);
  await upload.part(1, text.slice(0, 10)).expect(200);
  await upload.part(2, text.slice(10)).expect(200);
  const answer = await upload.complete(2);
  expect(problemsOf(answer)).toMatchObject([{ pointer: '/noise', code: 'UNKNOWN_FIELD' }]);
  await removeOld();
  expect(await kept()).toEqual([]);
});

describe('what is missing', () => {
  test('is named, and may still come', async () => {
    const ids = await service.register();
    const [head, tail] = [payload('ann').slice(0, 20), payload('ann').slice(20)];
    const upload = await started(ids);
    await upload.part(2, tail).expect(200);
    const answer = await upload.complete(4);
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([
      {
        field: 'sequence_count',
        pointer: '/sequence_count',
        code: 'MISSING_PART',
        description: 'parts 1, 3, 4 have not come',
      },
    ]);
    expect(problemsOf(await upload.complete(1))).toMatchObject([
      { code: 'MISSING_PART', description: 'part 1 has not come' },
    ]);
    await upload.part(1, head).expect(200);
    expect(problemsOf(await upload.complete(1))).toMatchObject([
      {
        pointer: '/sequence_count',
        code: 'OUT_OF_RANGE',
        description: 'is 1, but part 2 has come',
      },
    ]);
    await upload.complete(2).expect(200);
  });
});

describe('refused is', () => {
  let ids: RegisteredIds;
  let id: string;
  beforeAll(async () => {
    ids = await service.register();
    ({ id } = await started(ids));
  });

  const part = (more: object): object => ({
    operation: 'upload',
    upload_id: id,
    sequence_number: 1,
    data: 'e30=',
    ...more,
  });

  test.each([
    ['no operation', () => ({}), '/operation', 'MISSING_FIELD'],
    ['an unknown operation', () => ({ operation: 'abort' }), '/operation', 'UNKNOWN_VALUE'],
    ['a part of no upload', () => part({ upload_id: null }), '/upload_id', 'MISSING_FIELD'],
    ['a part of an unknown upload', () => part({ upload_id: 'x' }), '/upload_id', 'UNKNOWN_UPLOAD'],
    ['part 0', () => part({ sequence_number: 0 }), '/sequence_number', 'OUT_OF_RANGE'],
    ['part 100', () => part({ sequence_number: 100 }), '/sequence_number', 'OUT_OF_RANGE'],
    ['part 1.5', () => part({ sequence_number: 1.5 }), '/sequence_number', 'OUT_OF_RANGE'],
    ['a part "1"', () => part({ sequence_number: '1' }), '/sequence_number', 'WRONG_TYPE'],
    ['a part without data', () => part({ data: undefined }), '/data', 'MISSING_FIELD'],
    ['data that are JSON', () => part({ data: '{"a":1}' }), '/data', 'BAD_BASE64'],
    ['half a byte of data', () => part({ data: 'e30=e' }), '/data', 'BAD_BASE64'],
    ['a lone digit of data', () => part({ data: 'e30ab' }), '/data', 'BAD_BASE64'],
    [
      'completing without a count',
      () => ({ operation: 'complete', upload_id: id }),
      '/sequence_count',
      'MISSING_FIELD',
    ],
    [
      'completing what is unknown',
      () => ({ operation: 'complete', upload_id: 'x', sequence_count: 1 }),
      '/upload_id',
      'UNKNOWN_UPLOAD',
    ],
  ])('%s', async (_what, body, pointer, code) => {
    const answer = await service.post(partsPath(ids), body());
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toMatchObject([{ pointer, code }]);
  });

  test('a part, or the end, of an upload of another data source', async () => {
    const other = await service.register();
    const stolen = uploadTo(other, id);
    for (const answer of [await stolen.part(1, '{}'), await stolen.complete(1)]) {
      expect(answer.status).toBe(400);
      expect(problemsOf(answer)).toMatchObject([{ code: 'UNKNOWN_UPLOAD' }]);
    }
  });

  test('any part for a data source that is not there, whatever the body', async () => {
    const path = partsPath(ids).replace(ids.data_source_id, 'none');
    expect((await service.post(path, 'no json')).status).toBe(404);
    expect((await service.send('get', partsPath(ids))).status).toBe(405);
  });

  test('the part with which the payload would be too large; the others stay', async () => {
    const upload = await started(ids);
    const half = Buffer.alloc(LARGEST_PAYLOAD / 2, ' ');
    await upload.part(1, half).expect(200);
    const answer = await upload.part(2, Buffer.alloc(half.length + 1, ' '));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ code: 'PayloadTooLarge' });
    await upload.part(2, payload('ann')).expect(200);
    await upload.complete(2).expect(200);
  });
});

describe('the upload is gone once its payload', () => {
  test.each([
    ['is refused', payload('ann', 'ann'), { pointer: '/users/1', code: 'DUPLICATE_ID' }],
    ['is no JSON', '{"name":', { pointer: '', code: 'NOT_JSON', near: '{"name":‹here›' }],
    [
      'is no UTF-8',
      Buffer.from([0x7b, 0xff]),
      {
        pointer: '',
        code: 'ILL_FORMED_TEXT',
        description: 'is not well-formed UTF-8: line 1, column 2',
      },
    ],
  ])('%s', async (_why, bytes, problem) => {
    const ids = await service.register();
    const upload = await started(ids);
    await upload.part(1, bytes).expect(200);
    const answer = await upload.complete(1);
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toMatchObject([problem]);
    const again = await upload.complete(1);
    expect(problemsOf(again)).toMatchObject([{ code: 'UNKNOWN_UPLOAD' }]);
    await removeOld();
    expect(await kept()).not.toContainEqual(['UploadPart', expect.anything()]);
  });

  test('is no JSON: the place counts from the beginning of the first part', async () => {
    const upload = await started(await service.register());
    await upload.part(1, '{\n "na').expect(200);
    await upload.part(2, 'me": "x"\n "users": []}').expect(200);
    expect(problemsOf(await upload.complete(2))).toMatchObject([
      {
        description: expect.stringContaining('line 3, column 2') as unknown,
        near: '{ "name": "x" ‹here›"users": []}',
      },
    ]);
  });

  test('is in the graph', async () => {
    const ids = await service.register();
    const upload = await started(ids);
    await upload.part(1, payload('ann')).expect(200);
    await upload.complete(1).expect(200);
    expect(problemsOf(await upload.complete(1))).toMatchObject([{ code: 'UNKNOWN_UPLOAD' }]);
    expect(problemsOf(await upload.part(2, 'x'))).toMatchObject([{ code: 'UNKNOWN_UPLOAD' }]);
  });
});

test('of several requests that complete an upload at once, one pushes it', async () => {
  const ids = await service.register();
  const upload = await started(ids);
  await upload.part(1, payload('ann')).expect(200);
  // Two services take the requests, so that both have read the parts before either pushes them.
  const second = await serviceUnderTest({}, { keep: true });
  const driver = testDriver();
  const session = driver.session({ database: testNeo4j().database });
  const other = session.beginTransaction();
  await other.run(LOCK_DATA_SOURCE, { data_source: ids.data_source_id, push: 'another' });
  const completed = [upload.complete(1), uploadTo(ids, upload.id, second).complete(1)].map(
    async (sent) => await sent,
  );
  await untilWaiting(2);
  await other.rollback();
  await session.close();
  await driver.close();
  const answers = await Promise.all(completed);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    message: expect.stringContaining('The upload has ended in the meantime') as string,
  });
  expect(await service.send('get', ids.path.replace(/:push$/, '/pushes'))).toMatchObject({
    body: { values: [{ outcome: 'accepted' }] },
  });
  await second.close();
});

test('a client whose data source was busy completes again', async () => {
  const ids = await service.register();
  const upload = await started(ids);
  await upload.part(1, payload('ann')).expect(200);
  const driver = testDriver();
  const session = driver.session({ database: testNeo4j().database });
  const other = session.beginTransaction();
  await other.run(LOCK_DATA_SOURCE, { data_source: ids.data_source_id, push: 'another' });
  const impatient = await serviceUnderTest({ pushWaitSeconds: 1 }, { keep: true });
  const busy = await uploadTo(ids, upload.id, impatient).complete(1);
  await impatient.close();
  await other.rollback();
  await session.close();
  await driver.close();
  expect(busy.status).toBe(409);
  expect(busy.body).toMatchObject({ code: 'FailedPrecondition' });
  await removeOld();
  await upload.complete(1).expect(200);
  expect(await users(ids)).toEqual(['ann']);
});

test('parts outlive the service, and Neo4j out of reach', async () => {
  const ids = await service.register();
  const text = payload('ann', 'bob');
  const { id } = await started(ids);
  const proxy = await breakableProxy(testNeo4j().uri);
  const second = await serviceUnderTest({}, { uri: `bolt://127.0.0.1:${proxy.port}`, keep: true });
  const third = await serviceUnderTest({}, { keep: true });
  await uploadTo(ids, id, third).part(1, text.slice(0, 30)).expect(200);
  const upload = uploadTo(ids, id, second);
  await upload.part(2, text.slice(30)).expect(200);
  await proxy.cut();
  const unavailable = await upload.complete(2);
  expect(unavailable.status).toBe(503);
  expect(unavailable.body).toMatchObject({ code: 'Unavailable' });
  await proxy.mend();
  await upload.complete(2).expect(200);
  expect(await users(ids)).toEqual(['ann', 'bob']);
  await second.close();
  await third.close();
  await proxy.cut();
});

describe('open uploads', () => {
  const QUOTA = {
    ofDataSource: 2,
    ofProvider: 2,
    inAll: 3,
    bytesOfDataSource: 1000,
    bytesOfProvider: 1000,
    bytesInAll: 1500,
  };

  test('and their bytes have quotas; what is complete or old counts no more', async () => {
    const small = await serviceUnderTest({ quota: QUOTA });
    const [one, other] = [await small.register(), await small.register()];
    const begin = (ids: RegisteredIds) => small.post(partsPath(ids), { operation: 'start' });
    const first = await started(one, small);
    const second = await started(one, small);
    const third = await begin(one);
    expect([third.status, third.headers['retry-after']]).toEqual([429, '60']);
    expect(third.body).toMatchObject({
      code: 'ResourceExhausted',
      message: expect.stringContaining('The data source has 2 open uploads') as string,
    });
    const elsewhere = await started(other, small);
    expect((await begin(other)).body).toMatchObject({
      message: expect.stringContaining('There are 3 open uploads') as string,
    });
    await first.part(1, ' '.repeat(600)).expect(200);
    await first.part(1, ' '.repeat(600)).expect(200);
    expect((await second.part(1, ' '.repeat(401))).body).toMatchObject({
      code: 'ResourceExhausted',
      message: expect.stringContaining('open uploads of the data source may hold') as string,
    });
    expect((await elsewhere.part(1, ' '.repeat(901))).body).toMatchObject({
      message: expect.stringContaining('All open uploads may hold') as string,
    });
    await second.part(1, payload('ann')).expect(200);
    await second.complete(1).expect(200);
    await started(one, small);
    await small.close();
  });

  test('of all data sources of one provider have a share; another provider finds room', async () => {
    const small = await serviceUnderTest({
      quota: { ...QUOTA, ofDataSource: 1, inAll: 4, bytesOfDataSource: 600, bytesInAll: 2000 },
    });
    const one = await small.register();
    const sibling = async (name: string): Promise<RegisteredIds> => {
      const all = one.path.slice(0, one.path.lastIndexOf('/'));
      const made = await small.post(all, { id: one.id, name });
      const { id } = (made.body as { value: { id: string } }).value;
      return { id: one.id, data_source_id: id, path: `${all}/${id}:push` };
    };
    const [two, three] = [await sibling('two'), await sibling('three')];
    const [first, second] = [await started(one, small), await started(two, small)];
    const refused = await small.post(partsPath(three), { operation: 'start' });
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { message: expect.stringContaining('data sources of the provider have 2') as string },
    ]);
    await first.part(1, ' '.repeat(600)).expect(200);
    const part = await second.part(1, ' '.repeat(401));
    expect([part.status, part.body]).toMatchObject([
      429,
      { message: expect.stringContaining("provider's data sources may hold 1000 bytes") as string },
    ]);
    const other = await started(await small.register(), small);
    await other.part(1, ' '.repeat(600)).expect(200);
    await small.close();
  });
});

describe('an upload', () => {
  const age = async (upload: string, seconds: number): Promise<void> => {
    const driver = testDriver();
    await driver.executeQuery(
      'MATCH (u:Upload {key: $upload}) SET u.since = datetime() - duration({seconds: $seconds})',
      { upload, seconds },
      { database: testNeo4j().database },
    );
    await driver.close();
  };

  test('lasts an hour; then it is unknown, and removed by whoever comes next', async () => {
    await removeOld();
    const ids = await service.register();
    const before = await kept();
    const [old, young] = [await started(ids), await started(ids)];
    await old.part(1, payload('ann')).expect(200);
    await young.part(1, payload('bob')).expect(200);
    await age(old.id, 3601);
    await age(young.id, 3500);
    for (const answer of [await old.part(2, 'x'), await old.complete(1)]) {
      expect(problemsOf(answer)).toMatchObject([{ pointer: '/upload_id', code: 'UNKNOWN_UPLOAD' }]);
    }
    await Promise.all([removeOld(), removeOld()]);
    await young.complete(1).expect(200);
    expect(await users(ids)).toEqual(['bob']);
    await removeOld();
    expect(await kept()).toEqual(before);
  });

  test('goes with its data source', async () => {
    await removeOld();
    const before = await kept();
    const ids = await service.register();
    const upload = await started(ids);
    await upload.part(1, randomBytes(2_500_000)).expect(200);
    expect(await kept()).not.toEqual(before);
    await service.send('delete', ids.path.replace(/:push$/, '')).expect(200);
    expect(await kept()).toEqual(before);
    expect((await upload.part(2, 'x')).status).toBe(404);
  });
});
