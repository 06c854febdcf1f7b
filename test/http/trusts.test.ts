/** @more trusts */
import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { readScim } from './scim-server/directory';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * Mallory has a key that may only push to one provider. What Mallory pushes must not make the graph say
 * something about people of other providers, once an administrator has said who may claim what
 * (docs/rules.md: Trusts; docs/security.md: Who may say what about others).
 */

let service: ServiceUnderTest;
let ours: RegisteredIds;
let theirs: RegisteredIds;
let application: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

interface Told {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
}

const pushed = async (to: RegisteredIds, payload: object): Promise<readonly Told[]> => {
  const sent = { id: to.id, data_source_id: to.data_source_id, json_data: JSON.stringify(payload) };
  const answer = await service.post(to.path, sent);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as { warnings: readonly Told[] }).warnings;
};

const refusals = async (to: RegisteredIds, payload: object): Promise<readonly string[]> =>
  (await pushed(to, payload))
    .filter(({ code }) => code === 'UNTRUSTED_CLAIM')
    .map(({ pointer }) => pointer);

const directory = (users: readonly object[], more: object = {}) => ({
  name: 'Directory',
  idp_type: 'x',
  domains: [{ name: 'x.example' }],
  users,
  ...more,
});

const employee = (id: string, more: object = {}) => ({
  id,
  name: id,
  employee_number: id,
  first_name: id,
  last_name: 'X',
  is_active: true,
  employment_status: 'ACTIVE',
  ...more,
});

const staff = (...employees: readonly object[]) => ({
  name: 'HR',
  hris_type: 'x',
  system: { id: 's', name: 's' },
  employees,
});

const payroll = (...identities: readonly string[]) => ({
  applications: [
    {
      name: 'payroll',
      application_type: 'payroll',
      local_users: identities.map((identity, at) => ({
        name: `account ${at}`,
        identities: [identity],
      })),
      resources: [{ name: 'salaries', resource_type: 'table' }],
    },
  ],
});

const CEO = { name: 'ceo', identity: 'ceo', email: 'ceo@acme.com' };
const MALLORY = { name: 'mallory', identity: 'm', email: 'ceo@acme.com' };

const trusts = async (of: RegisteredIds, body: object, query = '') => {
  const path = `/api/v1/providers/custom/${of.id}/trusts${query}`;
  const answer = await service.send('put', path, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (
    answer.body as {
      value: { changes: { created: number; removed: number; values: readonly object[] } };
    }
  ).value;
};

/** The derived relationships of a type, as `name name`. */
const bound = async (type: string): Promise<readonly unknown[]> => {
  const rows = await ask(
    service.graph,
    `MATCH (a)-[r:${type}]->(b) RETURN coalesce(a.name, a.id) + " " + b.name AS pair ORDER BY pair`,
  );
  return rows.map(({ pair }) => pair);
};

const verified = async (...sources: readonly RegisteredIds[]): Promise<void> => {
  for (const { path } of sources) {
    const answer = await service.post(path.replace(/:push$/, ':verify'), {});
    expect(answer.body).toMatchObject({ sound: true });
  }
};

beforeEach(async () => {
  ours = await service.register();
  theirs = await service.register();
  application = await service.register('application');
});
afterEach(async () => {
  for (const one of [ours, theirs, application]) {
    await trusts(one, {});
  }
  for (const one of [ours, theirs, application]) {
    const gone = await service.send('delete', `/api/v1/providers/custom/${one.id}`);
    expect(gone.status).toBe(200);
  }
});

test('an address of our domain joins nobody of another directory', async () => {
  const email = 'CEO@mail.ACME.com';
  await pushed(application, payroll(email));
  await pushed(ours, directory([{ ...CEO, email }]));
  expect(await refusals(theirs, directory([{ ...MALLORY, email }]))).toEqual([]);
  const name = email.toLowerCase();
  expect(await bound('KNOWN_AS')).toEqual([`ceo ${name}`, `mallory ${name}`]);

  const dry = await trusts(ours, { email_domains: ['acme.com'] }, '?dry_run=true');
  expect(dry).toMatchObject({ dry_run: true, changes: { created: 0, removed: 1 } });
  expect(await bound('KNOWN_AS')).toEqual([`ceo ${name}`, `mallory ${name}`]);

  const set = await trusts(ours, { email_domains: ['Acme.com'] });
  expect(set).toMatchObject({ email_domains: ['acme.com'], changes: dry.changes });
  expect(await bound('KNOWN_AS')).toEqual([`ceo ${name}`]);
  // The same payload again is unchanged, and tells it.
  expect(await refusals(theirs, directory([{ ...MALLORY, email }]))).toEqual(['/users/0']);
  expect(await refusals(theirs, directory([{ name: 'm2' }, MALLORY]))).toEqual(['/users/1']);
  expect(await bound('KNOWN_AS')).toEqual([`ceo ${name}`]);
  await verified(ours, theirs, application);

  // Who is listed too may claim it.
  await pushed(theirs, directory([{ ...MALLORY, email }]));
  expect(await trusts(theirs, { email_domains: ['acme.com'] })).toMatchObject({
    changes: { created: 1, removed: 0 },
  });
  expect(await bound('KNOWN_AS')).toEqual([`ceo ${name}`, `mallory ${name}`]);
  await verified(ours, theirs, application);
});

test('the order of pushes does not matter, and increments claim no more than full pushes', async () => {
  await trusts(ours, { email_domains: ['acme.com'] });
  await pushed(theirs, directory([{ name: 'mallory', identity: 'm' }]));
  const increment = directory([{ identity: 'm', email: 'ceo@acme.com', operation: 'modify' }], {
    incremental_change: true,
  });
  expect(await refusals(theirs, increment)).toEqual(['/users/0']);
  await pushed(application, payroll('ceo@acme.com'));
  expect(await bound('KNOWN_AS')).toEqual([]);
  await pushed(ours, directory([CEO]));
  expect(await bound('KNOWN_AS')).toEqual(['ceo ceo@acme.com']);
  await verified(ours, theirs, application);
});

test('no way in claims more than a push: SCIM, another data source of the provider', async () => {
  await trusts(ours, { email_domains: ['acme.com'] });
  await pushed(application, payroll('ceo@acme.com'));
  await pushed(theirs, directory([]));
  const scim = await readScim(
    service.send('post', `/scim/v2/${theirs.data_source_id}/Users`, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ceo@acme.com',
      active: true,
      emails: [{ value: 'ceo@acme.com' }],
    }),
  );
  expect(scim.status).toBe(201);
  const path = `/api/v1/providers/custom/${theirs.id}/datasources`;
  const made = await service.post(path, { id: theirs.id, name: 'Another' });
  const { id } = (made.body as { value: { id: string } }).value;
  const another = { id: theirs.id, data_source_id: id, path: `${path}/${id}:push` };
  expect(await refusals(another, directory([MALLORY]))).toEqual(['/users/0']);
  expect(await bound('KNOWN_AS')).toEqual([]);
  await verified(theirs, another);
});

test('a table of CSV claims no more than a push', async () => {
  await trusts(ours, { email_domains: ['acme.com'] });
  await pushed(application, payroll('ceo@acme.com', 'mallory'));
  const csv = 'name,email,identity\nalice,,a\nmallory,ceo@acme.com,m\n';
  const answer = await service.post(`${theirs.path}_csv`, {
    id: theirs.id,
    data_source_id: theirs.data_source_id,
    csv_data: Buffer.from(csv).toString('base64'),
    system_name: 'Theirs',
    system_type: 'x',
  });
  expect([answer.status, (answer.body as { warnings: readonly Told[] }).warnings]).toEqual([
    200,
    [expect.objectContaining({ code: 'UNTRUSTED_CLAIM', pointer: '/users/1' })],
  ]);
  expect(await bound('KNOWN_AS')).toEqual(['mallory mallory']);
  await verified(ours, theirs);
});

test('a directory that may claim nothing but its domains has no logins, nor names of groups', async () => {
  await pushed(application, payroll('ceo', 'admins', 'm@mallory.example'));
  const payload = directory([{ name: 'ceo' }, { name: 'm', email: 'm@mallory.example' }], {
    groups: [{ name: 'admins' }],
  });
  await pushed(theirs, payload);
  const both = ['admins admins', 'ceo ceo', 'm m@mallory.example'];
  expect(await bound('KNOWN_AS')).toEqual(both);
  await trusts(theirs, { email_domains: ['mallory.example'], only_these_domains: true });
  expect(await bound('KNOWN_AS')).toEqual(['m m@mallory.example']);
  expect(await refusals(theirs, payload)).toEqual(['/users/0', '/users/1', '/groups/0']);
  await trusts(theirs, {});
  expect(await bound('KNOWN_AS')).toEqual(both);
});

test('employees have the accounts of directories that the HR system means, by addresses that it may claim', async () => {
  const hr = await service.register('hris');
  await pushed(ours, directory([CEO]));
  await pushed(theirs, directory([{ ...MALLORY, name: 'ceo2', identity: 'ceo' }]));
  const people = staff(
    employee('e1', { idp_id: 'ceo' }),
    employee('e2', { email: 'ceo@acme.com' }),
  );
  expect(await refusals(hr, people)).toEqual([]);
  const all = ['e1 ceo', 'e1 ceo2', 'e2 ceo', 'e2 ceo2'];
  expect(await bound('HAS_ACCOUNT')).toEqual(all);
  await trusts(ours, { email_domains: ['acme.com'] });
  expect(await bound('HAS_ACCOUNT')).toEqual(['e1 ceo', 'e1 ceo2']);
  expect(await refusals(hr, people)).toEqual(['/employees/1']);
  await trusts(hr, { email_domains: ['acme.com'], identity_providers: [ours.id] });
  expect(await bound('HAS_ACCOUNT')).toEqual(['e1 ceo', 'e2 ceo']);
  await verified(hr, ours, theirs);
  await pushed(theirs, directory([]));
  await pushed(theirs, directory([{ ...MALLORY, name: 'ceo2', identity: 'ceo' }]));
  expect(await bound('HAS_ACCOUNT')).toEqual(['e1 ceo', 'e2 ceo']);

  const named = await service.send('delete', `/api/v1/providers/custom/${ours.id}`);
  expect(named.status).toBe(409);
  await trusts(hr, {});
  await service.send('delete', `/api/v1/providers/custom/${hr.id}`);
});

/** What an erasure would remove, and what it asks about, by names. */
const planned = async (principal: string): Promise<readonly (readonly string[])[]> => {
  interface Listed {
    readonly values: readonly Readonly<Record<'label' | 'name' | 'change' | 'reason', string>>[];
  }
  const answer = await service.post('/api/v1/erase', { principal });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { entities, doubtful } = (answer.body as { value: Record<string, Listed> }).value;
  return [
    (entities?.values ?? []).map(({ label, name, change }) => `${label} ${name} ${change}`).sort(),
    (doubtful?.values ?? []).map(({ label, name, reason }) => `${label} ${name} ${reason}`).sort(),
  ];
};

test('an erasure is certain of nothing that a provider may not claim', async () => {
  const hr = await service.register('hris');
  const email = 'cfo@acme.com';
  await pushed(application, {
    applications: [
      {
        name: 'ledger',
        application_type: 'ledger',
        local_users: [{ name: 'account of 1', identities: [email] }],
      },
    ],
  });
  await pushed(ours, directory([{ name: 'cfo.1', identity: 'cfo.1', email }]));
  await pushed(theirs, directory([{ name: 'mallory.9', identity: 'mallory.9', email }]));
  await pushed(hr, staff(employee('E-99', { email })));
  // Nobody is entrusted with the address yet, so it proves nothing to anybody.
  const [all, perhaps] = await planned('cfo.1');
  expect(all?.filter((row) => row.endsWith('removed'))).toEqual(['IdpUser cfo.1 removed']);
  expect(perhaps).toContain('IdpUser mallory.9 OTHER_PROVIDER');

  // What bound before stays in the history.
  await trusts(ours, { email_domains: ['acme.com'] });
  expect(await planned('cfo.1')).toEqual([
    [
      'Employee E-99 changed',
      'IdpUser cfo.1 removed',
      'IdpUser mallory.9 changed',
      'LocalUser account of 1 removed',
    ],
    ['Employee E-99 UNTRUSTED', 'IdpUser mallory.9 UNTRUSTED'],
  ]);
  expect(await planned('mallory.9')).toEqual([
    ['IdpUser mallory.9 removed'],
    [
      'Employee E-99 UNTRUSTED',
      `Identity ${email} SHARED`,
      'IdpUser cfo.1 UNTRUSTED',
      'LocalUser account of 1 SHARED',
    ],
  ]);
  const [employees] = await planned('E-99');
  expect(employees).toEqual(['Employee E-99 removed']);
  await service.send('delete', `/api/v1/providers/custom/${hr.id}`);
});

test('a source identity is who the directory means', async () => {
  const source_identity = { identity: 'ceo@acme.com', provider_type: 'any' };
  await pushed(ours, directory([{ name: 'ceo@acme.com' }]));
  await pushed(theirs, directory([{ name: 'm', source_identity }]));
  expect(await bound('SOURCE_IDENTITY_OF')).toEqual(['ceo@acme.com m']);
  await trusts(ours, { email_domains: ['acme.com'] });
  expect(await bound('SOURCE_IDENTITY_OF')).toEqual([]);
  expect(await refusals(theirs, directory([{ name: 'm', source_identity }]))).toEqual(['/users/0']);
  const bare = { identity: 'ceo', provider_type: 'any' };
  await pushed(ours, directory([{ name: 'ceo' }]));
  await pushed(theirs, directory([{ name: 'm', source_identity: bare }]));
  expect(await bound('SOURCE_IDENTITY_OF')).toEqual(['ceo m']);
  await trusts(theirs, { identity_providers: [] });
  expect(await bound('SOURCE_IDENTITY_OF')).toEqual([]);
  await verified(ours, theirs);
});

test('managers of resources come from the directories that the application means', async () => {
  await pushed(application, payroll('ceo'));
  const entities_owned = [{ node_type: 'table', id: 'salaries' }];
  await pushed(ours, directory([{ ...CEO, entities_owned }]));
  await pushed(theirs, directory([{ name: 'mallory', entities_owned }]));
  const type = 'SYSTEM_resource_managers';
  expect(await bound(type)).toEqual(['salaries ceo', 'salaries mallory']);
  await trusts(application, { identity_providers: [ours.id] });
  expect(await bound(type)).toEqual(['salaries ceo']);
  expect(await bound('TAGGED')).toEqual([`salaries ${type}`]);
  await pushed(theirs, directory([]));
  await pushed(theirs, directory([{ name: 'mallory', entities_owned }]));
  expect(await bound(type)).toEqual(['salaries ceo']);
  await verified(ours, theirs, application);
  await trusts(application, {});
  expect(await bound(type)).toEqual(['salaries ceo', 'salaries mallory']);
});

test('a tag of a manager shows an id as its directory says it, and binds nobody', async () => {
  await trusts(ours, { email_domains: ['acme.com'] });
  await pushed(application, payroll('ceo@acme.com'));
  await pushed(ours, directory([CEO]));
  const entities_owned = [{ node_type: 'table', id: 'salaries' }];
  const mallory = { name: 'mallory', identity: 'ceo@acme.com', entities_owned };
  expect(await refusals(theirs, directory([mallory]))).toEqual(['/users/0']);
  const tags = () =>
    ask(service.graph, `MATCH ()-[:TAGGED {derived: true}]->(t) RETURN t.value AS value`);
  expect(await tags()).toEqual([{ value: 'ceo@acme.com' }]);
  // Whoever asks is told the user who owns it, and no right of somebody else.
  expect(await bound('SYSTEM_resource_managers')).toEqual(['salaries mallory']);
  expect(await bound('KNOWN_AS')).toEqual(['ceo ceo@acme.com']);
  await trusts(application, { identity_providers: [ours.id] });
  expect([await tags(), await bound('SYSTEM_resource_managers')]).toEqual([[], []]);
});

test('what trusts end is history, and an event tells who set them', async () => {
  await pushed(application, payroll('ceo@acme.com'));
  await pushed(theirs, directory([MALLORY]));
  await trusts(ours, { email_domains: ['acme.com'] });
  const [past] = await ask(
    service.graph,
    `MATCH (p:PastRelationship {type: 'KNOWN_AS'}) WHERE p.start STARTS WITH $prefix RETURN count(*) AS count`,
    { prefix: theirs.data_source_id },
  );
  expect(Number(past?.count)).toBe(1);
  const events = await service.send('get', '/api/v1/events?filter=event_type eq "TRUSTS_SET"');
  const [told] = (events.body as { values: readonly { metadata: object }[] }).values;
  expect(told).toMatchObject({
    entity_id: ours.id,
    metadata: {
      trusts: { email_domains: ['acme.com'], only_these_domains: false, identity_providers: null },
      removed: 1,
      created: 0,
      by: { name: 'API_KEY' },
    },
  });
  const listed = await service.send('get', '/api/v1/trusts');
  expect(listed.body).toMatchObject({
    values: [{ provider_id: ours.id, email_domains: ['acme.com'] }],
  });
});

test('a provider with trusts is deleted once an administrator has taken them away', async () => {
  await trusts(ours, { email_domains: ['acme.com'] });
  const path = `/api/v1/providers/custom/${ours.id}`;
  const kept = await service.send('delete', path);
  expect([kept.status, kept.body]).toMatchObject([409, { message: /may claim/ }]);
});

test.each([
  ['an address', { email_domains: ['ceo@acme.com'] }, '/email_domains/0'],
  ['no domain', { email_domains: [''] }, '/email_domains/0'],
  ['a path', { email_domains: ['acme.com/x'] }, '/email_domains/0'],
  ['an unknown provider', { identity_providers: ['nobody'] }, '/identity_providers/0'],
  ['an unknown field', { domains: ['acme.com'] }, '/domains'],
])('%s is refused', async (_, body, pointer) => {
  const path = `/api/v1/providers/custom/${ours.id}/trusts`;
  const answer = await service.send('put', path, body);
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { details: [{ field_violations: [{ pointer }] }] },
  ]);
});

test.each([
  ['push', ['push'], true],
  ['push and read', ['push', 'read'], true],
  ['admin, of that provider', ['admin'], true],
  ['push and read, unlimited', ['push', 'read'], false],
])('a key with %s sets no trusts', async (name, scopes, isLimited) => {
  const made = await service.post('/api/preview/teamkeys', {
    name: `${name} ${ours.id}`,
    scopes,
    ...(isLimited ? { providers: [ours.id] } : {}),
  });
  const { access_key } = (made.body as { value: { access_key: string } }).value;
  const answer = await supertest(service.app)
    .put(`/api/v1/providers/custom/${ours.id}/trusts`)
    .set('authorization', `Bearer ${access_key}`)
    .send({ email_domains: ['acme.com'] });
  expect(answer.status).toBe(403);
});
