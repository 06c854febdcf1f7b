/** @more pages */
import type supertest from 'supertest';

import { records } from '../../src/features';
import { ask } from '../../src/neo4j/ask';
import { fold } from '../../src/model/fold';
import { keyOf, pushCompany } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
});
afterAll(() => service.close());

type Row = Readonly<Record<string, unknown>>;

interface Found {
  readonly values: readonly (Row & { readonly name: string; readonly properties: Row })[];
  readonly has_more: boolean;
  readonly next_page_token: string;
  readonly total: number;
  readonly as_of: unknown;
}

const get = async (query: Readonly<Record<string, string>>): Promise<supertest.Response> =>
  service.send('get', `/api/v1/entities?${new URLSearchParams(query).toString()}`);

const found = async (query: Readonly<Record<string, string>>): Promise<Found> => {
  const answer = await get(query);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body as Found;
};

const names = async (filter: string, label = 'IdpUser'): Promise<readonly string[]> =>
  (await found({ filter, label })).values.map(({ name }) => name);

/** What plain Cypher says. */
const asked = async (where: string, label = 'IdpUser'): Promise<readonly unknown[]> =>
  (
    await ask(
      service.graph,
      `MATCH (n:${label}) WHERE ${where} RETURN n.name AS name ORDER BY n.name, n.key`,
    )
  ).map(({ name }) => name);

test.each([
  ['name eq "Nadia Haddad"', "n.name = 'Nadia Haddad'"],
  ['name eq "nadia HADDAD"', "n.name = 'Nadia Haddad'"],
  ['name co "AN"', "toLower(n.name) CONTAINS 'an'"],
  ['name sw "ma"', "toLower(n.name) STARTS WITH 'ma'"],
  ['name ew "N"', "toLower(n.name) ENDS WITH 'n'"],
  ['name gt "N"', "n.name > 'N'"],
  ['name ne "Nadia Haddad"', "n.name <> 'Nadia Haddad'"],
  ['email pr', 'n.email IS NOT NULL'],
  ['not email pr', 'n.email IS NULL'],
  ['is_active eq False', 'n.is_active = false'],
  ['is_active ne true', 'n.is_active = false OR n.is_active IS NULL'],
  ['not (is_active eq true)', 'n.is_active = false OR n.is_active IS NULL'],
  ['department eq "Engineering"', "'Engineering' IN n.department"],
  ['department eq "engineering"', "'Engineering' IN n.department"],
  ['department ne "Engineering"', "NOT 'Engineering' IN coalesce(n.department, [])"],
  ['department co "eng"', "any(d IN n.department WHERE toLower(d) CONTAINS 'eng')"],
  ['customprop_employee_number ge 10', 'n.customprop_employee_number >= 10'],
  ['customprop_employee_number eq 1', 'n.customprop_employee_number = 1'],
  ['customprop_is_contractor eq true', 'n.customprop_is_contractor = true'],
  ['customprop_offices eq "Oslo"', "'Oslo' IN n.customprop_offices"],
  ['customprop_offices co "osl"', "'Oslo' IN n.customprop_offices"],
  [
    'customprop_hired_at lt "2018-01-01T00:00:00Z"',
    "n.customprop_hired_at < datetime('2018-01-01T00:00:00Z')",
  ],
  ['customprop_title co "chief" and is_active eq true', "n.customprop_title CONTAINS 'Chief'"],
  ['dynprop_nothing pr', 'false'],
  ['since gt "2020-01-01T00:00:00Z" and name co "z"', "toLower(n.name) CONTAINS 'z'"],
  [
    '(name co "nadia" or name co "marcus") and not name co "oye"',
    "n.name CONTAINS 'Nadia' OR n.name CONTAINS 'Marcus' AND NOT n.name CONTAINS 'Oye'",
  ],
  ['path pr', 'false'],
  ['not path pr', 'true'],
])('%s finds what it says', async (filter, where) => {
  expect(await names(filter)).toEqual(await asked(where));
});

test('a value is found however its accents are written, in the store and in the filter', async () => {
  const id = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const { driver, database } = service.graph;
  const set =
    'MATCH (n:IdpUser {key: $id}) SET n.customprop_nick2 = $nick, n.fold_custom = $folded';
  for (const stored of ['NFC', 'NFD']) {
    const nick = 'Zoë é'.normalize(stored);
    const folded = [`customprop_nick2=${fold(nick)}`];
    await driver.executeQuery(set, { id, nick, folded }, { database });
    for (const asked of ['NFC', 'NFD']) {
      for (const filter of ['eq "Zoë é"', 'eq "zoë É"', 'co "ZOË"', 'sw "zoë"', 'ew "ë é"']) {
        const text = `customprop_nick2 ${filter}`.normalize(asked);
        expect([stored, text, await names(text)]).toEqual([stored, text, ['Nadia Haddad']]);
      }
    }
  }
  await driver.executeQuery(set, { id, nick: null, folded: null }, { database });
});

test.each([
  ['identity eq "nadia.haddad"', 'IdpUser', ['Nadia Haddad']],
  ['path eq "firmware.motor-control"', 'Resource', ['motor-control']],
  ['path sw "Firmware.motor-control.m"', 'Resource', ['main']],
  ['id eq "repo-101"', 'Resource', ['motor-control']],
  ['unique_id eq "forge-1001"', 'LocalUser', ['nhaddad']],
  ['email eq "NADIA.haddad@halden.example"', 'LocalUser', ['nhaddad']],
  ['name eq "Nadia.Haddad@halden.example"', 'Identity', ['nadia.haddad@halden.example']],
  ['key eq "Identity|nadia.haddad@halden.example"', '', ['nadia.haddad@halden.example']],
])('%s finds %s', async (filter, label, expected) => {
  expect(await names(filter, label)).toEqual(expected);
});

test('what is found is told with its properties, and nothing that the service keeps for itself', async () => {
  const { values, total } = await found({ filter: 'identity eq "nadia.haddad"' });
  expect(total).toBe(1);
  expect(values).toEqual([
    {
      id: await keyOf(service, 'IdpUser', 'Nadia Haddad'),
      label: 'IdpUser',
      name: 'Nadia Haddad',
      properties: {
        customprop_title: 'Lead Controls Engineer',
        department: ['Engineering'],
        domain: 'halden.example',
        email: 'nadia.haddad@halden.example',
        identity: 'nadia.haddad',
        identity_type: 'HUMAN',
        idp_type: 'halden_directory',
        is_active: true,
        is_guest: false,
        manager_id: 'marcus.oyelaran',
        name: 'Nadia Haddad',
      },
      data_source: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      provider: expect.stringMatching(/^Provider /) as unknown,
      since: expect.stringMatching(/Z$/) as unknown,
      changed: expect.stringMatching(/Z$/) as unknown,
    },
  ]);
});

test('without a filter everything that data sources brought is found', async () => {
  const { total } = await found({ page_size: '1' });
  const counts = await service.counts();
  const kept = records.map(({ label }) => label);
  const all = Object.entries(counts).filter(([label]) => !kept.includes(label));
  expect(total).toBe(all.reduce((sum, [, count]) => sum + Number(count), 0));
});

test('a label that several kinds share finds all of them', async () => {
  const { values } = await found({ label: 'Entitlement', page_size: '100' });
  const labels = new Set(values.map(({ label }) => label));
  expect([...labels].sort()).toEqual(['Grant', 'RoleAssignment']);
});

test.each(['name', 'name desc', 'since desc', 'email', 'key desc'])(
  'pages in order of %s come to the whole',
  async (order_by) => {
    const filter = 'not (path pr) and is_active pr';
    const whole = await found({ filter, order_by });
    expect(whole.has_more).toBe(false);
    const ids: unknown[] = [];
    let token = '';
    do {
      const page = await found({ filter, order_by, page_size: '9', page_token: token });
      ids.push(...page.values.map(({ id }) => id));
      token = page.next_page_token;
      expect(page.total).toBe(whole.total);
    } while (token !== '');
    expect(ids).toEqual(whole.values.map(({ id }) => id));
  },
);

test('what stands all the time is listed once, although the graph changes between pages', async () => {
  const { path, ...ids } = await service.register('application');
  const push = async (accounts: readonly string[]): Promise<void> => {
    const local_users = accounts.map((name) => ({ name }));
    const applications = [{ name: 'pages', application_type: 't', local_users }];
    await service.post(path, { ...ids, json_data: JSON.stringify({ applications }) });
  };
  const accounts = Array.from({ length: 30 }, (_, at) => `p${at + 10}`);
  await push(accounts);
  const told: string[] = [];
  let token = '';
  for (let page = 0; page === 0 || token !== ''; page += 1) {
    const answer = await found({
      filter: 'application eq "pages"',
      label: 'LocalUser',
      page_size: '10',
      page_token: token,
    });
    told.push(...answer.values.map(({ name }) => name));
    token = answer.next_page_token;
    // One leaves and one comes on the page before, one comes on the page after.
    if (page === 0) {
      await push([...accounts.filter((name) => name !== 'p12'), 'p11a', 'p21a']);
    }
  }
  expect(told).toEqual([...accounts, 'p21a'].sort());
});

test.each([
  ['name', 'at character 5: one of eq, ne, co, sw, ew, gt, ge, lt, le, pr is expected'],
  ['is_active eq true and nme eq "x"', 'at character 23: nothing has a property "nme"'],
  ['is_active eq "yes"', 'at character 14: is_active is eq or ne true or false'],
  ['is_active gt true', 'at character 14: is_active is eq or ne true or false'],
  [
    'created_at gt yesterday',
    'at character 15: created_at is compared with a time like "2024-01-31T09:30:00Z"',
  ],
  ['row_hash eq "x"', 'at character 1: nothing has a property "row_hash"'],
  ['fold_name eq "x"', 'at character 1: nothing has a property "fold_name"'],
  ['`name` eq "x"', 'at character 1: nothing has a property "`name`"'],
  ['name}) eq "x"', 'at character 6: one of eq, ne, co, sw, ew, gt, ge, lt, le, pr is expected'],
])('the filter %s is 400 and says where', async (filter, description) => {
  const answer = await get({ filter });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    details: [{ field_violations: [{ pointer: '/filter', code: 'BAD_FILTER', description }] }],
  });
});

test.each([
  ['"; MATCH (n) DETACH DELETE n //', 0],
  ["' OR true //", 0],
  ['\\" or name pr or name eq \\"', 0],
  ['${name}', 0],
])('a value is a value, whatever it looks like: %s', async (value, total) => {
  const escaped = value.startsWith('\\"') ? value : value.replace(/["\\]/g, '\\$&');
  expect((await found({ filter: `name eq "${escaped}"` })).total).toBe(total);
});

test('an unknown label is 400, and so is a token of another list', async () => {
  expect((await get({ label: 'Push' })).status).toBe(400);
  const { next_page_token } = await found({ page_size: '1' });
  expect((await get({ order_by: 'since', page_token: next_page_token })).status).toBe(400);
});

const entity = async (id: string): Promise<supertest.Response> =>
  service.send('get', `/api/v1/entities/${encodeURIComponent(id)}`);

// schemathesis found null here, which is outside the schema of the answer.
test('a tag without a value has an empty one', async () => {
  const answer = await entity(await keyOf(service, 'LocalAgent', 'Deal Assistant'));
  expect(answer.body).toMatchObject({ value: { tags: [{ key: 'ai', value: '' }] } });
});

test('the page of an entity tells what stands around it', async () => {
  const id = await keyOf(service, 'IdpUser', 'Nadia Haddad');
  const answer = await entity(id);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    value: {
      id,
      labels: expect.arrayContaining(['IdpUser', 'Principal']) as unknown,
      tags: [{ key: 'on_site', value: 'Rotterdam', derived: false }],
      memberships: [{ about: { name: 'Firmware Maintainers', label: 'IdpGroup' } }],
      managers: [{ about: { name: 'Marcus Oyelaran' } }],
      owners: [],
      sources: [{ name: 'Main', status: 'SUCCESS' }],
      freshness: {
        since_push: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        changed_push: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      },
    },
    as_of: { push: expect.anything() as unknown },
  });
  const resource = await entity(await keyOf(service, 'Resource', 'Firmware.motor-control'));
  expect(resource.body).toMatchObject({
    value: {
      owners: [
        {
          about: { id: 'Identity|nadia.haddad@halden.example' },
          primary: true,
          owner_type: 'user',
          people: [id],
        },
        { about: { name: 'security team' }, primary: false },
      ],
      resource_managers: [
        { about: { name: 'Jonas Eklund', inactive: true } },
        { about: { name: 'Nadia Haddad' } },
        { about: { name: 'Security Team' } },
      ],
    },
  });
});

interface Some {
  readonly total: number;
  readonly values: readonly { readonly about: { readonly id: string; readonly name: string } }[];
}

interface Around {
  readonly members: Some & { readonly groups: number };
  readonly contains: Some;
}

const around = async (id: string): Promise<Around> =>
  ((await entity(id)).body as { readonly value: Around }).value;

const keysIn = ({ values }: Some): readonly string[] => values.map(({ about }) => about.id);

// Before, only Cypher told who is in a group, and what is in an application.
test('the page of a group or role has its members, and that of a container what is in it', async () => {
  const rows = await ask(
    service.graph,
    `MATCH (n:Entity) WHERE n:IdpGroup OR n:LocalGroup OR n:LocalRole OR n:Application OR n:Resource
     RETURN n.key AS key,
       COLLECT {
         MATCH (n)<-[:MEMBER_OF|INCLUDES|ACTS_AS]-(member) RETURN member.key AS key
         UNION
         MATCH (n:LocalRole)<-[:OF]-(:RoleAssignment)<-[:HOLDS]-(member) RETURN member.key AS key
       } AS members,
       COLLECT { MATCH (n)-[:CONTAINS]->(part) RETURN part.key } AS parts`,
  );
  const counts = { members: 0, roles: 0, parts: 0 };
  for (const { key, members, parts } of rows as readonly Row[]) {
    const told = await around(key as string);
    expect([key, keysIn(told.members).toSorted()]).toEqual([key, (members as string[]).toSorted()]);
    expect([key, keysIn(told.contains).toSorted()]).toEqual([key, (parts as string[]).toSorted()]);
    for (const { total, values } of [told.members, told.contains]) {
      const names = values.map(({ about }) => about.name);
      expect([key, total, names]).toEqual([key, values.length, names.toSorted()]);
    }
    counts.members += told.members.total;
    counts.parts += told.contains.total;
    if (String(key).includes('|LocalRole|')) counts.roles += told.members.total;
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(2);
});

test('of many members the page lists the first hundred, and counts all, and the groups among them', async () => {
  const { path, ...ids } = await service.register();
  const users = Array.from({ length: 103 }, (_, at) => ({
    name: `member ${String(at).padStart(3, '0')}`,
    groups: [{ identity: 'crowd' }],
  }));
  const json_data = JSON.stringify({
    name: 'crowds',
    idp_type: 'crowds',
    domains: [{ name: 'crowds' }],
    users,
    groups: [{ name: 'crowd' }, { name: 'inner', groups: [{ identity: 'crowd' }] }],
  });
  expect((await service.post(path, { ...ids, json_data })).status).toBe(200);
  const { members } = await around(await keyOf(service, 'IdpGroup', 'crowd'));
  expect([members.total, members.groups, members.values.length]).toEqual([104, 1, 100]);
  expect(members.values.slice(0, 2).map(({ about }) => about.name)).toEqual([
    'inner',
    'member 000',
  ]);
});

// Before, of more than 1,000 members the page listed any hundred.
test('of a very large group the page lists the first hundred by name', async () => {
  const { driver, database } = service.graph;
  const size = 6_000;
  const id = 'a|IdpGroup|everyone';
  await driver.executeQuery(
    `CREATE (group:Entity:IdpGroup {key: $id, name: 'everyone', data_source: 'a'})
WITH group UNWIND range(1, $size) AS at
CREATE (:Entity:IdpUser {key: 'a|IdpUser|' + at, name: 'user ' + at, data_source: 'a', is_guest: false})
  -[:MEMBER_OF {since: datetime()}]->(group)
WITH DISTINCT group
MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1`,
    { id, size },
    { database },
  );
  const { members } = await around(id);
  expect([members.total, members.groups]).toEqual([size, 0]);
  const all = Array.from({ length: size }, (_, at) => `user ${at + 1}`).sort();
  expect(members.values.map(({ about }) => about.name)).toEqual(all.slice(0, 100));
  await driver.executeQuery(
    `MATCH (n:Entity) WHERE n.data_source = 'a' DETACH DELETE n
WITH count(*) AS gone MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1`,
    {},
    { database },
  );
});

test('what is shared comes from all that mention it', async () => {
  const answer = await entity('Identity|nadia.haddad@halden.example');
  const { value } = answer.body as { value: { sources: readonly Row[]; since: unknown } };
  expect(value.since).toBeNull();
  expect(value.sources.length).toBeGreaterThan(1);
});

test('every id can be asked for, whatever is in it', async () => {
  const { path, ...ids } = await service.register('application');
  const awkward = [
    'a|b',
    'a/b',
    '../x',
    '50%',
    '%2F',
    '#1?x=y',
    'a:push',
    'zoë 💥',
    '.',
    '+',
    'a b',
  ];
  const payload = {
    applications: [
      { name: 'x/y|z', application_type: 't', local_users: awkward.map((name) => ({ name })) },
    ],
  };
  expect((await service.post(path, { ...ids, json_data: JSON.stringify(payload) })).status).toBe(
    200,
  );
  for (const name of awkward) {
    const { values } = await found({
      filter: `name eq ${JSON.stringify(name)} and application eq "x/y|z"`,
      label: 'LocalUser',
    });
    expect(values.map(({ name: each }) => each)).toEqual([name]);
    const answer = await entity(values[0]?.id as string);
    expect([name, answer.status]).toEqual([name, 200]);
    expect(answer.body).toMatchObject({ value: { id: values[0]?.id, name } });
  }
});

test.each(['nobody', 'Provider', '%00'])('the entity %s is 404', async (id) => {
  expect((await entity(id)).status).toBe(404);
});
