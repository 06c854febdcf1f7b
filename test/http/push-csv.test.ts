import { gzipSync } from 'node:zlib';

import supertest from 'supertest';

import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest({ guardRows: 5 });
});
afterAll(() => service.close());

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;

const bodyOf = (
  { id, data_source_id }: RegisteredIds,
  csv: string | Buffer,
  more: object = {},
) => ({
  id,
  data_source_id,
  csv_data: Buffer.from(csv).toString('base64'),
  ...more,
});

const pushCsv = (ids: RegisteredIds, csv: string | Buffer, more?: object) =>
  service.post(`${ids.path}_csv`, bodyOf(ids, csv, more));

const pushJson = ({ path, ...ids }: RegisteredIds, payload: object) =>
  service.post(path, { ...ids, json_data: JSON.stringify(payload) });

interface Violation {
  readonly pointer: string;
  readonly code: string;
  readonly row?: number;
  readonly column?: string;
}

const violations = (answer: { readonly body: unknown }) =>
  (answer.body as { details: readonly { field_violations: readonly Violation[] }[] }).details
    .flatMap(({ field_violations }) => field_violations)
    .map(({ pointer, code, row, column }) => [row, column, code, pointer]);

const ACCOUNTS = lines(
  'name,email,is_active,groups,roles',
  'ann,ann@example.org,yes,staff,editor',
  'bob,,no,staff,',
);

const SYSTEM = { system_name: 'Wiki', system_type: 'wiki' };

const ACCOUNTS_AS_JSON = {
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: [
        { name: 'ann', email: 'ann@example.org', is_active: true, groups: ['staff'] },
        { name: 'bob', is_active: false, groups: ['staff'] },
      ],
      local_groups: [{ name: 'staff' }],
      local_roles: [{ name: 'editor' }],
    },
  ],
  identity_to_permissions: [
    {
      identity: 'ann',
      identity_type: 'local_user',
      role_assignments: [{ application: 'Wiki', role: 'editor', apply_to_application: true }],
    },
  ],
};

test('a CSV push of an application equals the JSON push of the same content', async () => {
  const ids = await service.register('application');
  const first = await pushCsv(ids, ACCOUNTS, SYSTEM);
  expect([first.status, first.body]).toEqual([
    200,
    expect.objectContaining({
      unchanged: false,
      warnings: [expect.objectContaining({ code: 'EMPTY_ROLE' })],
    }),
  ]);
  const { digest } = first.body as { digest: string };
  const again = await pushJson(ids, ACCOUNTS_AS_JSON);
  expect([again.status, again.body]).toEqual([
    200,
    expect.objectContaining({ unchanged: true, digest }),
  ]);
  expect((await pushCsv(ids, ACCOUNTS, SYSTEM)).body).toMatchObject({ unchanged: true, digest });
});

test('a CSV push of an identity provider equals the JSON push of the same content', async () => {
  const ids = await service.register('identity_provider');
  const csv = lines('login,full name,groups', 'ann,Ann Lee,staff', 'bob,"May, Bob",');
  const first = await pushCsv(ids, csv, { ...SYSTEM, columns: { login: 'name' } });
  expect([first.status, first.body]).toEqual([200, expect.objectContaining({ warnings: [] })]);
  const again = await pushJson(ids, {
    name: 'Wiki',
    idp_type: 'wiki',
    domains: [{ name: 'Wiki' }],
    users: [
      { name: 'ann', full_name: 'Ann Lee', groups: [{ identity: 'staff' }] },
      { name: 'bob', full_name: 'May, Bob' },
    ],
    groups: [{ name: 'staff' }],
  });
  expect(again.body).toMatchObject({
    unchanged: true,
    digest: (first.body as { digest: string }).digest,
  });
});

test('the system is called like the data source, and its type like the provider', async () => {
  const ids = await service.register('application');
  expect((await pushCsv(ids, ACCOUNTS)).status).toBe(200);
  const provider = await service.send('get', `/api/v1/providers/custom/${ids.id}`);
  const { value } = provider.body as { value: { name: string; application_types: string[] } };
  expect(value.application_types).toEqual([value.name]);
});

test('a body may be compressed, and csv_data may hold line breaks', async () => {
  const ids = await service.register('application');
  const body = bodyOf(ids, ACCOUNTS);
  const broken = { ...body, csv_data: body.csv_data.replace(/.{20}/g, '$&\n') };
  const answer = await supertest(service.app)
    .post(`${ids.path}_csv`)
    .set('authorization', `Bearer ${API_KEY}`)
    .set('content-type', 'application/json')
    .set('content-encoding', 'gzip')
    .serialize((body: unknown) => body as string)
    .send(gzipSync(JSON.stringify(broken)));
  expect(answer.status).toBe(200);
});

test('a problem of the payload names row and column, in the answer and in the record', async () => {
  const ids = await service.register('application');
  const csv = lines(
    'kind,name,user_type,Groups',
    'local_user,ann,human,staff',
    'local_user,bob,robot,staf',
    'local_group,staff,,',
    'local_user,,,',
  );
  const shape = await pushCsv(ids, csv);
  expect([shape.status, violations(shape)]).toEqual([
    400,
    [
      [3, 'user_type', 'UNKNOWN_VALUE', '/applications/0/local_users/1/user_type'],
      [5, 'name', 'MISSING_FIELD', '/applications/0/local_users/2/name'],
    ],
  ]);
  const rules = await pushCsv(ids, csv.replace('robot', 'human').replace('local_user,,,\n', ''));
  expect(violations(rules)).toEqual([
    [3, 'Groups', 'UNKNOWN_REFERENCE', '/applications/0/local_users/1/groups/0'],
  ]);
  const listed = await service.send('get', `${ids.path.replace(/:push$/, '')}/pushes?page_size=1`);
  const [{ id }] = (listed.body as { values: [{ id: string }] }).values;
  const record = await service.send('get', `${ids.path.replace(/:push$/, '')}/pushes/${id}`);
  expect(record.body).toMatchObject({
    value: { outcome: 'refused', problems: [{ row: 3, column: 'Groups' }] },
  });
});

test('a file that is no payload is refused and recorded, and nothing is written', async () => {
  const ids = await service.register('application');
  const answer = await pushCsv(ids, lines('name,emial', 'ann,x'));
  expect([answer.status, violations(answer)]).toEqual([
    400,
    [[1, 'emial', 'UNKNOWN_FIELD', '/csv_data']],
  ]);
  const listed = await service.send('get', `${ids.path.replace(/:push$/, '')}/pushes`);
  expect(listed.body).toMatchObject({ values: [{ outcome: 'refused', problem_count: 1 }] });
});

test.each([
  ['no base64', { csv_data: '?' }, 'BAD_BASE64', '/csv_data'],
  ['no csv_data', { csv_data: null }, 'MISSING_FIELD', '/csv_data'],
  ['a number', { csv_data: 7 }, 'WRONG_TYPE', '/csv_data'],
  [
    'no UTF-8',
    { csv_data: Buffer.from([0xff]).toString('base64') },
    'ILL_FORMED_TEXT',
    '/csv_data',
  ],
  ['another provider', { id: 'x' }, 'ID_MISMATCH', '/id'],
  ['columns that are no object', { columns: 'name' }, 'WRONG_TYPE', '/columns'],
  ['a column that is no text', { columns: { name: 7 } }, 'WRONG_TYPE', '/columns/name'],
])('the request is refused: %s', async (_, wrong, code, pointer) => {
  const ids = await service.register('application');
  const answer = await service.post(`${ids.path}_csv`, { ...bodyOf(ids, ACCOUNTS), ...wrong });
  expect(answer.status).toBe(400);
  expect(violations(answer)).toEqual([[undefined, undefined, code, pointer]]);
});

test('the removal guard holds a CSV push back, too', async () => {
  const ids = await service.register('identity_provider');
  const many = ['name', ...Array.from({ length: 9 }, (_, at) => `user-${at}`)];
  expect((await pushCsv(ids, lines(...many))).status).toBe(200);
  const held = await pushCsv(ids, lines('name', 'ann'));
  expect([held.status, held.body]).toEqual([
    409,
    expect.objectContaining({ code: 'FailedPrecondition' }),
  ]);
  const [, digest = ''] = /Grantgraph-Confirm-Removal: (\w+)/.exec(JSON.stringify(held.body)) ?? [];
  const confirmed = await pushCsv(ids, lines('name', 'ann')).set(
    'Grantgraph-Confirm-Removal',
    digest,
  );
  expect(confirmed.status).toBe(200);
});

test('a file that is larger than a payload may be is answered 413', async () => {
  const small = await serviceUnderTest({ jsonBytes: 2_000 }, { keep: true });
  try {
    const ids = await small.register('application');
    const rows = Array.from({ length: 100 }, (_, at) => `user-${at}`);
    // The file fits, but the payload that it becomes does not.
    const answer = await small.post(`${ids.path}_csv`, bodyOf(ids, lines('name', ...rows)));
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([
      413,
      'PayloadTooLarge',
    ]);
  } finally {
    await small.close();
  }
});
