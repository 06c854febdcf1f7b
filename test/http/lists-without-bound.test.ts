/** @more bounds */

import { parse } from 'csv-parse/sync';

import type { ExportedAccess } from '../../src/contract/answers/questions/access';
import { Browser } from './browser-session';
import { keyOf } from './company';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * Lists that a key for one provider makes as long as it likes: accounts of somebody, and owners of
 * what another one has.
 */

/** Together they name more accounts than one row may. */
const ACCOUNTS = 400;
const PERMISSIONS = 60;
const MOST_NAMED = 10_000;
const MOST_HELD_OF_PIECE = 5_000;

const LEAVERS = 300;
const TAGS = 150;
const MOST_LISTED = 100;
const MOST_REASONS = 20;

const FREYA = 'freya.dahl@halden.example';

let service: ServiceUnderTest;
let browser: Browser;
let freya: string;
let forge: string;
let beginning: string;

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const may = upTo(PERMISSIONS).map((at) => `may ${at}`);

const people = (isHostile: boolean): object => ({
  name: 'halden',
  idp_type: 'halden',
  domains: [{ name: 'halden.example' }],
  users: [
    { name: 'freya', identity: FREYA, email: FREYA },
    { name: 'zoe', identity: 'zoe', entities_owned: [{ node_type: 'source_code', id: 'Forge' }] },
    { name: 'boss', identity: 'boss' },
    ...upTo(isHostile ? LEAVERS : 0).map((at) => ({
      name: `b${at}`,
      identity: `b${at}`,
      is_active: false,
      manager_id: 'boss',
      entities_owned: [{ node_type: 'source_code', id: 'Forge' }],
    })),
  ],
});

const application = (isHostile: boolean): object => ({
  applications: [
    {
      name: 'Planted',
      application_type: 'planted',
      local_groups: [{ name: 'g' }],
      local_users: upTo(isHostile ? ACCOUNTS : 0).map((at) => ({
        name: `plant ${at}`,
        identities: [FREYA],
        groups: ['g'],
      })),
      resources: [
        {
          name: 'Forge',
          resource_type: 'source_code',
          tags: upTo(TAGS).map((at) => ({ key: `tag${at}`, value: 'x' })),
        },
      ],
    },
  ],
  permissions: may.map((name) => ({ name, permission_type: ['DataRead'] })),
  identity_to_permissions: [
    {
      identity: 'g',
      identity_type: 'local_group',
      application_permissions: may.map((permission) => ({
        application: 'Planted',
        permission,
        resources: ['Forge'],
      })),
    },
  ],
});

beforeAll(async () => {
  service = await serviceUnderTest({ bodyBytes: 4e6, jsonBytes: 4e6 });
  const [directory, planted] = [await service.register(), await service.register('application')];
  const push = async (isHostile: boolean): Promise<string> => {
    let at = '';
    for (const [{ path, ...ids }, payload] of [
      [directory, people(isHostile)],
      [planted, application(isHostile)],
    ] as const) {
      const pushed = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
      expect([pushed.status, pushed.status === 200 ? '' : pushed.text]).toEqual([200, '']);
      ({ at } = pushed.body as { readonly at: string });
    }
    return at;
  };
  beginning = await push(false);
  await push(true);
  freya = await keyOf(service, 'IdpUser', 'freya');
  forge = await keyOf(service, 'Resource', 'Forge');
  browser = new Browser(service.app);
  await browser.signIn(API_KEY);
});
afterAll(() => service.close());

const answerTo = async (
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly body: unknown; readonly text: string }> => {
  const search = new URLSearchParams(query).toString();
  const answer = await service.send('get', `/api/v1/${path}?${search}`);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer;
};

interface Held {
  readonly accounts: readonly string[];
  readonly accounts_total?: number;
}

const expectBounded = (held: readonly Held[]): void => {
  expect(held).toHaveLength(PERMISSIONS);
  const named = held.reduce((sum, { accounts }) => sum + accounts.length, 0);
  expect(named).toBeLessThanOrEqual(MOST_NAMED);
  expect(named).toBeGreaterThan(MOST_NAMED - PERMISSIONS);
  for (const { accounts, accounts_total } of held) {
    // The identity has what the accounts that it names have.
    expect(accounts_total).toBe(ACCOUNTS + 1);
    expect(accounts).toEqual([...new Set(accounts)].sort());
  }
};

test.each(['', 'now'])('a row names few of many accounts, and counts all (at "%s")', async (at) => {
  const instant = at === '' ? {} : { at: new Date().toISOString() };
  const { body } = await answerTo('access', { principal: freya, person: 'true', ...instant });
  const { values, total } = body as {
    readonly total: number;
    readonly values: readonly { readonly permissions: readonly Held[] }[];
  };
  expect([total, values.length]).toEqual([1, 1]);
  expectBounded(values[0]?.permissions ?? []);
});

test('a change names few of many accounts, and counts all', async () => {
  const query = { principal: freya, person: 'true', since: beginning };
  const { body } = await answerTo('access:changes', query);
  const { values } = body as { readonly values: readonly { readonly gained: readonly Held[] }[] };
  expect(values).toHaveLength(1);
  expectBounded(values[0]?.gained ?? []);
});

test('tables say that they name only some accounts', async () => {
  const share = Math.floor(MOST_NAMED / PERMISSIONS);
  const query = { principal: freya, person: 'true' };
  const { text } = await answerTo('access', { ...query, format: 'csv' });
  const lines: readonly Readonly<Record<string, string>>[] = parse(text, { columns: true });
  expect(lines).toHaveLength(PERMISSIONS);
  for (const { accounts } of lines)
    expect(accounts?.endsWith(`, and ${ACCOUNTS + 1 - share} more`)).toBe(true);
  const search = new URLSearchParams({ ...query, words: 'true' }).toString();
  expect((await browser.get(`/console/csv/access?${search}`)).text).toContain(', and more');
});

test('an export writes few permissions at once', async () => {
  const { text } = await answerTo('access:export', { principal: freya, person: 'true' });
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedAccess);
  let [held, most] = [0, 0];
  for (const { permissions, cursor } of rows) {
    held += permissions.length;
    most = Math.max(most, held);
    if (cursor !== undefined) held = 0;
  }
  expect(rows.length).toBeGreaterThan(ACCOUNTS);
  expect(most).toBeLessThan(MOST_HELD_OF_PIECE + PERMISSIONS);
});

test('the page of an entity lists few of many tags and managers, and counts all', async () => {
  const { body } = await answerTo(`entities/${encodeURIComponent(forge)}`);
  const { value } = body as {
    readonly value: {
      readonly tags: readonly { readonly derived: boolean }[];
      readonly resource_managers: readonly unknown[];
      readonly totals: Readonly<Record<string, number>>;
    };
  };
  const { tags, resource_managers, totals } = value;
  expect([tags.length, resource_managers.length]).toEqual([MOST_LISTED, MOST_LISTED]);
  expect(tags.some(({ derived }) => derived)).toBe(false);
  expect(totals).toEqual({
    // Each manager is a tag too, which the service derives.
    tags: TAGS + LEAVERS + 1,
    memberships: 0,
    managers: 0,
    owners: 0,
    resource_managers: LEAVERS + 1,
  });
  const page = await browser.get(`/console/resources/${encodeURIComponent(forge)}`);
  expect(page.text).toContain(`and ${LEAVERS + 1 - MOST_LISTED} that are not listed`);
});

interface Reviewer {
  readonly name: string;
  readonly reasons: readonly unknown[];
  readonly reasons_total?: number;
}

test('few of many reviewers are listed: those who own a resource before who manages leavers', async () => {
  const { body } = await answerTo('reviewers', { resource: forge });
  const { values, total } = body as { values: readonly Reviewer[]; total: number };
  expect([values.length, total]).toEqual([MOST_LISTED, LEAVERS + 2]);
  expect(values.slice(0, 3).map(({ name }) => name)).toEqual(['zoe', 'boss', 'b0']);
  expect(values[1]).toMatchObject({ reasons_total: LEAVERS });
  expect(values[1]?.reasons).toHaveLength(MOST_REASONS);
});
