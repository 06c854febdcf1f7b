import { Instant, justBefore } from '../../src/model/instant';
import { findChanges } from '../../src/questions/changes/find-changes';
import { accessCountingOf } from '../../src/questions/contract';
import { accessMemoryOf } from '../../src/questions/in-context';
import { ask } from '../../src/neo4j/ask';
import { countingRound } from '../../src/push/counting/count-changes';
import { memoryLog } from './memory-log';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let directory: RegisteredIds;
let wiki: RegisteredIds;
// The graph keeps what other tests have pushed, so each test has a group of its own.
let nth = 0;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());
beforeEach(async () => {
  directory = await service.register('identity_provider');
  wiki = await service.register('application');
  nth += 1;
});

type Body = Readonly<Record<string, unknown>>;

interface Change {
  readonly principal: { readonly id: string; readonly label: string; readonly name: string };
  readonly resource: { readonly id: string; readonly name: string };
  readonly gained: readonly { readonly name: string }[];
  readonly lost: readonly { readonly name: string }[];
  readonly explain?: { readonly gained: string | null; readonly lost: string | null };
}

const send = async (
  verb: 'push' | 'plan',
  { path, ...ids }: RegisteredIds,
  payload: object,
): Promise<Body> => {
  const sent = { ...ids, json_data: JSON.stringify(payload) };
  const answer = await service.post(path.replace(/:push$/, `:${verb}`), sent);
  expect([answer.status, answer.status === 200 ? null : answer.body]).toEqual([200, null]);
  return answer.body as Body;
};

const get = async (path: string, query: Readonly<Record<string, string>>) => {
  const answer = await service.send(
    'get',
    `/api/v1/${path}?${new URLSearchParams(query).toString()}`,
  );
  return { status: answer.status, body: answer.body as Body, text: answer.text };
};

const changesOf = async (query: Readonly<Record<string, string>>): Promise<readonly Change[]> => {
  const { status, body } = await get('access:changes', { page_size: '1000', ...query });
  expect([status, status === 200 ? null : body]).toEqual([200, null]);
  return body.values as readonly Change[];
};

const told = (changes: readonly Change[]): readonly string[] =>
  changes
    .map(
      ({ principal, resource, gained, lost }) =>
        `${principal.label} ${principal.name}, ${resource.name}: ${[
          ...gained.map(({ name }) => `+${name}`),
          ...lost.map(({ name }) => `-${name}`),
        ].join(' ')}`,
    )
    .sort();

const people = (ann: boolean): object => ({
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  groups: [{ name: `editors${nth}` }],
  users: [
    { name: 'ann', email: 'ann@corp', groups: ann ? [{ identity: `editors${nth}` }] : [] },
    { name: 'bob', email: 'bob@corp', groups: [{ identity: `editors${nth}` }] },
  ],
});

const application = (...permissions: readonly string[]): object => ({
  applications: [
    {
      name: 'wiki',
      application_type: 'wiki',
      local_groups: [{ name: 'writers', identities: [`editors${nth}`] }],
      resources: [{ name: 'pages', resource_type: 'space' }],
    },
  ],
  permissions: ['read', 'write'].map((name) => ({
    name,
    permission_type: [name === 'read' ? 'DataRead' : 'DataWrite'],
  })),
  identity_to_permissions: [
    {
      identity: 'writers',
      identity_type: 'local_group',
      application_permissions: permissions.map((permission) => ({
        application: 'wiki',
        permission,
        resources: ['pages'],
      })),
    },
  ],
});

const begin = async (): Promise<void> => {
  await ask(service.graph, "MATCH (store:Store {key: 'store'}) RETURN store.key");
  const session = service.graph.driver.session({ database: service.graph.database });
  await session.run(`MERGE (store:Store {key: 'store'})
    WITH store OPTIONAL MATCH (lock:BindingLock {key: 'binding'})
    SET store.history_since = coalesce(store.history_since, datetime('2020-01-01T00:00:00Z')),
      store.access_turn = coalesce(lock.turns, 0)`);
  await session.close();
};

test('a membership that goes takes access from one person, and the plan says so before', async () => {
  await send('push', wiki, application('read'));
  await send('push', directory, people(true));
  const planned = await send('plan', directory, people(false));
  const access = planned.access_changes as { total: number; values: readonly Change[] };
  expect(told(access.values)).toEqual(['IdpUser ann, pages: -read']);
  const { push_id: push } = await send('push', directory, people(false));
  const changes = await changesOf({ push: String(push) });
  expect(told(changes)).toEqual(told(access.values));

  const [change] = changes;
  expect(change?.explain?.gained).toBeNull();
  const explained = await service.send('get', change?.explain?.lost ?? '');
  expect(explained.status).toBe(200);
  const { paths } = (
    explained.body as { value: { paths: readonly { hops: readonly unknown[] }[] } }
  ).value;
  expect(paths[0]?.hops.length).toBeGreaterThan(2);
});

test('access that came and went again within a period changed in its part', async () => {
  await send('push', wiki, application('read'));
  const { at: since } = await send('push', directory, people(false));
  const { at: until } = await send('push', directory, people(true));
  await send('push', directory, people(false));
  const [row] = await ask(
    service.graph,
    "MATCH (n:IdpUser {name: 'ann', data_source: $id}) RETURN n.key AS key",
    { id: directory.data_source_id },
  );
  const asked = { since: String(since), principal: String(row?.key) };
  for (const person of ['false', 'true']) {
    const gained = await changesOf({ ...asked, person, until: String(until) });
    expect(gained.map(({ gained: each }) => each.map(({ name }) => name))).toEqual([['read']]);
    expect(await changesOf({ ...asked, person })).toEqual([]);
  }
});

// Before, the service counted only those accounts of `other` that were joined with the principal. So
// `other` seemed to name one account, the account was nobody's, and all access of the human was "lost".
test('a human whom an identity names that is gone keeps what their account still has', async () => {
  const one = `one${nth}`;
  const other = `other${nth}`;
  const doorOf = (identities: readonly string[]): object => ({
    applications: [
      {
        name: 'door',
        application_type: 'door',
        local_users: [
          { name: 'a', identities },
          { name: 'b', identities: [other] },
        ],
        resources: [{ name: 'gate', resource_type: 'Gate' }],
      },
    ],
    permissions: [{ name: 'open', permission_type: ['DataRead'] }],
    identity_to_permissions: [
      {
        identity: 'a',
        identity_type: 'local_user',
        application_permissions: [{ application: 'door', permission: 'open', resources: ['gate'] }],
      },
    ],
  });
  const { at: since } = await send('push', wiki, doorOf([one, other]));
  const asked = { principal: `Identity|${one}`, person: 'true' };
  const now = await get('access', asked);
  expect((now.body.accounts as readonly { name: string }[]).map(({ name }) => name)).toEqual(['a']);
  const { at: until } = await send('push', wiki, doorOf([other]));
  expect(await changesOf({ ...asked, since: String(since), until: String(until) })).toEqual([]);
  const then = await get('access', { ...asked, at: String(since) });
  expect(then.body.accounts).toEqual(now.body.accounts);
});

// Found by random pushes: the walk did not go back from a role to which another change led as well.
test('a role that gains a permission changes what all its holders can do, also beside a new holder', async () => {
  const roles = (permissions: readonly string[], holders: readonly string[]): object => ({
    applications: [
      {
        name: 'wiki',
        application_type: 'wiki',
        local_users: ['ann', 'bob'].map((name) => ({ name })),
        local_roles: [{ name: 'editor', permissions }],
        resources: ['ann', 'bob'].map((name) => ({
          name: `pages of ${name}`,
          resource_type: 'space',
        })),
      },
    ],
    permissions: ['read', 'write'].map((name) => ({ name, permission_type: ['DataRead'] })),
    identity_to_permissions: holders.map((identity) => ({
      identity,
      identity_type: 'local_user',
      role_assignments: [
        { application: 'wiki', role: 'editor', resources: [`pages of ${identity}`] },
      ],
    })),
  });
  await send('push', wiki, roles(['read'], ['ann']));
  const { push_id: push } = await send('push', wiki, roles(['read', 'write'], ['ann', 'bob']));
  expect(told(await changesOf({ push: String(push) }))).toEqual([
    'LocalUser ann, pages of ann: +write',
    'LocalUser bob, pages of bob: +read +write',
  ]);
});

test('changes are told for a period, for one end, for an application, in pages and as CSV', async () => {
  await send('push', directory, people(true));
  const first = await send('push', wiki, application('read'));
  const since = String(first.at);
  const { push_id: more } = await send('push', wiki, application('read', 'write'));
  // What stays is no change.
  expect(told(await changesOf({ push: String(more) }))).toContain(
    'LocalGroup writers, pages: +write',
  );
  await send('push', wiki, application('write'));
  await send('push', directory, people(false));
  const all = [
    `IdpGroup editors${nth}, pages: +write -read`,
    'IdpUser ann, pages: -read',
    'IdpUser bob, pages: +write -read',
  ];
  const some = (await changesOf({ since })).filter(({ principal }) =>
    principal.label.startsWith('Idp'),
  );
  expect(told(some)).toEqual(all);
  const ann = some.find(({ principal }) => principal.name === 'ann');
  const principal = ann?.principal.id ?? '';
  expect(told(await changesOf({ since, principal }))).toEqual(['IdpUser ann, pages: -read']);
  const resource = ann?.resource.id ?? '';
  expect(told(await changesOf({ since, resource }))).toEqual(
    told(await changesOf({ since, data_source: wiki.data_source_id })),
  );
  expect((await get('access:changes', { since, resource: 'nothing' })).status).toBe(404);
  expect(await changesOf({ since, application: 'crm' })).toEqual([]);
  const whole = await changesOf({ since, application: 'WIKI', data_source: wiki.data_source_id });
  expect(whole).toHaveLength(5);
  const ofSource = await changesOf({ since, data_source: wiki.data_source_id });
  expect(told(ofSource)).toEqual(told(whole));
  expect(await changesOf({ since, data_source: directory.data_source_id })).toEqual([]);

  const period = { since, until: new Date().toISOString() };
  const both = await changesOf(period);
  for (const [change, other] of [
    ['gained', 'lost'],
    ['lost', 'gained'],
  ] as const) {
    const expected = both
      .filter((one) => one[change].length > 0)
      .map((one) => ({ ...one, [other]: [], explain: { ...one.explain, [other]: null } }));
    expect(await changesOf({ ...period, change })).toEqual(expected);
  }
  expect((await get('access:changes', { since, change: 'both' })).status).toBe(400);

  const pages: Change[] = [];
  for (let page_token: string | null = ''; page_token !== null;) {
    const { body } = await get('access:changes', {
      since,
      data_source: wiki.data_source_id,
      page_size: '1',
      page_token,
    });
    expect(body.total).toBe(whole.length);
    pages.push(...(body.values as readonly Change[]));
    page_token = body.has_more === true ? String(body.next_page_token) : null;
  }
  expect(told(pages)).toEqual(told(whole));
  const { text } = await get('access:changes', { since, principal, format: 'csv' });
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    'change,principal_id,principal_label,principal_name,resource_id,resource_label,resource_name,resource_path,resource_resource_type,resource_application,permission,permission_types,accounts,account_ids,principal_provider,resource_provider',
    expect.stringMatching(/^lost,.*,ann,.*,read,DataRead,,,[^,]+,[^,]+$/),
  ]);
  const left = await ask(service.graph, "MATCH (n) WHERE n.key STARTS WITH 'at ' RETURN n.key");
  expect(left).toEqual([]);
});

test('a question about changes that cannot be answered is refused', async () => {
  const now = new Date().toISOString();
  const refusals: readonly (readonly [Readonly<Record<string, string>>, string, string])[] = [
    [{}, '/push', 'MISSING_FIELD'],
    [{ until: now }, '/push', 'MISSING_FIELD'],
    [{ push: 'x', since: now }, '/since', 'UNKNOWN_FIELD'],
    [{ push: 'x', until: now }, '/until', 'UNKNOWN_FIELD'],
    [{ since: '2001-01-01T00:00:00Z', until: '2002-01-01T00:00:00Z' }, '/since', 'OUT_OF_RANGE'],
    [{ since: '2999-01-01T00:00:00Z' }, '/since', 'OUT_OF_RANGE'],
    [{ since: now, until: '2999-01-01T00:00:00Z' }, '/until', 'OUT_OF_RANGE'],
    [{ since: 'monday' }, '/since', 'BAD_TIME'],
    [{ since: now, page_token: 'x' }, '/page_token', 'BAD_PAGE_TOKEN'],
    [{ since: now, principal: 'ann', people_first: 'true' }, '/people_first', 'UNKNOWN_FIELD'],
    [{ since: now, contents: 'true' }, '/contents', 'UNKNOWN_FIELD'],
    [{ since: now, principle: 'ann' }, '/principle', 'UNKNOWN_FIELD'],
  ];
  for (const [query, pointer, code] of refusals) {
    const { status, body } = await get('access:changes', query);
    const [details] = body.details as readonly { field_violations: readonly unknown[] }[];
    expect([query, status, details?.field_violations]).toMatchObject([
      query,
      400,
      [{ pointer, code }],
    ]);
  }
  expect((await get('access:changes', { push: 'x' })).status).toBe(404);
});

test('what takes too long to be compared is too large: 413 says how to narrow it', async () => {
  const { at } = await send('push', wiki, application('read'));
  const find = findChanges(service.graph, accessMemoryOf(service.context), 60, -1);
  const found = await find({
    span: { since: justBefore(new Instant(String(at))), until: null },
    filter: {
      principal: null,
      resource: null,
      contents: false,
      application: null,
      dataSource: null,
      change: null,
    },
    size: 10,
    after: null,
    peopleFirst: false,
    details: false,
  })();
  expect(found).toMatchObject({
    left: {
      _tag: 'TooLarge',
      message: expect.stringMatching(/LIMIT_ANSWER_SECONDS.*for one principal/) as string,
    },
  });
});

const recordOf = async (push: unknown): Promise<Body> => {
  const answer = await service.send(
    'get',
    `${directory.path.replace(/:push$/, '')}/pushes/${String(push)}`,
  );
  return (answer.body as { value: Body }).value;
};

test('two processes count the changes of each push once, and tell only those that changed something', async () => {
  await begin();
  const counting = accessCountingOf(service.context);
  const round = countingRound(counting, memoryLog([]));
  await send('push', wiki, application('read'));
  const { push_id: matched } = await send('push', directory, people(true));
  const { push_id: renamed } = await send('push', directory, {
    ...people(true),
    apps: [{ id: 'x', name: 'x' }],
  });
  const { push_id: left } = await send('push', directory, people(false));
  await Promise.all([round(() => false), round(() => false)]);
  expect(await counting.next()).toEqual([]);

  const accessOf = async (push: unknown): Promise<unknown> => (await recordOf(push)).access;
  // The group and both of its members.
  expect(await accessOf(matched)).toMatchObject({
    gained: 3,
    lost: 0,
    principals: 3,
    resources: 1,
    people: 2,
  });
  expect(await accessOf(renamed)).toEqual({
    gained: 0,
    lost: 0,
    principals: 0,
    resources: 0,
    people: 0,
  });
  expect(await accessOf(left)).toEqual({
    gained: 0,
    lost: 1,
    principals: 1,
    resources: 1,
    people: 1,
  });
  const events = await ask(
    service.graph,
    `MATCH (event:Event {event_type: 'ACCESS_CHANGED', entity_id: $source})
     RETURN event.metadata AS metadata ORDER BY event.id`,
    { source: directory.data_source_id },
  );
  expect(events.map(({ metadata }) => JSON.parse(String(metadata)) as unknown)).toMatchObject([
    { push_id: matched, access: { gained: 3 } },
    { push_id: left, access: { lost: 1 } },
  ]);
});
