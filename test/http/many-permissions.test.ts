/** @more bounds */

import { sized } from '../support/test-size';
import { Browser } from './browser-session';
import { keyOf } from './company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/** More permissions in all than one read of a list has, and more than an answer without pages has. */
const USERS = 500;
const PERMISSIONS = 450;
const MOST_HELD = 50_000;

let service: ServiceUnderTest;
let analyst: Browser;
let application: string;
let all: string;

const held = Array.from({ length: PERMISSIONS }, (_, at) => `permission ${at}`);

beforeAll(async () => {
  service = await serviceUnderTest({ bodyBytes: 4e6, jsonBytes: 4e6 });
  const { path, ...ids } = await service.register('application');
  const payload = {
    applications: [
      {
        name: 'Wide',
        application_type: 'wide',
        local_groups: [{ name: 'all' }],
        local_users: Array.from({ length: USERS }, (_, at) => ({
          name: `user ${at}`,
          groups: ['all'],
        })),
        resources: [{ name: 'thing', resource_type: 'thing' }],
      },
    ],
    permissions: held.map((name) => ({ name, apply_to_sub_resources: true })),
    identity_to_permissions: [
      {
        identity: 'all',
        identity_type: 'local_group',
        application_permissions: held.map((permission) => ({
          application: 'Wide',
          permission,
          apply_to_application: true,
        })),
      },
    ],
  };
  const pushed = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  expect(pushed.status).toBe(200);
  application = await keyOf(service, 'Application', 'Wide');
  all = await keyOf(service, 'LocalGroup', 'all');
  analyst = new Browser(service.app);
  await analyst.signIn(API_KEY);
});
afterAll(() => service.close());

interface Page {
  readonly values: readonly { readonly id: string; readonly permissions: readonly unknown[] }[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_page_token: string;
}

const get = (path: string, query: Readonly<Record<string, string>>) =>
  service.send('get', `/api/v1/${path}?${new URLSearchParams(query).toString()}`);

const pages = async (query: Readonly<Record<string, string>>): Promise<readonly Page[]> => {
  const read: Page[] = [];
  for (let page_token = '', isLast = false; !isLast;) {
    const answer = await get('access', { ...query, page_token });
    expect(answer.status).toBe(200);
    const page = answer.body as Page;
    read.push(page);
    ({ next_page_token: page_token } = page);
    isLast = !page.has_more;
  }
  return read;
};

// A page of 10,000 people with 100 permissions each held the thread that answers for 10 s; the same
// as CSV held it for 40 s, and used 3 GB.
test.each(sized(['true'], ['', 'true']))(
  'a page with very many permissions ends early, and the next ones have the rest (contents: "%s")',
  async (contents) => {
    const query = { resource: application, contents, page_size: '10000' };
    const read = await pages(query);
    const countOf = ({ values }: Page): number =>
      values.reduce((sum, { permissions }) => sum + permissions.length, 0);
    expect(read.length).toBeGreaterThan(1);
    for (const page of read) expect(countOf(page)).toBeLessThan(MOST_HELD + PERMISSIONS);
    const rows = read.flatMap(({ values }) => values);
    expect(rows).toHaveLength(USERS);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(USERS);
    expect(rows.every(({ permissions }) => permissions.length === PERMISSIONS)).toBe(true);
    expect(new Set(read.map(({ total }) => total))).toEqual(new Set([USERS]));
  },
);

test('an instant has the same pages', async () => {
  const at = new Date().toISOString();
  const read = await pages({ resource: application, page_size: '10000', at });
  expect(read.length).toBeGreaterThan(1);
  expect(new Set(read.flatMap(({ values }) => values.map(({ id }) => id))).size).toBe(USERS);
});

test('a file has all rows', async () => {
  const query = new URLSearchParams({ resource: application, contents: 'true' }).toString();
  const csv = await service.send('get', `/api/v1/access?${query}&format=csv`);
  expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1 + USERS * PERMISSIONS);
  const words = await analyst.get(`/console/csv/access?${query}&words=true`);
  expect(words.text.trimEnd().split('\r\n')).toHaveLength(1 + USERS);
});

test('who would lose so much is no answer, and by permission it is one', async () => {
  const asked = { resource: application, contents: 'true', without: all };
  const refused = await get('access:gateways', asked);
  expect([refused.status, (refused.body as { readonly message: string }).message]).toEqual([
    413,
    expect.stringContaining('Ask about a permission'),
  ]);
  const narrowed = await get('access:gateways', { ...asked, permission: 'permission 1' });
  expect([narrowed.status, (narrowed.body as Page).values.length]).toEqual([200, USERS]);
  const page = `/console/resources/${encodeURIComponent(application)}?without=${encodeURIComponent(all)}`;
  expect((await analyst.get(page)).status).toBe(413);
});
