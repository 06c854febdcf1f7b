import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest({ problems: 5 });
});
afterAll(() => service.close());

const pushesPath = ({ path }: RegisteredIds): string => path.replace(/:push$/, '/pushes');

const push = ({ path, ...ids }: RegisteredIds, payload: unknown) =>
  service.post(path, { ...ids, json_data: JSON.stringify(payload) });

const application = (...roles: readonly string[]): object => ({
  applications: [
    {
      name: 'Wiki',
      application_type: 'wiki',
      local_users: [{ name: 'a' }],
      local_roles: roles.map((name) => ({ name })),
    },
  ],
});

interface Listed {
  readonly id: string;
  readonly at: string;
  readonly outcome: string;
}

interface List {
  readonly values: readonly Listed[];
  readonly has_more: boolean;
  readonly next_page_token: string;
}

const list = async (
  ids: RegisteredIds,
  query: Readonly<Record<string, string>> = {},
): Promise<List> => {
  const answer = await service.send('get', pushesPath(ids)).query(query);
  expect(answer.status).toBe(200);
  return answer.body as List;
};

const outcomes = async (ids: RegisteredIds, filter: string): Promise<readonly string[]> =>
  (await list(ids, { filter })).values.map(({ outcome }) => outcome);

describe('the pushes to a data source', () => {
  let ids: RegisteredIds;
  let accepted: { push_id: string; digest: string; at: string; put: object };

  beforeAll(async () => {
    ids = await service.register('application');
    const other = await service.register('application');
    await push(other, application());
    accepted = (await push(ids, application('empty'))).body as typeof accepted;
    await push(ids, application('empty'));
    await push(ids, {
      applications: [{ name: 'W', application_type: 'w', local_users: Array(120).fill({}) }],
    });
  });

  test('are listed newest first, without what each said', async () => {
    const { values, has_more, next_page_token } = await list(ids);
    expect(values.map(({ outcome }) => outcome)).toEqual(['refused', 'unchanged', 'accepted']);
    expect({ has_more, next_page_token }).toEqual({ has_more: false, next_page_token: '' });
    expect(values[2]).toEqual({
      id: accepted.push_id,
      data_source_id: ids.data_source_id,
      at: accepted.at,
      outcome: 'accepted',
      access: null,
      put: accepted.put,
      removed: { nodes: 0, relationships: 0 },
      digest: accepted.digest,
      seconds: expect.objectContaining({ read: expect.any(Number) as number }) as object,
      warning_count: 1,
      problem_count: 0,
      request_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      by: {
        key_id: null,
        name: 'API_KEY',
        address: expect.stringContaining('127.0.0.1') as string,
      },
    });
    expect(values[0]).toMatchObject({ digest: null, warning_count: 0, problem_count: 120 });
  });

  test('are paged', async () => {
    const first = await list(ids, { page_size: '2' });
    expect(first.values.map(({ outcome }) => outcome)).toEqual(['refused', 'unchanged']);
    const second = await list(ids, { page_size: '2', page_token: first.next_page_token });
    expect(second.values.map(({ outcome }) => outcome)).toEqual(['accepted']);
    expect(second.has_more).toBe(false);
    const oldest = await list(ids, { order_by: 'at', page_size: '1' });
    expect(oldest.values.map(({ outcome }) => outcome)).toEqual(['accepted']);
  });

  test('can be filtered', async () => {
    expect(await outcomes(ids, 'outcome eq "Refused"')).toEqual(['refused']);
    expect(await outcomes(ids, 'problem_count ge 1')).toEqual(['refused']);
    expect(await outcomes(ids, `at le "${accepted.at}"`)).toEqual(['accepted']);
    const answer = await service
      .send('get', pushesPath(ids))
      .query({ filter: 'problem_count ge x' });
    expect(answer.status).toBe(400);
  });

  test('tell one by one what they said', async () => {
    const [refused, , whole] = (await list(ids)).values;
    const read = async (id: string | undefined): Promise<unknown> =>
      ((await service.send('get', `${pushesPath(ids)}/${id}`)).body as { value: unknown }).value;
    const message = 'Role is missing permission (local role "empty" of application "Wiki")';
    expect(await read(whole?.id)).toEqual({
      ...whole,
      access_factors: null,
      warnings: [
        {
          message,
          code: 'EMPTY_ROLE',
          pointer: '/applications/0/local_roles/0',
          subject: { kind: 'local role', name: 'empty', application: 'Wiki' },
        },
      ],
      problems: [],
    });
    const problems = Array.from({ length: 100 }, (_, index) => ({
      pointer: `/applications/0/local_users/${index}/name`,
      code: 'MISSING_FIELD',
      message: expect.any(String) as string,
    }));
    expect(await read(refused?.id)).toEqual({
      ...refused,
      access_factors: null,
      warnings: [],
      problems,
    });
  });

  test('are not told of another data source, or of none', async () => {
    const other = await service.register('application');
    expect((await list(other)).values).toEqual([]);
    for (const path of [
      `${pushesPath(other)}/${accepted.push_id}`,
      `${pushesPath(ids)}/none`,
      pushesPath(ids).replace(ids.data_source_id, 'none'),
      `${pushesPath(ids).replace(ids.data_source_id, 'none')}?filter=nonsense`,
    ]) {
      expect((await service.send('get', path)).status).toBe(404);
    }
  });
});
