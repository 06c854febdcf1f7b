import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { testNeo4j } from '../support/neo4j';
import { breakableProxy } from './breakable-proxy';
import {
  API_KEY,
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const KEYS = '/api/preview/teamkeys';
const PROVIDERS = '/api/v1/providers/custom';

interface Created {
  readonly id: string;
  readonly access_key: string;
}

const created = async (more: object = {}): Promise<Created> => {
  const answer = await service.post(KEYS, { name: 'Connector', ...more });
  expect(answer.status).toBe(200);
  return (answer.body as { value: Created }).value;
};

type Method = 'get' | 'post' | 'patch' | 'delete';

/** A request with a key of its own. */
const withKey = (
  { access_key }: Pick<Created, 'access_key'>,
  method: Method,
  path: string,
  body?: object,
  by = service,
): supertest.Test => {
  const request = supertest(by.app)[method](path).set('authorization', `Bearer ${access_key}`);
  return body === undefined ? request : request.send(body);
};

const statusOf = async (...request: Parameters<typeof withKey>): Promise<number> =>
  (await withKey(...request)).status;

const listed = async (query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const answer = await service.send('get', `${KEYS}${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as { values: readonly Readonly<Record<string, unknown>>[] }).values;
};

const providerPath = ({ id }: RegisteredIds): string => `${PROVIDERS}/${id}`;

const push = (key: Created, { path, ...ids }: RegisteredIds): Promise<number> =>
  statusOf(key, 'post', path, {
    ...ids,
    json_data: JSON.stringify({ name: 'd', idp_type: 't', domains: [{ name: 'd' }] }),
  });

test('a key is shown once, and kept as a hash alone', async () => {
  const answer = await service.post(KEYS, { name: 'Wiki', team_id: 'x' });
  expect(answer.status).toBe(200);
  const { value } = answer.body as { value: Created };
  const { access_key, ...record } = value;
  expect(record).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    name: 'Wiki',
    status: 'ACTIVE',
    scopes: ['push', 'read'],
    providers: [],
    created_at: expect.stringMatching(/Z$/) as string,
    expires_at: null,
    last_used_at: null,
  });
  expect(access_key.length).toBeGreaterThan(40);
  expect(await listed()).toContainEqual(record);
  const nodes = await ask(service.graph, 'MATCH (n) RETURN properties(n) AS properties');
  expect(JSON.stringify(nodes)).not.toContain(access_key);
  expect(await statusOf(value, 'get', PROVIDERS)).toBe(200);
  expect(JSON.stringify(service.logged)).not.toContain(access_key);
  expect(service.logged).toContainEqual(
    expect.objectContaining({ message: 'request', team_key: value.id }),
  );
});

test('keys are listed by name, paged and filtered', async () => {
  for (const name of ['B list', 'A list', 'C list']) await created({ name });
  const lists = await listed('?filter=name co "list"');
  expect(lists.map(({ name }) => name)).toEqual(['A list', 'B list', 'C list']);
  const page = await service.send('get', `${KEYS}?page_size=1&filter=name co "list"`);
  expect(page.body).toMatchObject({ has_more: true, total: 3 });
});

test('a key pushes and reads, and manages no keys', async () => {
  const key = await created();
  const ids = await service.register();
  expect(await push(key, ids)).toBe(200);
  expect(await statusOf(key, 'get', '/api/v1/events')).toBe(200);
  expect(
    await statusOf(key, 'post', PROVIDERS, { name: 'New', custom_template: 'application' }),
  ).toBe(200);
  for (const [method, path] of [
    ['get', KEYS],
    ['post', KEYS],
    ['delete', `${KEYS}/${key.id}`],
    ['patch', `${KEYS}/${key.id}`],
    ['post', `${KEYS}/${key.id}:reinstate`],
    ['post', `${KEYS}/none:revoke`],
    ['get', `${KEYS}/`],
  ] as const) {
    const answer = await withKey(key, method, path);
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.body).toMatchObject({ code: 'PermissionDenied' });
  }
});

describe('the scopes of a key', () => {
  const REQUESTS = [
    ['get', PROVIDERS],
    ['post', PROVIDERS],
    ['get', `${PROVIDERS}/none`],
    ['delete', `${PROVIDERS}/none`],
    ['post', `${PROVIDERS}/none/datasources/none:push`],
    ['get', '/api/v1/nothing'],
    ['get', KEYS],
  ] as const;

  test.each([
    [['read'], [200, 403, 404, 403, 403, 404, 403]],
    [['push'], [200, 400, 404, 404, 404, 404, 403]],
    [['admin'], [200, 400, 404, 404, 404, 404, 200]],
    [[], [200, 400, 404, 404, 404, 404, 403]],
  ])('%j', async (scopes, expected) => {
    const key = await created({ scopes });
    const statuses = [];
    for (const [method, path] of REQUESTS) statuses.push(await statusOf(key, method, path));
    expect(statuses).toEqual(expected);
  });
});

describe('a key of one provider', () => {
  let own: RegisteredIds;
  let other: RegisteredIds;
  let key: Created;
  beforeAll(async () => {
    [own, other] = [await service.register(), await service.register()];
    key = await created({ providers: [own.id], scopes: ['push', 'read', 'admin'] });
  });

  test('does with it what its scopes allow', async () => {
    expect(await push(key, own)).toBe(200);
    expect(await statusOf(key, 'get', providerPath(own))).toBe(200);
    expect(await statusOf(key, 'get', `${providerPath(own)}/datasources/`)).toBe(200);
    expect(
      await statusOf(key, 'post', own.path.replace(':push', ':parts'), { operation: 'start' }),
    ).toBe(200);
    expect(await statusOf(key, 'get', `${PROVIDERS}/templates`)).toBe(200);
  });

  test('sees no other', async () => {
    const providers = await withKey(key, 'get', PROVIDERS);
    expect(providers.body).toMatchObject({ values: [{ id: own.id }], total: 1 });
    const events = await withKey(key, 'get', '/api/preview/events');
    const seen = (events.body as { events: readonly { provider_id: string }[] }).events;
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map(({ provider_id }) => provider_id))).toEqual(new Set([own.id]));
  });

  test.each<readonly [string, Method, () => string]>([
    ['reads another', 'get', () => providerPath(other)],
    [
      'reads another, escaped',
      'get',
      () => providerPath(other).replace(/.$/, (end) => `%${end.charCodeAt(0).toString(16)}`),
    ],
    ['pushes to another', 'post', () => other.path],
    ['asks for one that is not there', 'get', () => `${PROVIDERS}/none`],
    ['asks for a path that is no text', 'get', () => `${PROVIDERS}/%ff`],
    ['deletes another', 'delete', () => providerPath(other)],
    ['gives another an icon', 'post', () => `${providerPath(other)}:icon`],
    ['registers one', 'post', () => PROVIDERS],
    ['manages keys', 'get', () => KEYS],
    ['asks for anything else', 'get', () => '/metrics'],
  ])('is 403 when it %s', async (_what, method, path) => {
    expect(await statusOf(key, method, path())).toBe(403);
  });
});

describe('a key that is rotated', () => {
  const rotated = async (id: string, body: object = {}) => {
    const answer = await service.post(`${KEYS}/${id}:rotate`, body);
    expect(answer.status).toBe(200);
    return (answer.body as { value: Created & Readonly<Record<string, unknown>> }).value;
  };

  test('has a successor that may do the same, and both work until the old one ends', async () => {
    const { id: provider } = await service.register();
    const old = await created({ scopes: ['read'], providers: [provider] });
    const until = new Date(Date.now() + 60_000).toISOString();
    const next = await rotated(old.id, {
      valid_until: until,
      expires_at: '2999-01-01T00:00:00Z',
    });
    expect(next).toMatchObject({
      name: 'Connector',
      scopes: ['read'],
      providers: [provider],
      status: 'ACTIVE',
      expires_at: '2999-01-01T00:00:00Z',
      last_used_at: null,
    });
    expect(next.id).not.toBe(old.id);
    for (const key of [old, next]) expect(await statusOf(key, 'get', PROVIDERS)).toBe(200);
    const [kept] = await listed(`?filter=${encodeURIComponent(`id eq "${old.id}"`)}`);
    expect(Date.parse(String(kept?.expires_at))).toBe(Date.parse(until));

    // The old key ends now.
    const end = "MATCH (key:TeamKey {key: $id}) SET key.expires_at = datetime() - duration('PT1S')";
    await runTransaction(service.graph, { mode: 'write' }, (tx) => tx.run(end, { id: old.id }));
    await service.send('patch', `${KEYS}/${next.id}`, { name: 'Renamed' });
    expect(await statusOf(old, 'get', PROVIDERS)).toBe(401);
    expect(await statusOf(next, 'get', PROVIDERS)).toBe(200);
  });

  test('ends after a day unless told otherwise, and never later than before', async () => {
    const expiryOf = async ({ id }: Created): Promise<number> => {
      const [key] = await listed(`?filter=${encodeURIComponent(`id eq "${id}"`)}`);
      return Date.parse(String(key?.expires_at));
    };
    const unlimited = await created();
    const before = Date.now();
    await rotated(unlimited.id);
    const [least, most] = [before, Date.now()].map((at) => at + 24 * 3_600_000) as [number, number];
    expect(await expiryOf(unlimited)).toBeGreaterThanOrEqual(least);
    expect(await expiryOf(unlimited)).toBeLessThanOrEqual(most);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const limited = await created({ expires_at });
    await rotated(limited.id);
    expect(await expiryOf(limited)).toBe(Date.parse(expires_at));
    const moved = await created({ expires_at });
    await rotated(moved.id, { expires_at: '2999-01-01T00:00:00Z' });
    expect(await expiryOf(moved)).toBe(Date.parse(expires_at));
  });

  test('that expires has a successor that expires', async () => {
    const expires_at = '2998-01-01T00:00:00Z';
    const old = await created({ expires_at });
    expect((await rotated(old.id)).expires_at).toBe(expires_at);
    expect((await rotated((await created()).id)).expires_at).toBeNull();
    const moved = await rotated(old.id, { expires_at: '2999-01-01T00:00:00Z' });
    expect(moved.expires_at).toBe('2999-01-01T00:00:00Z');
  });

  test('is told by two events', async () => {
    const old = await created();
    const next = await rotated(old.id);
    const events = await service.send('get', '/api/v1/events').query({ page_size: '2' });
    expect(events.body).toMatchObject({
      events: [
        {
          event_type: 'TEAM_KEY_CREATED',
          entity_id: next.id,
          metadata: { predecessor_id: old.id, by: { name: 'API_KEY' } },
        },
        {
          event_type: 'TEAM_KEY_ROTATED',
          entity_id: old.id,
          metadata: { successor_id: next.id, by: { name: 'API_KEY' } },
        },
      ],
    });
    expect(JSON.stringify(events.body)).not.toContain(next.access_key);
  });

  test('must let somebody in, and end in the future', async () => {
    const revoked = await created();
    await service.post(`${KEYS}/${revoked.id}:revoke`, '');
    const before = (await listed()).length;
    expect((await service.post(`${KEYS}/${revoked.id}:rotate`, {})).status).toBe(409);
    const { id } = await created();
    const past = await service.post(`${KEYS}/${id}:rotate`, {
      valid_until: '2001-01-01T00:00:00Z',
    });
    expect(past.status).toBe(400);
    expect(past.body).toMatchObject({
      details: [{ field_violations: [{ pointer: '/valid_until', code: 'PAST_TIME' }] }],
    });
    expect(await listed()).toHaveLength(before + 1);
  });
});

describe('a key that is', () => {
  test('revoked is 401 until it is reinstated', async () => {
    const key = await created();
    const revoked = await service.post(`${KEYS}/${key.id}:revoke`, '');
    expect(revoked.body).toMatchObject({ value: { id: key.id, status: 'INACTIVE' } });
    expect(revoked.body).not.toHaveProperty('value.access_key');
    const answer = await withKey(key, 'get', PROVIDERS);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'Unauthenticated' });
    const reinstated = await service.post(`${KEYS}/${key.id}:reinstate`, '');
    expect(reinstated.body).toMatchObject({ value: { status: 'ACTIVE' } });
    expect(await statusOf(key, 'get', PROVIDERS)).toBe(200);
  });

  test('deleted is 401', async () => {
    const key = await created();
    const deleted = await service.send('delete', `${KEYS}/${key.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, {}]);
    expect(await statusOf(key, 'get', PROVIDERS)).toBe(401);
    expect((await service.send('delete', `${KEYS}/${key.id}`)).status).toBe(404);
  });

  test('that several requests delete at once is deleted and reported once', async () => {
    const key = await created({ name: 'at once' });
    const paths = Array.from({ length: 6 }, () => `${KEYS}/${key.id}`);
    const answers = await Promise.all(paths.map((path) => service.send('delete', path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    const events = await service.send('get', '/api/v1/events?page_size=100');
    const told = (events.body as { values: readonly object[] }).values.filter(
      (event) => JSON.stringify(event).includes(key.id) && /DELETED/.test(JSON.stringify(event)),
    );
    expect(told).toHaveLength(1);
  });

  test('changed is judged anew, and keeps what the change does not name', async () => {
    const { id: provider } = await service.register();
    const key = await created({ scopes: ['read'], providers: [provider] });
    const changed = await service.send('patch', `${KEYS}/${key.id}`, { name: 'Renamed' });
    expect(changed.body).toMatchObject({
      value: { name: 'Renamed', scopes: ['read'], providers: [provider] },
    });
    expect(await statusOf(key, 'get', `${PROVIDERS}/none`)).toBe(403);
    const { id: other } = await service.register();
    await service.send('patch', `${KEYS}/${key.id}`, { providers: [other] }).expect(200);
    expect(await statusOf(key, 'get', `${PROVIDERS}/${other}`)).toBe(200);
    expect(await statusOf(key, 'delete', `${PROVIDERS}/${provider}`)).toBe(403);
    await service.send('patch', `${KEYS}/${key.id}`, { scopes: ['push'] }).expect(200);
    expect(await statusOf(key, 'get', '/api/v1/events')).toBe(403);
  });

  test.each([
    ['providers', [], 'WIDENS_KEY'],
    ['scopes', [], 'WIDENS_KEY'],
    ['expires_at', '2026-01-01T00:00:00Z', 'PAST_TIME'],
    ['expires_at', 'tomorrow', 'BAD_TIME'],
  ])('changed to %s %j is refused, and stays as it was', async (field, value, code) => {
    const { id: provider } = await service.register();
    const key = await created({ scopes: ['read'], providers: [provider] });
    const answer = await service.send('patch', `${KEYS}/${key.id}`, { [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: [{ field_violations: [{ pointer: `/${field}`, code }] }],
    });
    expect(await listed(`?filter=id eq "${key.id}"`)).toMatchObject([
      { scopes: ['read'], providers: [provider], expires_at: null },
    ]);
  });

  test('expired is 401, and says so', async () => {
    const expires_at = '2999-01-01T00:00:00Z';
    const key = await created({ expires_at });
    expect(await listed(`?filter=id eq "${key.id}"`)).toMatchObject([{ expires_at }]);
    expect(await statusOf(key, 'get', PROVIDERS)).toBe(200);
    await runTransaction(service.graph, { mode: 'write' }, (tx) =>
      tx.run('MATCH (key:TeamKey {key: $id}) SET key.expires_at = datetime() - duration("PT1S")', {
        id: key.id,
      }),
    );
    // A change in this process counts at once.
    await service.send('patch', `${KEYS}/${key.id}`, { name: 'Old' }).expect(200);
    const answer = await withKey(key, 'get', PROVIDERS);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      message: expect.stringMatching(/^The key expired at /) as string,
    });
  });
});

describe('refused is', () => {
  test.each([
    ['no name', {}, '/name', 'MISSING_FIELD'],
    ['an unknown scope', { name: 'k', scopes: ['read', 'write'] }, '/scopes/1', 'UNKNOWN_VALUE'],
    ['a scope that is no list', { name: 'k', scopes: 'read' }, '/scopes', 'WRONG_TYPE'],
    [
      'a time that has passed',
      { name: 'k', expires_at: '2020-01-01T00:00:00Z' },
      '/expires_at',
      'PAST_TIME',
    ],
    ['a limit in another word', { name: 'k', provider: ['nobody'] }, '/provider', 'UNKNOWN_FIELD'],
    [
      'an unknown provider, whatever the case of the field',
      { name: 'k', Providers: ['nobody'] },
      '/providers/0',
      'UNKNOWN_VALUE',
    ],
    ['an unknown provider', { name: 'k', providers: ['nobody'] }, '/providers/0', 'UNKNOWN_VALUE'],
  ])('%s', async (_what, body, pointer, code) => {
    const before = (await listed()).length;
    const answer = await service.post(KEYS, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field_violations: [{ pointer, code }] }] });
    expect(await listed()).toHaveLength(before);
  });

  test.each([
    ['patch', `${KEYS}/none`],
    ['delete', `${KEYS}/none`],
    ['post', `${KEYS}/none:revoke`],
    ['post', `${KEYS}/none:reinstate`],
    ['post', `${KEYS}/none:rotate`],
    ['post', `${KEYS}/none:renew`],
  ] as const)('%s %s', async (method, path) => {
    expect((await service.send(method, path, 'no json')).status).toBe(404);
  });
});

test('while Neo4j is down a team key is 503; the key of the settings is told from a wrong one', async () => {
  const key = await created();
  const proxy = await breakableProxy(testNeo4j().uri, false);
  const cutOff = await serviceUnderTest({}, { uri: `bolt://127.0.0.1:${proxy.port}`, keep: true });
  const reached = (access_key: string): Promise<number> =>
    statusOf({ access_key }, 'get', PROVIDERS, undefined, cutOff);
  expect(await reached(key.access_key)).toBe(503);
  expect(await reached(API_KEY)).toBe(503);
  expect(await reached('wrong')).toBe(401);
  expect(await reached(`${key.access_key}x`)).toBe(401);
  await cutOff.close();
  await proxy.cut();
});

test('a key that only pushes reads nobody through SCIM unless it is limited to that provider', async () => {
  const source = await service.register('identity_provider');
  const other = await service.register('identity_provider');
  const scim = `/scim/v2/${source.data_source_id}`;
  await service.post(`${scim}/Users`, { userName: 'ann@corp.example' }).expect(201);
  const asked = (key: Created) =>
    Promise.all([
      statusOf(key, 'get', `${scim}/Users`),
      statusOf(key, 'post', `${scim}/.search`, {}),
      statusOf(key, 'post', `${scim}/Users`, { userName: 'ann@corp.example' }),
      statusOf(key, 'get', `${scim}/ServiceProviderConfig`),
    ]);
  // Such a key read all people of all directories.
  expect(await asked(await created({ scopes: ['push'] }))).toEqual([403, 403, 403, 403]);
  expect(await asked(await created({ scopes: ['read'] }))).toEqual([403, 403, 403, 403]);
  const refused = await withKey(await created({ scopes: ['push'] }), 'get', `${scim}/Users`);
  expect(refused.text).toContain('does not have the scope');
  expect(refused.text).not.toContain('ann@corp.example');
  const limited = { scopes: ['push'], providers: [source.id] };
  expect(await asked(await created(limited))).toEqual([200, 200, 409, 200]);
  expect(await asked(await created({ scopes: ['push', 'read'] }))).toEqual([200, 200, 409, 200]);
  const elsewhere = { scopes: ['push', 'read'], providers: [other.id] };
  expect(await asked(await created(elsewhere))).toEqual([404, 404, 404, 404]);
});

test('what the service does in an application is switched on only by administrators', async () => {
  const source = await service.register('application');
  const path = providerPath(source);
  for (const change of [{ provisioning: true }, { external_lifecycle_management_type: 'SCIM' }]) {
    for (const providers of [[], [source.id]]) {
      const key = await created({ scopes: ['push', 'read'], providers });
      // Such a key switched provisioning on, and its policies began to act.
      expect(await statusOf(key, 'patch', path, change)).toBe(403);
    }
    const key = await created({ scopes: ['admin'], providers: [source.id] });
    expect(await statusOf(key, 'patch', path, change)).toBe(200);
  }
  const pushing = await created({ scopes: ['push', 'read'] });
  for (const [field, status] of [
    ['provisioning', 403],
    ['Provisioning', 403],
    ['provisioningNote', 200],
  ] as const) {
    const body = { name: `By ${field}`, custom_template: 'application', [field]: true };
    expect([field, await statusOf(pushing, 'post', PROVIDERS, body)]).toEqual([field, status]);
  }
});
