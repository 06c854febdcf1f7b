import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
  for (let index = 0; index < 130; index += 1) {
    await service.post(PROVIDERS, {
      name: `Listed ${String(index).padStart(3, '0')}`,
      custom_template: 'application',
    });
  }
  await service.post(PROVIDERS, { name: QUOTED, custom_template: 'identity_provider' });
});
afterAll(() => service.close());

const PROVIDERS = '/api/v1/providers/custom';
const QUOTED = `It's "so" = (a:b)!`;

interface List {
  readonly values: readonly { readonly id: string; readonly name: string }[];
  readonly has_more: boolean;
  readonly next_page_token: string;
  readonly total: number;
}

const list = async (path: string): Promise<List> => {
  const answer = await service.send('get', path);
  expect(answer.status).toBe(200);
  return answer.body as List;
};

const byName = (name: string): string =>
  `${PROVIDERS}?page_size=250&filter=${encodeURIComponent(`name eq "${name}"`)}`;

test('a client that knows no pages gets everything at once', async () => {
  const { values, has_more } = await list(PROVIDERS);
  expect(values).toHaveLength(131);
  expect(has_more).toBe(false);
});

test('pages of at most 100 make up the list, in order of names', async () => {
  const first = await list(`${PROVIDERS}?page_size=250`);
  expect(first.values).toHaveLength(100);
  expect(first).toMatchObject({ has_more: true, total: 131 });
  const token = encodeURIComponent(first.next_page_token);
  const second = await list(`${PROVIDERS}?page_size=250&page_token=${token}`);
  expect(second).toMatchObject({ has_more: false, next_page_token: '' });
  const names = [...first.values, ...second.values].map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
  expect(names).toHaveLength(131);
});

test('a name with quotes is found as it was given', async () => {
  expect((await list(byName(QUOTED))).values.map(({ name }) => name)).toEqual([QUOTED]);
  expect((await list(byName('LISTED 007'))).values.map(({ name }) => name)).toEqual(['Listed 007']);
  expect((await list(byName('no such name'))).values).toEqual([]);
});

test('unknown parameters are ignored, and lists can be ordered', async () => {
  const { values } = await list(
    `${PROVIDERS}?include_all=True&order_by=state&page_size=1&expand=values`,
  );
  expect(values.map(({ name }) => name)).toEqual([QUOTED]);
});

test.each([
  ['filter=nonsense', '/filter', 'BAD_FILTER'],
  ['Filter=nonsense', '/filter', 'BAD_FILTER'],
  ['filter=secret%20eq%20%22x%22', '/filter', 'BAD_FILTER'],
  ['page_token=nonsense', '/page_token', 'BAD_PAGE_TOKEN'],
])('%s is 400', async (query, pointer, code) => {
  const answer = await service.send('get', `${PROVIDERS}?${query}`);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ details: [{ field_violations: [{ pointer, code }] }] });
});

test('the templates are those that can be registered', async () => {
  const { values } = await list(`${PROVIDERS}/templates`);
  expect(values).toEqual([
    { name: 'identity_provider' },
    { name: 'application' },
    { name: 'hris' },
  ]);
});

describe('a provider', () => {
  let path = '';
  beforeAll(async () => {
    const { id } = await service.register();
    path = `${PROVIDERS}/${id}`;
  });

  test('is read, changed, and keeps what a change does not name', async () => {
    expect((await service.send('get', path)).body).toMatchObject({
      value: { state: 'ENABLED', provisioning: false, schema_definition_json: 'e30=' },
    });
    const changed = await service.send('patch', path, { provisioning: true });
    expect(changed.body).toMatchObject({
      value: { provisioning: true, external_lifecycle_management_type: null },
    });
    await service.send('patch', path, { external_lifecycle_management_type: 'SCIM' });
    expect((await service.send('get', path)).body).toMatchObject({
      value: { provisioning: true, external_lifecycle_management_type: 'SCIM' },
    });
    const unset = await service.send('patch', path, { external_lifecycle_management_type: '' });
    expect(unset.body).toMatchObject({ value: { external_lifecycle_management_type: null } });
  });

  test('an icon is answered and stored nowhere', async () => {
    const before = await service.counts();
    const icon_base64 = Buffer.alloc(65_536)
      .toString('base64')
      .replace(/(.{76})/g, '$1\r\n');
    const answer = await service.post(`${path}:icon`, { icon_base64 });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await service.counts()).toEqual(before);
  });

  test.each([
    [{}, 'MISSING_FIELD'],
    [{ icon_base64: '' }, 'EMPTY'],
    [{ icon_base64: 7 }, 'WRONG_TYPE'],
  ])('%j is no icon', async (body, code) => {
    const answer = await service.post(`${path}:icon`, body);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { details: [{ field_violations: [{ field: 'icon_base64', code }] }] },
    ]);
  });

  test('tells its data sources, which can be read one by one', async () => {
    const { values } = await list(`${path}/datasources?page_size=250`);
    expect(values).toEqual([
      expect.objectContaining({ name: 'Main', status: 'PENDING', last_push: null, rows: 0 }),
    ]);
    const [source] = values;
    const one = await service.send('get', `${path}/datasources/${source?.id}`);
    expect(one.body).toEqual({ value: source });
  });
});

test.each([
  ['get', `${PROVIDERS}/unknown`],
  ['patch', `${PROVIDERS}/unknown`],
  ['delete', `${PROVIDERS}/unknown`],
  ['post', `${PROVIDERS}/unknown:icon`],
  ['get', `${PROVIDERS}/unknown/datasources`],
  ['get', `${PROVIDERS}/unknown/datasources/unknown`],
  ['delete', `${PROVIDERS}/unknown/datasources/unknown`],
] as const)('%s %s is 404', async (method, path) => {
  expect((await service.send(method, path)).status).toBe(404);
});
