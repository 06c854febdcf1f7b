/** @more access */

import { largestFirst } from '../features/console/page-rows';
import { keyOf, pushCompany } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let nadia: string;
let motor: string;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
  nadia = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  motor = await keyOf(service, 'Resource', 'Firmware.motor-control');
});
afterAll(() => service.close());

type Row = Readonly<Record<string, unknown>>;

interface List {
  readonly values: readonly (Row & {
    readonly name: string;
    readonly permissions: readonly Row[];
  })[];
  readonly has_more: boolean;
  readonly next_page_token: string;
  readonly total: number;
  readonly as_of: unknown;
}

const get = async (
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> =>
  service.send('get', `/api/v1/${path}?${new URLSearchParams(query).toString()}`);

const list = async (query: Readonly<Record<string, string>>): Promise<List> => {
  const answer = await get('access', query);
  expect(answer.status).toBe(200);
  return answer.body as List;
};

const problemsOf = ({ body }: { body: unknown }): readonly Row[] =>
  (body as { details: readonly { field_violations: readonly Row[] }[] }).details.flatMap(
    ({ field_violations }) => field_violations,
  );

test('what a principal can reach, with the permissions', async () => {
  const answer = await list({ principal: nadia });
  expect(answer).toMatchObject({
    principal: { id: nadia, label: 'IdpUser', name: 'Nadia Haddad', inactive: false },
    has_more: false,
    next_page_token: '',
    total: answer.values.length,
  });
  expect(answer.values.find(({ resource }) => resource === motor)).toEqual({
    id: motor,
    label: 'Resource',
    resource: motor,
    resource_label: 'Resource',
    name: 'motor-control',
    path: 'Firmware.motor-control',
    resource_type: 'repository',
    application: 'Forge',
    provider: expect.any(String) as unknown,
    permissions: expect.arrayContaining([
      {
        name: 'Push tag',
        permission_type: ['DataWrite', 'MetadataCreate'],
        application: 'Forge',
      },
    ]) as unknown,
  });
});

test('who can reach a resource, and those who left marked as such', async () => {
  const { values, total } = await list({ resource: motor, entities: 'true' });
  expect(total).toBe(values.length);
  expect(values.find(({ principal }) => principal === nadia)).toMatchObject({
    principal_label: 'IdpUser',
    inactive: false,
  });
  const left = values.filter(({ inactive }) => inactive === true).map(({ name }) => name);
  expect(left).toContain('Jonas Eklund');
  const labels = new Set(values.map(({ principal_label }) => principal_label));
  expect(labels).toContain('LocalUser');
  // A resource that connects to an account acts with its access.
  expect(labels).toContain('Resource');
});

test.each([
  ['resource', { label: 'LocalUser' }, ['LocalUser']],
  ['resource', { label: 'Role' }, ['LocalRole']],
])('by %s, of a label alone', async (_by, more, labels) => {
  const { values, total } = await list({ resource: motor, ...more });
  expect(total).toBe(values.length);
  expect([...new Set(values.map(({ principal_label }) => principal_label))]).toEqual(labels);
});

test('by person each human is one line, with the accounts and identities that are the same', async () => {
  const whole = await list({ resource: motor, entities: 'true' });
  const people = await list({ resource: motor, person: 'True' });
  const lines = people.values.filter(({ name }) => name === 'Nadia Haddad');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.drawn_together).toEqual([
    'Identity|nadia.haddad@halden.example',
    expect.stringMatching(/\|LocalUser\|Forge\|forge-1001$/),
  ]);
  const drawn = people.values.flatMap(({ drawn_together }) => drawn_together as string[]);
  const listed = people.values.map(({ principal }) => principal);
  expect(listed.filter((key) => drawn.includes(key as string))).toEqual([]);
  const labels = new Set(people.values.map(({ principal_label }) => principal_label));
  // An identity that nobody has may be somebody.
  expect([...labels].sort()).toEqual(['Identity', 'IdpUser', 'LocalUser']);
  expect(people.total).toBeLessThan(whole.total);
  // Accounts of nobody stay, robots do not.
  const names = people.values.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['jdoe', 'forge-admin']));
  expect(names).not.toContain('Build Robot');
});

test('person=false asks for nothing, so it may stand beside a principal', async () => {
  const { total } = await list({ principal: nadia });
  expect((await list({ principal: nadia, person: 'false' })).total).toBe(total);
});

/** The ids of all rows of a list, page by page. */
const idsByPage = async (
  query: Readonly<Record<string, string>>,
  total: number,
): Promise<readonly unknown[]> => {
  const ids: unknown[] = [];
  let token = '';
  do {
    const page = await list({ ...query, page_size: '7', page_token: token });
    expect(page.total).toBe(total);
    expect(page.values.length).toBe(page.has_more ? 7 : page.values.length);
    ids.push(...page.values.map(({ id }) => id));
    token = page.next_page_token;
    expect(page.has_more).toBe(token !== '');
  } while (token !== '');
  return ids;
};

test.each([
  'name',
  'name desc',
  'label',
  'application desc',
  'key',
  'largest_application',
  'largest_application desc',
])('pages in order of %s come to the whole list', async (order_by) => {
  const whole = await list({ resource: motor, order_by });
  const ids = await idsByPage({ resource: motor, order_by }, whole.total);
  expect(ids).toEqual(whole.values.map(({ id }) => id));
  expect(new Set(ids).size).toBe(whole.total);
});

// The console sorted the rows of one page, so longer lists went by the names of applications.
test('the largest application comes first, also if the list has several pages', async () => {
  const { values, total } = await list({ principal: nadia, page_size: '10000' });
  expect(total).toBeGreaterThan(14);
  const wanted = largestFirst({ values } as unknown as Parameters<typeof largestFirst>[0]);
  const sizes = new Set(wanted.map(({ application }) => application));
  expect(sizes.size).toBeGreaterThan(1);
  const query = { principal: nadia, order_by: 'largest_application' };
  const ids = await idsByPage(query, total);
  expect(ids).toEqual(wanted.map(({ id }) => id));
  // The filter decides which rows an application has.
  const [least = ''] = [...sizes].toReversed().map(String);
  const narrowed = await list({ ...query, application: least });
  expect(narrowed.values.map(({ application }) => application)).toEqual(
    narrowed.values.map(() => least),
  );
});

test('a list is narrowed to permissions, their types and applications, and says so', async () => {
  const query = 'permission=push+TAG&permission=Read&permission_type=DataWrite&application=forge';
  const answer = await service.send(
    'get',
    `/api/v1/access?principal=${encodeURIComponent(nadia)}&${query}`,
  );
  const { filter, values } = answer.body as List & { readonly filter: unknown };
  expect(filter).toEqual({
    permission: ['push TAG', 'Read'],
    permission_type: ['DataWrite'],
    application: ['forge'],
  });
  const names = new Set(values.flatMap(({ permissions }) => permissions.map(({ name }) => name)));
  expect([...names]).toEqual(['Push tag']);
  expect(new Set(values.map(({ application }) => application))).toEqual(new Set(['Forge']));
  expect(values.map(({ resource }) => resource)).toContain(motor);
  expect(await list({ principal: nadia })).toMatchObject({ filter: {} });
});

test('an application that is not there has no rows', async () => {
  expect(await list({ principal: nadia, application: 'nowhere' })).toMatchObject({
    values: [],
    total: 0,
    filter: { application: ['nowhere'] },
  });
});

test('a page after a push tells what stands then, from the row on where the page before ended', async () => {
  const { path, ...ids } = await service.register('application');
  const push = async (names: readonly string[]): Promise<void> => {
    const payload = {
      applications: [
        { name: 'pages', application_type: 'pages', local_users: names.map((name) => ({ name })) },
      ],
      permissions: [{ name: 'view', permission_type: ['DataRead'] }],
      identity_to_permissions: names.map((identity) => ({
        identity,
        identity_type: 'local_user',
        application_permissions: [{ application: 'pages', permission: 'view' }],
      })),
    };
    const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
    expect(answer.status).toBe(200);
  };
  await push(['a', 'c', 'e', 'g']);
  const asked = { resource: `${ids.data_source_id}|Application|pages`, page_size: '1' };
  const first = await list(asked);
  const second = await list({ ...asked, page_token: first.next_page_token });
  expect(second).toMatchObject({ values: [{ name: 'c' }], total: 4, as_of: first.as_of });
  await push(['a', 'c', 'd', 'g']);
  const third = await list({ ...asked, page_token: second.next_page_token });
  expect(third).toMatchObject({ values: [{ name: 'd' }], total: 4, has_more: true });
  expect(third.as_of).not.toEqual(first.as_of);
});

test.each([
  [{ permission: 'Push' }, true],
  [{ permission: 'pUsH' }, true],
  [{ permission: 'Delete repository' }, false],
  [{ permission: 'no such permission' }, false],
  [{ permission_type: 'DataWrite' }, true],
  [{ permission_type: 'DataDelete' }, false],
  [{ permission: 'Read', permission_type: 'DataRead' }, true],
  [{ permission: 'Read', permission_type: 'DataWrite' }, false],
])('a check of %p', async (asked, allowed) => {
  const answer = await get('access:check', { principal: nadia, resource: motor, ...asked });
  expect(answer.body).toEqual({ value: { allowed }, as_of: expect.anything() as unknown });
});

test('of two names that differ by case the one that is meant counts', async () => {
  const { path, ...ids } = await service.register('application');
  const payload = {
    applications: [
      {
        name: 'case',
        application_type: 'case',
        local_users: [{ name: 'ann' }],
        resources: [{ name: 'r', resource_type: 't' }],
      },
    ],
    permissions: [
      { name: 'view', permission_type: ['DataRead'] },
      { name: 'View', permission_type: ['DataWrite'] },
    ],
    identity_to_permissions: [
      {
        identity: 'ann',
        identity_type: 'local_user',
        application_permissions: [{ application: 'case', permission: 'view', resources: ['r'] }],
      },
    ],
  };
  await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  const ends = {
    principal: `${ids.data_source_id}|LocalUser|case|ann`,
    resource: `${ids.data_source_id}|Resource|case|/t|r`,
  };
  const allowed = async (permission: string): Promise<unknown> =>
    (await get('access:check', { ...ends, permission })).body;
  expect(await allowed('view')).toMatchObject({ value: { allowed: true } });
  expect(await allowed('View')).toMatchObject({ value: { allowed: false } });
  expect(await allowed('VIEW')).toMatchObject({ value: { allowed: true } });
});

interface Path {
  readonly permission: Row;
  readonly hops: readonly Row[];
  readonly scope: readonly Row[];
}

const explained = async (
  query: Readonly<Record<string, string>>,
): Promise<{ readonly paths: readonly Path[]; readonly truncated: boolean }> => {
  const answer = await get('access:explain', query);
  expect(answer.status).toBe(200);
  return (answer.body as { value: { paths: readonly Path[]; truncated: boolean } }).value;
};

test('an explanation tells each hop, since when, and what put it there', async () => {
  const { paths, truncated } = await explained({
    principal: nadia,
    resource: motor,
    permission: 'push tag',
  });
  expect(truncated).toBe(false);
  const ways = paths.map(({ hops, scope }) =>
    [...hops, ...scope]
      .map(
        ({ relationship, name }) =>
          `${relationship === null ? '' : `-${relationship as string}-> `}${name as string}`,
      )
      .join(' '),
  );
  expect(ways).toContain(
    'Nadia Haddad -KNOWN_AS-> nadia.haddad@halden.example -IDENTITY_OF-> nhaddad -MEMBER_OF-> release-crew ' +
      '-HOLDS-> Push tag -OF-> Push tag -ON-> motor-control',
  );
  for (const { permission, hops, scope } of paths) {
    expect(permission).toEqual({
      name: 'Push tag',
      permission_type: ['DataWrite', 'MetadataCreate'],
    });
    expect(hops[0]).toMatchObject({ id: nadia, relationship: null, from: null });
    hops.slice(1).forEach((hop, at) => expect(hop.from).toBe(hops[at]?.id));
    expect(scope.at(-1)?.id).toBe(motor);
  }
  const known = paths[0]?.hops[1] as Row;
  const push = await service.send(
    'get',
    `/api/v1/entities/${encodeURIComponent(known.data_source as string)}`,
  );
  // Data sources are no entities; the push is one of the code host's, which named her.
  expect(push.status).toBe(404);
  expect(known).toEqual({
    id: 'Identity|nadia.haddad@halden.example',
    label: 'Identity',
    name: 'nadia.haddad@halden.example',
    relationship: 'KNOWN_AS',
    from: nadia,
    since: expect.stringMatching(/Z$/) as unknown,
    data_source: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    push: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
  });
});

test('without access there is no path', async () => {
  const answer = await explained({ principal: nadia, resource: motor, permission: 'nothing' });
  expect(answer).toEqual({ paths: [], truncated: false });
});

test('more than a hundred reasons are cut, and it is told', async () => {
  const { path, ...ids } = await service.register('application');
  const groups = Array.from({ length: 120 }, (_, at) => `g${at}`);
  const payload = {
    applications: [
      {
        name: 'many',
        application_type: 'many',
        local_users: [{ name: 'ann', groups }],
        local_groups: [...groups.map((name) => ({ name, groups: ['all'] })), { name: 'all' }],
      },
    ],
    permissions: [{ name: 'view', permission_type: ['DataRead'] }],
    identity_to_permissions: [
      {
        identity: 'all',
        identity_type: 'local_group',
        application_permissions: [{ application: 'many', permission: 'view' }],
      },
    ],
  };
  await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  const { paths, truncated } = await explained({
    principal: `${ids.data_source_id}|LocalUser|many|ann`,
    resource: `${ids.data_source_id}|Application|many`,
  });
  expect([paths.length, truncated]).toEqual([100, true]);
});

// Before, the answer about an application left out who reaches only what is in it.
test('with contents, who reaches something in an application counts too, with all permissions', async () => {
  const { path, ...ids } = await service.register('application');
  const of = (name: string, more: object): object => ({
    name,
    resource_type: 'folder',
    ...more,
  });
  const granted = (identity: string, given: object): object => ({
    identity,
    identity_type: 'local_user',
    application_permissions: [{ application: 'vault', ...given }],
  });
  const json_data = JSON.stringify({
    applications: [
      {
        name: 'vault',
        application_type: 'vault',
        local_users: ['root', 'top', 'deep', 'nobody'].map((name) => ({ name })),
        resources: [
          of('north', { sub_resources: [of('cellar', {}), of('attic', {})] }),
          of('south', {}),
        ],
      },
    ],
    permissions: [
      { name: 'see', permission_type: ['DataRead'] },
      { name: 'keep', permission_type: ['DataWrite'] },
    ],
    identity_to_permissions: [
      granted('root', { permission: 'see', apply_to_application: true }),
      granted('top', { permission: 'see', resources: ['north'] }),
      granted('deep', { permission: 'see', resources: ['south'] }),
      granted('deep', { permission: 'keep', resources: ['north.cellar'] }),
    ],
  });
  const pushed = await service.post(path, { ...ids, json_data });
  expect([pushed.status, pushed.body]).toMatchObject([200, {}]);
  const application = await keyOf(service, 'Application', 'vault');
  const north = await keyOf(service, 'Resource', 'north');
  const south = await keyOf(service, 'Resource', 'south');
  const whoAt = async (resource: string, more: Readonly<Record<string, string>>) =>
    (await list({ resource, ...more })).values.map(({ name, permissions }) => [
      name,
      permissions.map((held) => held.name),
    ]);
  const contents = { contents: 'true' };
  expect(await whoAt(application, {})).toEqual([['root', ['see']]]);
  expect(await whoAt(application, contents)).toEqual([
    ['deep', ['keep', 'see']],
    ['root', ['see']],
    ['top', ['see']],
  ]);
  expect(await whoAt(application, { ...contents, permission_type: 'DataWrite' })).toEqual([
    ['deep', ['keep']],
  ]);
  expect(await whoAt(north, contents)).toEqual([
    ['deep', ['keep']],
    ['top', ['see']],
  ]);
  expect(await whoAt(south, contents)).toEqual([['deep', ['see']]]);
  const { filter, people, total } = (await list({ resource: application, ...contents })) as List & {
    readonly filter: unknown;
    readonly people: number;
  };
  expect([filter, people, total]).toEqual([{ contents: true }, 3, 3]);
  const csv = await service.send(
    'get',
    `/api/v1/access?${new URLSearchParams({ resource: application, ...contents, format: 'csv' }).toString()}`,
  );
  expect(csv.text.trim().split('\n')).toHaveLength(1 + 4);
  const gateways = await get('access:gateways', { resource: application, ...contents });
  expect(gateways.body).toMatchObject({ people: 3, direct: 3 });
});

interface Lost {
  readonly id: string;
  readonly lost: readonly object[];
  readonly left: readonly object[];
}

test('what people lose without a group anywhere is what they lose on each resource', async () => {
  const resource = await keyOf(service, 'Resource', 'Firmware.motor-control');
  const { values: groups } = (await get('access:gateways', { resource })).body as {
    values: readonly { id: string }[];
  };
  expect(groups.length).toBeGreaterThan(0);
  for (const { id: without } of groups) {
    const there = (await get('access:gateways', { resource, without })).body as {
      values: readonly Lost[];
    };
    const anywhere = (await get('access:gateways', { without })).body as {
      people: number;
      resources: number;
      values: readonly { id: string; resources: number; gone: number; losses: readonly Lost[] }[];
    };
    const lost = anywhere.values.flatMap(({ id, losses }) =>
      losses.filter((each) => each.id === resource).map((each) => ({ ...each, id })),
    );
    const plain = (all: readonly Lost[]) => all.map(({ id, lost: gone, left }) => [id, gone, left]);
    expect([without, plain(lost)]).toEqual([without, plain(there.values)]);
    for (const { resources, gone, losses } of anywhere.values) {
      expect(losses).toHaveLength(resources);
      expect(losses.filter(({ left }) => left.length === 0)).toHaveLength(gone);
    }
    const targets = anywhere.values.flatMap(({ losses }) => losses.map(({ id }) => id));
    expect(new Set(targets).size).toBe(anywhere.resources);
    expect(anywhere.values.length).toBeLessThanOrEqual(anywhere.people);
  }
});

test('an answer says which push it reflects', async () => {
  const { path, ...ids } = await service.register();
  const payload = { name: 'late', idp_type: 'late', domains: [{ name: 'late' }] };
  const answer = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
  const { push_id, at } = answer.body as { push_id: string; at: string };
  expect(await list({ principal: nadia })).toMatchObject({ as_of: { push: push_id, at } });
});

test.each([
  ['access', {}, '/principal', 'MISSING_FIELD'],
  ['access', { principal: 'x', resource: 'y' }, '/resource', 'UNKNOWN_FIELD'],
  ['access', { principal: 'x', page_token: 'x' }, '/page_token', 'BAD_PAGE_TOKEN'],
  ['access', { resource: 'x', label: 'Nobody' }, '/label', 'UNKNOWN_VALUE'],
  ['access', { principal: 'x', label: 'LocalUser' }, '/label', 'UNKNOWN_VALUE'],
  ['access', { resource: 'x', persn: 'true' }, '/persn', 'UNKNOWN_FIELD'],
  ['access:gateways', {}, '/resource', 'MISSING_FIELD'],
  ['access:gateways', { without: 'x', contents: 'true' }, '/contents', 'UNKNOWN_FIELD'],
  ['access:export', { at: '2026-03-01T00:00:00Z' }, '/at', 'UNKNOWN_FIELD'],
  ['access', { resource: 'x', person: 'yes' }, '/person', 'UNKNOWN_VALUE'],
  ['access', { principal: 'x', entities: 'true' }, '/entities', 'UNKNOWN_FIELD'],
  ['access', { principal: 'x', contents: 'true' }, '/contents', 'UNKNOWN_FIELD'],
  ['access', { resource: 'x', contents: 'yes' }, '/contents', 'UNKNOWN_VALUE'],
  ['access', { resource: 'x', person: 'true', entities: 'true' }, '/entities', 'UNKNOWN_FIELD'],
  ['access', { principal: 'x', permission_type: 'dataread' }, '/permission_type', 'UNKNOWN_VALUE'],
  ['access', { principal: 'x', page_size: 'many' }, '/page_size', 'OUT_OF_RANGE'],
  ['access', { principal: 'x', page_size: '0' }, '/page_size', 'OUT_OF_RANGE'],
  ['access', { principal: 'x', order_by: 'nam' }, '/order_by', 'UNKNOWN_VALUE'],
  ['access', { principal: 'x', order_by: 'name down' }, '/order_by', 'UNKNOWN_VALUE'],
  [
    'access:check',
    { principal: 'x', resource: 'y', permision: 'z' },
    '/permision',
    'UNKNOWN_FIELD',
  ],
  ['access:explain', { principal: 'x', resource: 'y', label: 'z' }, '/label', 'UNKNOWN_FIELD'],
  ['entities', { filtr: 'name eq "x"' }, '/filtr', 'UNKNOWN_FIELD'],
  ['entities', { order_by: 'nme' }, '/order_by', 'UNKNOWN_VALUE'],
  ['entities', { page_size: '-1' }, '/page_size', 'OUT_OF_RANGE'],
  ['entities/x', { filter: 'name eq "x"' }, '/filter', 'UNKNOWN_FIELD'],
  ['reviewers', { principal: 'x', of: 'y' }, '/of', 'UNKNOWN_FIELD'],
  ['access:check', { principal: 'x', permission: 'y' }, '/resource', 'MISSING_FIELD'],
  ['access:check', { principal: 'x', resource: 'y' }, '/permission', 'MISSING_FIELD'],
  [
    'access:check',
    { principal: 'x', resource: 'y', permission_type: 'dataread' },
    '/permission_type',
    'UNKNOWN_VALUE',
  ],
  ['access:explain', { resource: 'y' }, '/principal', 'MISSING_FIELD'],
  ['reviewers', {}, '/principal', 'MISSING_FIELD'],
] as const)('%s of %p is 400', async (path, query, pointer, code) => {
  const answer = await get(path, query);
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toMatchObject([{ pointer, code }]);
});

test('a parameter that stands twice where one is meant is 400', async () => {
  const answer = await service.send('get', '/api/v1/access?resource=x&resource=y');
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toMatchObject([{ pointer: '/resource', code: 'REPEATED_FIELD' }]);
});

test('an unknown parameter is named with the one that may have been meant', async () => {
  const problems = problemsOf(await get('access', { resource: 'x', persn: 'true' }));
  expect(problems).toMatchObject([{ description: expect.stringContaining('"person"') as unknown }]);
});

test('a page token of another order is 400', async () => {
  const { next_page_token } = await list({ resource: motor, page_size: '1' });
  const other = { resource: motor, order_by: 'label', page_token: next_page_token };
  expect((await get('access', other)).status).toBe(400);
});

test.each([
  ['access', { principal: 'nobody' }],
  ['access', { resource: 'nothing' }],
  ['access:check', { principal: 'nobody', resource: 'nothing', permission: 'x' }],
  ['access:explain', { principal: 'nobody', resource: 'nothing' }],
  ['reviewers', { principal: 'nobody' }],
  ['reviewers', { resource: 'nothing' }],
])('%s of %p is 404', async (path, query) => {
  expect((await get(path, query)).status).toBe(404);
});

describe('reviewers', () => {
  const reviewers = async (
    query: Readonly<Record<string, string>>,
  ): Promise<readonly unknown[]> => {
    const { status, body } = await get('reviewers', query);
    expect(status).toBe(200);
    return (body as { values: readonly Row[] }).values.map(({ name, reasons }) => [
      name,
      (reasons as readonly Row[]).map(({ text }) => text),
    ]);
  };

  test('of a person are the managers', async () => {
    expect(await reviewers({ principal: nadia })).toEqual([
      ['Marcus Oyelaran', ['is the manager of IdpUser "Nadia Haddad"']],
    ]);
  });

  test('of an account are the managers of whoever is behind it', async () => {
    const account = await keyOf(service, 'LocalUser', 'nhaddad');
    expect(await reviewers({ principal: account })).toContainEqual([
      'Marcus Oyelaran',
      ['is the manager of IdpUser "Nadia Haddad"'],
    ]);
  });

  test('of a resource are its managers and owners, and whoever stands in for those who left', async () => {
    const all = await reviewers({ resource: motor });
    expect(all[0]).toEqual([
      'Nadia Haddad',
      [
        'is an owner of Resource "Firmware.motor-control"',
        'manages Resource "Firmware.motor-control"',
        'is the manager of IdpUser "Jonas Eklund", which is inactive',
      ],
    ]);
    expect(all.at(-1)).toEqual(['Jonas Eklund', ['manages Resource "Firmware.motor-control"']]);
  });
});

// Before, explain answered no path, and the command line "No access.", where a check answered yes.
test.each([
  [15, false],
  [20, false],
  [40, true],
  [100, true],
])(
  'access through %i nested groups is explained by its shortest path (in a circle: %s)',
  async (depth, isCircle) => {
    const { path, ...ids } = await service.register('application');
    const name = `deep ${depth}`;
    // Each group is in the next one; in a circle also in the one before, and the last in the first.
    const groups = Array.from({ length: depth }, (_, at) => ({
      name: `deep-${at}`,
      groups: [
        ...(at === depth - 1 ? [] : [`deep-${at + 1}`]),
        ...(isCircle && at > 0 ? [`deep-${at - 1}`] : []),
        ...(isCircle && at === depth - 1 ? ['deep-0'] : []),
      ],
    }));
    const user = `deep-user ${depth}`;
    const json_data = JSON.stringify({
      applications: [
        {
          name,
          application_type: 'deep',
          local_groups: groups,
          local_users: [{ name: user, groups: ['deep-0'] }],
        },
      ],
      permissions: [{ name: 'deep-read', permission_type: ['DataRead'] }],
      identity_to_permissions: [
        {
          identity: `deep-${depth - 1}`,
          identity_type: 'local_group',
          application_permissions: [
            { application: name, permission: 'deep-read', apply_to_application: true },
          ],
        },
      ],
    });
    const pushed = await service.post(path, { ...ids, json_data });
    expect([pushed.status, pushed.status === 200 ? '' : pushed.text]).toEqual([200, '']);
    const pair = {
      principal: await keyOf(service, 'LocalUser', user),
      resource: await keyOf(service, 'Application', name),
    };
    const checked = await get('access:check', { ...pair, permission: 'deep-read' });
    expect(checked.body).toMatchObject({ value: { allowed: true } });
    const { paths, truncated } = await explained(pair);
    expect([paths.length, truncated]).toEqual([1, false]);
    // The user, the groups, the grant and the permission.
    expect(paths[0]?.hops).toHaveLength(depth + 3);
  },
);
