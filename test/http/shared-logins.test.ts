import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/*
 * Mallory has a key that may only push to one application. Its accounts have logins that another application uses too,
 * and that no directory knows, so that both lead to one Identity which belongs to nobody. Nothing that the graph
 * answers about the other application may change by that (docs/security.md: Who may say what about others).
 */

let service: ServiceUnderTest;
let wiki: RegisteredIds;
let theirs: RegisteredIds;

beforeAll(async () => {
  service = await serviceUnderTest();
  wiki = await service.register('application');
  theirs = await service.register('application');
  await push(wiki, WIKI);
});
afterAll(() => service.close());

const grant = (application: string, identity: string, identity_type: string) => ({
  identity,
  identity_type,
  application_permissions: [{ application, permission: 'open', resources: ['gate'] }],
});

const door = (name: string, local_users: readonly object[], statements: readonly object[]) => ({
  applications: [
    {
      name,
      application_type: name,
      local_users,
      resources: [{ name: 'gate', resource_type: 'Gate' }],
    },
  ],
  permissions: [{ name: 'open', permission_type: ['DataRead'] }],
  identity_to_permissions: statements,
});

/** Eve has no account and dan no directory; bob has an account and a right of his own. */
const LOGINS = ['eve@partner.example', 'dan', 'bob', 'kim@partner.example'];
const WIKI = door(
  'wiki',
  [
    { name: 'bob', identities: ['bob'] },
    { name: 'kim', identities: ['kim@partner.example'] },
    { name: 'robot', user_type: 'service_account', identities: ['robot'] },
  ],
  [
    ...['eve@partner.example', 'dan', 'bob'].map((login) => grant('wiki', login, 'idp')),
    ...['bob', 'kim', 'robot'].map((name) => grant('wiki', name, 'local_user')),
  ],
);

const push = async (to: RegisteredIds, payload: object): Promise<void> => {
  const sent = { id: to.id, data_source_id: to.data_source_id, json_data: JSON.stringify(payload) };
  const answer = await service.post(to.path, sent);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};

const get = async (path: string, query: Readonly<Record<string, string>>): Promise<unknown> => {
  const search = new URLSearchParams(query).toString();
  const sent = await service.send('get', `/api/v1/${path}?${search}`);
  const answer = sent.body as { as_of?: unknown; request_id?: unknown };
  delete answer.as_of;
  delete answer.request_id;
  return [path, query, sent.status, answer];
};

const keyOf = (name: string, label: string): string =>
  label === 'Identity' ? `Identity|${name}` : `${wiki.data_source_id}|${label}|wiki|${name}`;

/** All that one may ask about the wiki: who has its gate, and what its accounts and logins have there. */
const answers = async (): Promise<readonly unknown[]> => {
  const listed = await service.send('get', '/api/v1/entities?label=Resource');
  const gate = (
    listed.body as { values: readonly { id: string; properties: { application: string } }[] }
  ).values.find(({ properties }) => properties.application === 'wiki');
  const resource = gate?.id ?? '';
  expect(resource).not.toBe('');
  const told = [
    await get('access', { resource }),
    await get('access', { resource, person: 'true' }),
    await get('access', { resource, entities: 'true' }),
    await get('access', { resource, permission: 'open', person: 'true' }),
    await get('reviewers', { resource }),
  ];
  for (const principal of [
    ...['bob', 'kim', 'robot'].map((name) => keyOf(name, 'LocalUser')),
    ...LOGINS.map((login) => keyOf(login, 'Identity')),
  ]) {
    const between = { principal, resource, permission: 'open' };
    told.push(await get('access:check', between), await get('access:explain', between));
    if (principal.startsWith('Identity')) continue;
    told.push(await get('access', { principal }), await get('reviewers', { principal }));
  }
  return told;
};

test.each([
  ['people', 'human'],
  ['service accounts', 'service_account'],
])(
  'accounts of %s with the logins of another application change nothing that is said of it',
  async (_, user_type) => {
    await push(theirs, door('theirs', [{ name: 'somebody' }], []));
    const before = await answers();
    const users = LOGINS.map((login, at) => ({
      name: `harmless ${at}`,
      identities: [login],
      user_type,
    }));
    await push(
      theirs,
      door(
        'theirs',
        users,
        users.map(({ name }) => grant('theirs', name, 'local_user')),
      ),
    );
    expect(await answers()).toEqual(before);
    // The people of the wiki are there at all.
    const humans = JSON.stringify(before[1]);
    for (const name of ['eve@partner.example', '"dan"', '"bob"', '"kim"']) {
      expect(humans).toContain(name);
    }
  },
);

test('by its own things the other application seems to belong to the holder of the login', async () => {
  const mine = { name: 'harmless', identities: ['kim@partner.example'] };
  await push(theirs, door('theirs', [mine], [grant('theirs', 'harmless', 'local_user')]));
  const [, , , kim] = (await get('access', {
    principal: keyOf('kim', 'LocalUser'),
    person: 'true',
  })) as [string, object, number, { values: readonly { application: string }[] }];
  expect(kim.values.map(({ application }) => application).sort()).toEqual(['theirs', 'wiki']);
});

test('a bare login that two applications use joins no accounts, and nothing is missing', async () => {
  const ofBob = async () => {
    const query = { principal: keyOf('bob', 'LocalUser'), person: 'true' };
    const [, , , answer] = (await get('access', query)) as [
      ...[string, object, number],
      { principal?: { id: string }; values: readonly { application: string }[] },
    ];
    return [answer.principal?.id, answer.values.map(({ application }) => application)];
  };
  await push(theirs, door('theirs', [{ name: 'somebody' }], []));
  expect(await ofBob()).toEqual([keyOf('bob', 'Identity'), ['wiki']]);
  const mine = { name: 'harmless', identities: ['bob'] };
  await push(theirs, door('theirs', [mine], [grant('theirs', 'harmless', 'local_user')]));
  expect(await ofBob()).toEqual([keyOf('bob', 'LocalUser'), ['wiki']]);
});
