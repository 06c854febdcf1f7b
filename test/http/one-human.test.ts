import { parse } from 'csv-parse/sync';

import { nextMillisecond } from '../support/next-millisecond';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * One human, one answer (docs/rules.md: One human). Random graphs compare the same with the mirror:
 * test/property/access-comparison.ts.
 */

type Answer = Readonly<Record<string, unknown>> & {
  readonly principal?: { readonly id: string };
  readonly accounts?: readonly { readonly id: string }[];
  readonly values: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
};

let service: ServiceUnderTest;
const keys = new Map<string, string>();

const key = (name: string): string => keys.get(name) ?? `no key of ${name}`;

const idp = (name: string, users: readonly object[], groups: readonly object[] = []): object => ({
  name,
  idp_type: name,
  domains: [{ name }],
  users,
  groups,
});

const door = (name: string, local: object, statements: readonly object[] = []): object => ({
  applications: [
    {
      name,
      application_type: name,
      resources: [{ name: 'gate', resource_type: 'Gate' }],
      ...local,
    },
  ],
  permissions: [{ name: 'open', permission_type: ['DataRead'] }],
  identity_to_permissions: statements,
});

const opens = (application: string, identity: string, identity_type: string): object => ({
  identity,
  identity_type,
  application_permissions: [{ application, permission: 'open', resources: ['gate'] }],
});

type Pushing = (payload: object) => Promise<void>;
const source = async (template: 'application' | 'identity_provider' | 'hris'): Promise<Pushing> => {
  const { path, ...ids } = await service.register(template);
  return async (payload) => {
    await service.post(path, { ...ids, json_data: JSON.stringify(payload) }).expect(200);
  };
};

const get = async (
  path: string,
  query: Readonly<Record<string, string | readonly string[]>>,
): Promise<{ readonly status: number; readonly body: Answer; readonly text: string }> => {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) search.append(name, value);
  }
  return service.send('get', `/api/v1/${path}?${search.toString()}`);
};

const readKeys = async (): Promise<void> => {
  const { body } = await get('entities', { page_size: '1000' });
  for (const { id, label, name, properties } of body.values) {
    const { application = '', domain = '' } = properties as Record<string, string>;
    keys.set(`${String(label)} ${name} ${application}${domain}`.trim(), String(id));
  }
};

/** The key of the only entity of a label and name. */
const onlyKey = async (label: string, name: string): Promise<unknown> => {
  const { body } = await get('entities', { label, filter: `name eq "${name}"` });
  const [only, ...others] = body.values;
  expect(others).toEqual([]);
  return only?.id;
};

const linesOf = (csv: string): readonly Readonly<Record<string, string>>[] =>
  parse(csv, { columns: true });

/** Tests number their providers as they run. */
const withoutProviders = (words: string): string => words.replaceAll(/ from Provider \d+/g, '');

const namesOf = ({ values }: Answer): readonly string[] => values.map(({ name }) => name);

let west: Pushing;
let people: Pushing;
let beginning: string;

beforeAll(async () => {
  service = await serviceUnderTest({ bodyBytes: 8_000_000, jsonBytes: 8_000_000 });
  const [east, other, hr] = [
    await source('identity_provider'),
    await source('identity_provider'),
    await source('hris'),
  ];
  west = await source('application');
  people = hr;
  beginning = new Date().toISOString();
  await east(
    idp(
      'east',
      [
        {
          name: 'amara',
          email: 'amara@x',
          full_name: 'Amara Nwosu',
          identity: 'E1',
          manager_id: 'E2',
          groups: [{ identity: 'team' }],
        },
        { name: 'bo', email: 'bo@x', identity: 'E2' },
        { name: 'cy', email: 'cy@x', identity: 'E3' },
        { name: 'robot', email: 'robot@x', identity_type: 'NONHUMAN' },
      ],
      [
        { name: 'team', identity: 'team' },
        { name: 'nobodies', identity: 'nobodies' },
      ],
    ),
  );
  await other(
    idp('other', [
      { name: 'anwosu', identity: 'O1', source_identity: { identity: 'E1', provider_type: 'any' } },
    ]),
  );
  const users = [
    { name: 'Amara Nwosu', id: '1', identities: ['amara@x'] },
    { name: 'second', id: '2', identities: ['O1'] },
    { name: 'shared', id: '3', identities: ['amara@x', 'bo@x'] },
    { name: 'svc', id: '4', user_type: 'service_account' },
    { name: 'machine', id: '5', identities: ['robot@x'], user_type: 'service_account' },
  ];
  await west(
    door('west', { local_users: users, local_groups: [{ name: 'empty' }] }, [
      ...['1', '3', '4', '5'].map((id) => opens('west', id, 'local_user')),
      opens('west', 'empty', 'local_group'),
      ...['team', 'nobodies'].map((group) => opens('west', group, 'idp')),
    ]),
  );
  await (
    await source('application')
  )(
    door(
      'north',
      { local_users: [{ ...users[1], owners: [{ external_id: 'cy@x', owner_type: 'user' }] }] },
      [opens('north', '2', 'local_user')],
    ),
  );
  await readKeys();
});
afterAll(() => service.close());

test('what any node of a human can reach, the human can, and the answer names all their accounts', async () => {
  const user = key('IdpUser amara east');
  const gate = key('Resource gate west');
  const theirs = [
    'Identity amara@x',
    'Identity o1',
    'IdpUser anwosu other',
    'LocalUser Amara Nwosu west',
    'LocalUser second west',
    'LocalUser second north',
  ]
    .map(key)
    .sort();
  for (const asked of [user, ...theirs]) {
    const { status, body } = await get('access', { principal: asked, person: 'true' });
    expect([asked, status, body.principal?.id]).toEqual([asked, 200, user]);
    expect([asked, body.accounts?.map(({ id }) => id)]).toEqual([asked, theirs]);
    expect(body.values.map(({ application }) => application).sort()).toEqual(['north', 'west']);
    const check = await get('access:check', {
      principal: asked,
      person: 'true',
      resource: key('Resource gate north'),
      permission: 'open',
    });
    expect(check.body).toMatchObject({ value: { allowed: true }, principal: { id: user } });
    const explained = await get('access:explain', {
      principal: asked,
      person: 'true',
      resource: gate,
    });
    expect(explained.body.accounts?.map(({ id }) => id)).toEqual(theirs);
    const { paths } = explained.body.value as { paths: readonly unknown[] };
    expect(paths.length).toBeGreaterThan(1);
  }
  // By its id alone a node answers for itself.
  const alone = await get('access', { principal: key('LocalUser second north') });
  expect(alone.body.accounts).toBeUndefined();
  expect(alone.body.values.map(({ application }) => application)).toEqual(['north']);
});

test('each line of a human names the accounts that it comes through: lists, exports, CSV', async () => {
  const human = { principal: key('LocalUser second north'), person: 'true' };
  const byApplication = (lines: readonly Readonly<Record<string, string>>[]): unknown =>
    lines
      .map(({ application, accounts = '' }) => [
        application,
        withoutProviders(accounts).split(', ').sort(),
      ])
      .sort();
  const expected = [
    ['north', ['anwosu (IdpUser in other)', 'o1 (Identity)', 'second (LocalUser in north)']],
    ['west', ['Amara Nwosu (LocalUser in west)', 'amara@x (Identity)']],
  ];
  const list = linesOf((await get('access', { ...human, format: 'csv' })).text);
  expect(byApplication(list)).toEqual(expected);
  const ids = list.find(({ application }) => application === 'west')?.account_ids ?? '';
  expect(new Set(JSON.parse(ids) as string[])).toEqual(
    new Set(['Identity amara@x', 'LocalUser Amara Nwosu west'].map(key)),
  );
  const alone = linesOf((await get('access', { ...human, person: 'false', format: 'csv' })).text);
  expect(byApplication(alone)).toEqual([['north', ['']]]);

  const exported = linesOf((await get('access:export', { ...human, format: 'csv' })).text);
  expect(new Set(exported.map(({ human_id }) => human_id))).toEqual(
    new Set([key('IdpUser amara east')]),
  );
  expect(
    exported.map(({ principal_name, application }) => `${principal_name} ${application}`).sort(),
  ).toEqual(
    [
      'amara north',
      'amara west',
      'amara@x west',
      'Amara Nwosu west',
      'anwosu north',
      'o1 north',
      'second north',
    ].sort(),
  );
  const all = linesOf((await get('access:export', { format: 'csv' })).text);
  const shared = all.filter(({ principal_name }) => principal_name === 'shared');
  expect(shared.map(({ human_id }) => human_id)).toEqual(shared.map(() => ''));
  const two = [key('IdpUser amara east'), key('IdpUser bo east')];
  const refused = await get('access:export', { principal: two });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('AMBIGUOUS_REF')]);
});

test('the reviewers of a human are those of all accounts, and none of these', async () => {
  const account = key('LocalUser second north');
  // Who owns an account is a reviewer of its human too.
  expect(namesOf((await get('reviewers', { principal: account })).body)).toEqual(['cy']);
  const { body } = await get('reviewers', { principal: account, person: 'true' });
  expect(namesOf(body)).toEqual(['bo', 'cy']);
  expect(body.principal?.id).toBe(key('IdpUser amara east'));
  expect(body.accounts?.map(({ id }) => id)).toContain(account);
  const both = await get('reviewers', { principal: [account, key('IdpUser amara east')] });
  expect(namesOf(both.body)).toEqual(['bo', 'cy']);
  const other = await get('reviewers', { principal: [account, key('IdpUser bo east')] });
  expect(other.status).toBe(400);
  const resource = key('Resource gate west');
  expect((await get('reviewers', { resource, person: 'true' })).status).toBe(400);
});

test('principals that are not certainly one human are refused; one of them answers for itself', async () => {
  const shared = key('LocalUser shared west');
  for (const principal of [
    [key('IdpUser amara east'), key('IdpUser bo east')],
    [key('IdpUser amara east'), shared],
  ]) {
    const { status, body } = await get('access', { principal });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('AMBIGUOUS_REFERENCE'),
    ]);
  }
  expect((await get('access', { principal: [key('IdpGroup team east'), shared] })).status).toBe(
    404,
  );
  const { body } = await get('access', { principal: shared, person: 'true' });
  expect([body.principal?.id, body.accounts]).toEqual([shared, undefined]);
  const many = Array.from({ length: 101 }, (_, at) => `x${at}`);
  expect((await get('access', { principal: many })).status).toBe(400);
});

// Somebody with a small key made every answer about this human 413: a push of 999 accounts sufficed.
test('a human has an answer, however many accounts an application says that they have', async () => {
  await (
    await source('identity_provider')
  )(idp('big', [{ name: 'many', email: 'many@x' }]));
  const many = await source('application');
  const accounts = 3_000;
  await many(
    door('big', {
      local_users: Array.from({ length: accounts }, (_, at) => ({
        name: `many ${at}`,
        identities: ['many@x'],
      })),
    }),
  );
  await readKeys();
  const principal = key('IdpUser many big');
  const { status, body } = await get('access', { principal, person: 'true' });
  // The identity is theirs too.
  expect([status, body.accounts?.length]).toEqual([200, accounts + 1]);
  const resource = key('Resource gate west');
  for (const [path, asked] of [
    ['access', { principal: body.accounts?.at(-1)?.id ?? '' }],
    ['access', { principal, cypher: 'true' }],
    ['access:check', { principal, resource, permission: 'open' }],
    ['access:explain', { principal, resource }],
  ] as const) {
    const about = await get(path, { ...asked, person: 'true' });
    expect([path, about.status, about.body.principal?.id]).toEqual([path, 200, principal]);
    expect(about.body.accounts).toHaveLength(accounts + 1);
  }
  const exported = await service
    .send('get', `/api/v1/access:export?principal=${encodeURIComponent(principal)}&person=true`)
    .buffer();
  // None of them has access to anything.
  expect([exported.status, exported.text]).toEqual([200, '']);
  const reviewers = await get('reviewers', { principal, person: 'true' });
  expect([reviewers.status, reviewers.body.accounts?.length]).toEqual([200, accounts + 1]);
});

test('who can: people first, then what no human stands behind', async () => {
  const resource = key('Resource gate west');
  const { body } = await get('access', { resource });
  expect(body.values.slice(0, 2).map(({ id }) => id)).toEqual([
    key('IdpUser amara east'),
    key('IdpUser bo east'),
  ]);
  expect(body.values.map(({ person }) => person)).toEqual(body.values.map((_row, at) => at < 2));
  expect([...namesOf(body).slice(2)].sort()).toEqual(
    ['empty', 'machine', 'nobodies', 'robot', 'svc'].sort(),
  );
  expect(body).toMatchObject({ people: 2, total: body.values.length });
  expect(body.values[0]).toMatchObject({
    accounts: expect.arrayContaining([
      expect.objectContaining({ name: 'Amara Nwosu', application: 'west', label: 'LocalUser' }),
      expect.objectContaining({ name: 'shared' }),
    ]) as unknown,
  });

  const people = await get('access', { resource, person: 'true' });
  expect(people.body.values).toEqual(body.values.slice(0, 2));
  const all = await get('access', { resource, entities: 'true' });
  expect(all.body).toMatchObject({ filter: { entities: true } });
  expect(all.body.values.map(({ id }) => id)).toEqual(
    expect.arrayContaining([key('IdpGroup team east'), key('LocalUser shared west')]),
  );
  // A label asks for entities.
  const labelled = await get('access', { resource, label: 'LocalUser' });
  expect(namesOf(labelled.body)).toEqual(['Amara Nwosu', 'machine', 'shared', 'svc']);
});

test.each(['name', 'name desc', 'key desc', 'label'])(
  'pages of people and others in the order %s come to the whole list, and so does CSV',
  async (order_by) => {
    const resource = key('Resource gate west');
    const whole = await get('access', { resource, order_by });
    const ids: unknown[] = [];
    let page_token = '';
    do {
      const { body } = await get('access', { resource, order_by, page_size: '1', page_token });
      ids.push(...body.values.map(({ id }) => id));
      expect(body).toMatchObject({ total: whole.body.total, people: 2 });
      page_token = String(body.next_page_token);
    } while (page_token !== '');
    expect(ids).toEqual(whole.body.values.map(({ id }) => id));
    const csv = await get('access', { resource, order_by, format: 'csv' });
    const lines = linesOf(csv.text);
    expect(lines.map(({ id, person }) => [id, person])).toEqual(
      whole.body.values.map(({ id, person }) => [id, String(person)]),
    );
    const { accounts = '' } = lines.find(({ id }) => id === key('IdpUser bo east')) ?? {};
    expect(accounts).toMatch(/\(LocalUser in west from Provider \d+\)$/);
    expect(withoutProviders(accounts)).toBe('bo@x (Identity), shared (LocalUser in west)');
  },
);

test('changes of a human are those of all accounts together, also when their employee comes', async () => {
  const since = new Date().toISOString();
  await nextMillisecond();
  const before = await get('access', { principal: key('IdpUser amara east'), person: 'true' });
  await people({
    name: 'hr',
    hris_type: 'hr',
    system: { id: 'hr', name: 'hr' },
    employees: [
      {
        id: '77',
        name: 'Amara Nwosu',
        employee_number: '77',
        first_name: 'Amara',
        last_name: 'Nwosu',
        is_active: true,
        employment_status: 'ACTIVE',
        email: 'amara@x',
      },
    ],
  });
  await readKeys();
  const employee = keys.get('Employee Amara Nwosu') ?? '';
  const joined = await get('access:changes', {
    since,
    principal: key('LocalUser second north'),
    person: 'true',
  });
  // The employee gained all that the human had before. The human gained nothing.
  expect([joined.status, joined.body.principal?.id, joined.body.values]).toEqual([
    200,
    employee,
    [],
  ]);
  const alone = await get('access:changes', { since, principal: employee });
  expect(alone.body.values).not.toEqual([]);
  const now = await get('access', { principal: key('IdpUser amara east'), person: 'true' });
  expect(now.body.principal?.id).toBe(employee);
  const withoutAccounts = ({ values }: Answer): unknown =>
    JSON.parse(JSON.stringify(values, (name, value: unknown) => (name === 'accounts' ? 0 : value)));
  expect(withoutAccounts(now.body)).toEqual(withoutAccounts(before.body));
  const at = await get('access', {
    principal: key('IdpUser amara east'),
    person: 'true',
    at: since,
  });
  expect([at.body.principal, at.body.accounts]).toEqual([
    before.body.principal,
    before.body.accounts,
  ]);

  // An account that was nobody's becomes the human's.
  const moved = new Date().toISOString();
  await nextMillisecond();
  await west(
    door('west', { local_users: [{ name: 'svc', id: '4', identities: ['E1'] }] }, [
      opens('west', '4', 'local_user'),
    ]),
  );
  const { body } = await get('access:changes', {
    since: moved,
    principal: employee,
    person: 'true',
  });
  expect(body.accounts?.map(({ id }) => id)).toContain(key('LocalUser svc west'));
  // The gate was open to the human before, by other accounts: nothing is gained.
  expect(body.values).toEqual([]);
  const refused = await get('access:changes', { since: moved, person: 'true' });
  expect(refused.status).toBe(400);
});

test('changes since before the history are answered from its beginning, and say so', async () => {
  const until = new Date().toISOString();
  const { status, body } = await get('access:changes', { since: '2001-01-01T00:00:00Z', until });
  expect([status, body.from_beginning]).toEqual([200, true]);
  expect(String(body.from) <= beginning).toBe(true);
  const later = await get('access:changes', { since: beginning, until });
  expect(later.body.from_beginning).toBeUndefined();
  expect(later.body.values).toEqual(body.values);
  const early = await get('access:changes', {
    since: '2001-01-01T00:00:00Z',
    until: '2002-01-01T00:00:00Z',
  });
  expect(early.status).toBe(400);
});

test('each permission on a resource names the accounts that have it, and no others', async () => {
  const push = await source('application');
  const may = (permission: string, resource: string): object => ({
    application: 'gates',
    permission,
    resources: [resource],
  });
  await push({
    applications: [
      {
        name: 'gates',
        application_type: 'gates',
        resources: [{ name: 'gate', resource_type: 'Gate' }],
        local_users: [
          { name: 'reader', id: 'r', identities: ['cy@x'] },
          { name: 'writer', id: 'w', identities: ['cy@x'] },
        ],
      },
    ],
    permissions: [
      { name: 'open', permission_type: ['DataRead'] },
      { name: 'paint', permission_type: ['DataWrite'] },
    ],
    identity_to_permissions: [
      {
        identity: 'r',
        identity_type: 'local_user',
        application_permissions: [may('open', 'gate')],
      },
      {
        identity: 'w',
        identity_type: 'local_user',
        application_permissions: [may('paint', 'gate')],
      },
    ],
  });
  const { body } = await get('access', { principal: key('IdpUser cy east'), person: 'true' });
  const [gate, ...others] = body.values;
  const idsOf = (accounts: unknown): readonly string[] =>
    (accounts as readonly string[]).map((each) => each.split('|').at(-1) ?? '').sort();
  const held = gate?.permissions as readonly { readonly name: string; accounts: unknown }[];
  expect([others, held.map(({ name, accounts }) => [name, idsOf(accounts)])]).toEqual([
    [],
    [
      ['open', ['cy@x', 'r']],
      ['paint', ['cy@x', 'w']],
    ],
  ]);
});

test('an identity that names one account and a group leads to the account, in each answer', async () => {
  const push = await source('application');
  await push(
    door(
      'south',
      {
        local_users: [{ name: 'pat', id: 'pat', identities: ['nobody yet', 'of a pair'] }],
        local_groups: [{ name: 'pair', identities: ['of a pair'] }],
      },
      [opens('south', 'pat', 'local_user')],
    ),
  );
  const principal = String(await onlyKey('LocalUser', 'pat'));
  // Two identities name one account each, and nobody knows whose they are.
  const { body } = await get('access', { principal, person: 'true' });
  expect([body.principal?.id, body.accounts]).toEqual([principal, undefined]);
  const exported = linesOf((await get('access:export', { principal, format: 'csv' })).text);
  expect(exported.map(({ human_id }) => human_id)).toEqual(['']);
});

test('what a human lost names the node that had it, though nobody led to all nodes then', async () => {
  const [directory, push] = [await source('identity_provider'), await source('application')];
  await directory(idp('far', [{ name: 'dee.before', identity: 'F1' }]));
  const local = { local_users: [{ name: 'keeper', identities: ['dee'] }] };
  await push(door('farm', local, [opens('farm', 'dee', 'idp')]));
  const since = new Date().toISOString();
  await nextMillisecond();
  await directory(idp('far', [{ name: 'dee', identity: 'F1' }]));
  await push(door('farm', local));
  const { body } = await get('access:changes', {
    since,
    principal: 'Identity|dee',
    person: 'true',
  });
  expect(body.principal?.id).toBe(await onlyKey('IdpUser', 'dee'));
  const lost = body.values.flatMap((value) => value.lost as readonly { accounts: unknown }[]);
  expect(lost.map(({ accounts }) => accounts)).toEqual([['Identity|dee']]);
});

// The service took the identity for somebody else, and counted all that it had as lost.
test('an identity that nothing mentions any more still means its human, who kept their access', async () => {
  const [directory, push] = [await source('identity_provider'), await source('application')];
  await directory(idp('ring', [{ name: 'gil', identity: 'G1', email: 'gil@ring' }]));
  const local = { local_users: [{ name: 'gil', id: 'g', identities: ['gil@ring'] }] };
  const kept = opens('ring', 'g', 'local_user');
  await push(door('ring', local, [kept, opens('ring', 'gil', 'idp')]));
  const since = new Date().toISOString();
  await nextMillisecond();
  await push(door('ring', local, [kept]));
  const { body } = await get('access:changes', {
    since,
    principal: 'Identity|gil',
    person: 'true',
  });
  expect([body.principal?.id, body.values]).toEqual([await onlyKey('IdpUser', 'gil'), []]);
});

// All that the human of then still had was "lost".
test('an identity that moves to somebody else loses nothing of what its human of then still has', async () => {
  const [directory, push] = [await source('identity_provider'), await source('application')];
  const users = (owner: 'hal' | 'ivy'): object =>
    idp('moor', [
      { name: 'hal', identity: 'H1', ...(owner === 'hal' ? { email: 'desk@moor' } : {}) },
      { name: 'ivy', identity: 'I1', ...(owner === 'ivy' ? { email: 'desk@moor' } : {}) },
    ]);
  await directory(users('hal'));
  const local = {
    local_users: [
      { name: 'desk', id: 'd', identities: ['desk@moor'] },
      { name: 'hal', id: 'h', identities: ['hal'] },
    ],
    resources: ['gate', 'vault'].map((name) => ({ name, resource_type: 'Gate' })),
  };
  const vault = { application: 'moor', permission: 'open', resources: ['vault'] };
  await push(
    door('moor', local, [
      opens('moor', 'd', 'local_user'),
      { identity: 'h', identity_type: 'local_user', application_permissions: [vault] },
    ]),
  );
  const since = new Date().toISOString();
  await nextMillisecond();
  await directory(users('ivy'));
  const changesOf = async (principal: string): Promise<unknown> => {
    const { body } = await get('access:changes', { since, principal, person: 'true' });
    const names = (list: unknown): unknown => (list as { name: string }[]).map(({ name }) => name);
    return [
      body.principal?.id,
      body.values.map(({ resource, gained, lost }) => [
        (resource as { name: string }).name,
        names(gained),
        names(lost),
      ]),
    ];
  };
  const [hal, ivy] = [await onlyKey('IdpUser', 'hal'), await onlyKey('IdpUser', 'ivy')].map(String);
  const gained = [ivy, [['gate', ['open'], []]]];
  expect(await changesOf('Identity|desk@moor')).toEqual(gained);
  expect(await changesOf(ivy ?? '')).toEqual(gained);
  expect(await changesOf(hal ?? '')).toEqual([hal, [['gate', [], ['open']]]]);
});

test('an identity with more than its account has a row of its own; one without has none', async () => {
  const push = await source('application');
  const users = ['own', 'none'].map((name) => ({
    name,
    id: name,
    identities: [`login of ${name}`],
    user_type: 'service_account',
  }));
  const paint = {
    identity: 'login of own',
    identity_type: 'idp',
    application_permissions: [{ application: 'mill', permission: 'paint', resources: ['gate'] }],
  };
  const payload = door('mill', { local_users: users }, [
    ...['own', 'none'].map((id) => opens('mill', id, 'local_user')),
    paint,
  ]) as { readonly permissions: readonly object[] };
  await push({
    ...payload,
    permissions: [...payload.permissions, { name: 'paint', permission_type: ['DataWrite'] }],
  });
  const { body } = await get('entities', { label: 'Resource', filter: 'application eq "mill"' });
  const list = await get('access', { resource: String(body.values[0]?.id) });
  const rows = list.body.values.map(({ name, person, permissions }) => [
    name,
    person,
    (permissions as readonly { readonly name: string }[]).map((held) => held.name).sort(),
  ]);
  expect(rows).toEqual([
    ['login of own', false, ['open', 'paint']],
    ['none', false, ['open']],
    ['own', false, ['open']],
  ]);
});
