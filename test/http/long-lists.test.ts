/** @more bounds */

import { ask } from '../../src/neo4j/ask';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const ACCOUNTS = 4_000;

let service: ServiceUnderTest;
let door: string;

beforeAll(async () => {
  service = await serviceUnderTest({ bodyBytes: 4e6, jsonBytes: 4e6 });
  const { path, ...ids } = await service.register('application');
  const payload = {
    applications: [
      {
        name: 'doors',
        application_type: 'doors',
        local_users: Array.from({ length: ACCOUNTS }, (_, at) => ({
          name: `user ${at}`,
          groups: ['all'],
        })),
        local_groups: [{ name: 'all' }],
        resources: [{ name: 'door', resource_type: 'door' }],
      },
    ],
    permissions: [{ name: 'open' }],
    identity_to_permissions: [
      {
        identity: 'all',
        identity_type: 'local_group',
        application_permissions: [
          { application: 'doors', permission: 'open', resources: ['door'] },
        ],
      },
    ],
  };
  const pushed = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect(pushed.status).toBe(200);
  const [row] = await ask(
    service.graph,
    "MATCH (door:Resource {name: 'door'}) RETURN door.key AS key",
  );
  door = String(row?.key);
});

afterAll(() => service.close());

// Before, each row carried the list of all accounts: the answer took half a minute, or all memory.
test('thousands of accounts that no directory names are people of a list', async () => {
  const query = new URLSearchParams({ resource: door, page_size: '10' }).toString();
  const answer = await service.send('get', `/api/v1/access?${query}`);
  const { people, without_user, total } = answer.body as Readonly<Record<string, unknown>>;
  expect([answer.status, people, without_user, total]).toEqual([200, ACCOUNTS, ACCOUNTS, ACCOUNTS]);
});

interface Page {
  readonly values: readonly { readonly principal: { readonly id: string } }[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_page_token: string;
}

const pages = async (size: number): Promise<readonly Page[]> => {
  const read: Page[] = [];
  for (let token = '', isLast = false; !isLast;) {
    const more = token === '' ? '' : `&page_token=${encodeURIComponent(token)}`;
    const answer = await service.send(
      'get',
      `/api/v1/access?resource=${encodeURIComponent(door)}&entities=true&page_size=${size}${more}`,
    );
    expect(answer.status).toBe(200);
    const page = answer.body as Page;
    read.push(page);
    ({ next_page_token: token } = page);
    isLast = !page.has_more;
  }
  return read;
};

test.each([100, 1_000, 10_000])(
  'thousands who can do something to one resource are listed in pages of %i',
  async (size) => {
    const read = await pages(size);
    expect(read.map(({ total }) => total)).toEqual(read.map(() => ACCOUNTS + 1));
    const rows = read.flatMap(({ values }) => values.map((value) => JSON.stringify(value)));
    expect(new Set(rows).size).toBe(ACCOUNTS + 1);
    expect(rows).toHaveLength(ACCOUNTS + 1);
  },
);
