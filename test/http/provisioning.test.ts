import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { resealConnections } from '../../src/scim/connections/connection-records';
import { httpTransport } from '../../src/scim/client/requests/transport';
import { resealed, resealEvent } from '../../src/scim/connections/reseal';
import { type VaultKey, vaultKeyOf } from '../../src/secrets/vault';
import { allowing } from '../scim/acting';
import { isWrite, type MisbehavingServer, misbehavingServer } from '../scim/misbehaving-server';
import { type ServiceUnderTest, serviceUnderTest, VAULT_KEY } from './service-under-test';

const PROVIDERS = '/api/v1/providers/custom';
const SECRET = 'wiki-token-7f3a91-that-nobody-may-see';

let application: MisbehavingServer;
let service: ServiceUnderTest;
let key: VaultKey = VAULT_KEY;

beforeAll(async () => {
  application = await misbehavingServer();
  const allowed = allowing(application.port);
  service = await serviceUnderTest(
    {},
    {
      provisioning: {
        allowed,
        transport: httpTransport(allowed, { mostBytes: 1e6 }),
        vaultKey: () => Promise.resolve(key),
      },
    },
  );
});
afterAll(async () => {
  await service.close();
  await application.close();
});
beforeEach(() => application.reset());

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

let names = 0;

/** A provider that stands for an application with SCIM. */
const scimProvider = async (more: object = {}): Promise<string> => {
  const answer = await service.post(PROVIDERS, {
    name: `Wiki ${(names += 1)}`,
    custom_template: 'application',
    external_lifecycle_management_type: 'SCIM',
    provisioning: true,
    ...more,
  });
  return (answer.body as { value: { id: string } }).value.id;
};

const connection = (more: object = {}) => ({
  base_url: application.base,
  authentication: { type: 'bearer', token: SECRET },
  ...more,
});

/** The path of a provider's connection, which is set. */
const connected = async (more: object = {}): Promise<string> => {
  const path = `${PROVIDERS}/${await scimProvider()}/scim`;
  await service.send('put', path, connection(more)).expect(200);
  return path;
};

let people: Readonly<Record<string, string>>;
let directory: string;

/** Pushes a directory; gives the ids of its users by their names. */
beforeAll(async () => {
  const ids = await service.register();
  directory = ids.id;
  const json_data = JSON.stringify({
    name: 'Directory',
    idp_type: 'test',
    domains: [{ name: 'halden.example' }],
    custom_property_definition: { user_properties: { grade: 'STRING' } },
    users: [
      {
        name: 'ann',
        identity: 'p-1',
        email: 'Ann@Halden.example',
        full_name: 'Ann Berg',
        department: ['IT', 'HR'],
        is_active: true,
        custom_properties: { grade: 'G7' },
      },
      { name: 'bob', identity: 'p-2', email: 'bob@halden.example', is_active: false },
      { name: 'carl', identity: 'p-3' },
    ],
  });
  await service.post(ids.path, { ...ids, json_data }).expect(200);
  const rows = await ask(service.graph, 'MATCH (u:IdpUser) RETURN u.name AS name, u.key AS key');
  people = Object.fromEntries(rows.map(({ name, key: id }) => [String(name), String(id)]));
});

const idOf = (name: string): string => people[name] ?? '';
const post = async (path: string, body: unknown): Promise<Answer> => service.post(path, body);
const firstOf = ({ status, text, body }: Answer) => {
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return (body.values as readonly Readonly<Record<string, unknown>>[])[0];
};
const problemsOf = ({ body }: Answer) =>
  (
    body.details as readonly {
      readonly field_violations: readonly { readonly pointer: string; readonly code: string }[];
    }[]
  ).flatMap(({ field_violations }) =>
    field_violations.map(({ pointer, code }) => `${pointer} ${code}`),
  );

const eventsOf = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const id = path.split('/')[5] ?? '';
  const answer = await service.send('get', `/api/v1/events?filter=entity_id eq "${id}"`);
  return (answer.body as { values: readonly Readonly<Record<string, unknown>>[] }).values;
};

describe('the connection', () => {
  test('is set, read without its secret, tested, and removed', async () => {
    const path = await connected({
      attributes: { title: 'customprop_grade', displayName: [] },
      profile: { page_size: 50 },
    });
    const read = await service.send('get', path);
    expect((read.body as { value: object }).value).toEqual({
      base_url: application.base,
      authentication: { type: 'bearer' },
      attributes: {
        userName: ['email', 'name'],
        externalId: ['identity', 'name'],
        'name.formatted': ['full_name', 'name'],
        active: ['is_active'],
        'emails[type eq "work"].value': ['email'],
        title: ['customprop_grade'],
      },
      profile: expect.objectContaining({ page_size: 50, patch: null }) as object,
      sealed_with: VAULT_KEY.id,
      since: expect.any(String) as string,
      changed: expect.any(String) as string,
    });
    const tested = await post(`${path}:test`, {});
    expect(tested.body.value).toMatchObject({ works: true, can: { patch: true, page_size: 50 } });
    expect(application.got.map(({ headers }) => headers.authorization)).toContain(
      `Bearer ${SECRET}`,
    );
    await service.send('delete', path).expect(200);
    await service.send('get', path).expect(404);
    await service.send('delete', path).expect(404);
    expect((await post(`${path}:provision`, { user: idOf('ann') })).status).toBe(404);
    expect((await eventsOf(path)).map(({ event_type }) => event_type).slice(0, 2)).toEqual([
      'SCIM_CONNECTION_REMOVED',
      'SCIM_CONNECTION_SET',
    ]);
  });

  test.each<[string, object, string]>([
    ['no address', { base_url: 'wiki' }, '/base_url BAD_ADDRESS'],
    ['a file', { base_url: 'file:///etc/passwd' }, '/base_url BAD_ADDRESS'],
    ['another host', { base_url: 'https://other.example/scim' }, '/base_url BAD_ADDRESS'],
    ['a user in the address', { base_url: 'https://a:b@other.example' }, '/base_url BAD_ADDRESS'],
    ['a query', { base_url: 'https://other.example/?a=1' }, '/base_url BAD_ADDRESS'],
    ['an unknown field', { token: 'x' }, '/token UNKNOWN_FIELD'],
    [
      'an unknown type',
      { authentication: { type: 'digest' } },
      '/authentication/type UNKNOWN_VALUE',
    ],
    ['no token', { authentication: { type: 'bearer' } }, '/authentication/token MISSING_FIELD'],
    [
      'a password for a token',
      { authentication: { type: 'bearer', token: 'some token', password: 'some word' } },
      '/authentication/password UNKNOWN_FIELD',
    ],
    [
      'a token that could not be hidden',
      { authentication: { type: 'bearer', token: 'seven77' } },
      '/authentication/token TOO_SHORT',
    ],
    [
      'a line break in the token',
      { authentication: { type: 'bearer', token: 'some\r\nhost: y' } },
      '/authentication/token CONTROL_CHARACTER',
    ],
    [
      'a token endpoint elsewhere',
      {
        authentication: {
          type: 'oauth2',
          client_id: 'a',
          client_secret: 'some secret',
          token_url: 'https://other.example/token',
        },
      },
      '/authentication/token_url BAD_ADDRESS',
    ],
    ['no path', { attributes: { 'a b': 'name' } }, '/attributes/a b UNKNOWN_VALUE'],
    ['a password', { attributes: { password: 'name' } }, '/attributes/password UNKNOWN_VALUE'],
    ['an unknown property', { attributes: { title: 'shoe' } }, '/attributes/title UNKNOWN_VALUE'],
    ['no userName', { attributes: { userName: [] } }, '/attributes/userName UNKNOWN_VALUE'],
    ['pages of none', { profile: { page_size: 0 } }, '/profile/page_size OUT_OF_RANGE'],
  ])('is refused with %s, and stays as it was', async (_what, more, problem) => {
    const path = await connected();
    const before = (await service.send('get', path)).text;
    const answer = (await service.send('put', path, connection(more))) as Answer;
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)).toEqual([problem]);
    expect((await service.send('get', path)).text).toBe(before);
  });

  test('needs a provider for SCIM', async () => {
    const id = await scimProvider({ external_lifecycle_management_type: null });
    const set = () => service.send('put', `${PROVIDERS}/${id}/scim`, connection());
    expect((await set()).status).toBe(409);
    await service.send('patch', `${PROVIDERS}/${id}`, {
      external_lifecycle_management_type: 'SCIM',
    });
    expect((await set()).status).toBe(200);
  });

  test('goes with its provider', async () => {
    const path = await connected();
    await service.send('delete', path.replace('/scim', '')).expect(200);
    const rows = await ask(service.graph, 'MATCH (c:ScimConnection) RETURN c.key AS key');
    expect(rows.map((row) => row.key)).not.toContain(path.split('/')[5]);
  });

  test('that does not work is told, not thrown', async () => {
    const path = await connected();
    application.misdeed = (_got, res) =>
      res.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    expect((await post(`${path}:test`, {})).body.value).toMatchObject({
      works: false,
      can: null,
      problem: { code: 'NOT_SCIM' },
    });
    const warned = await connected({ attributes: { 'no.such': 'name' } });
    application.misdeed = (got, res, next) => {
      if (!got.path.endsWith('/Schemas')) return next();
      const id = 'urn:ietf:params:scim:schemas:core:2.0:User';
      const attributes = ['userName', 'displayName', 'active'].map((name) => ({ name }));
      const body = JSON.stringify({ Resources: [{ id, attributes }] });
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(body);
    };
    const { warnings } = (await post(`${warned}:test`, {})).body.value as { warnings: string[] };
    expect(warnings).toEqual([
      'The application has no attribute name.formatted.',
      'The application has no attribute emails[type eq "work"].value.',
      'The application has no attribute no.such.',
    ]);
  });
});

describe('by hand', () => {
  test('a person gets an account, moves and leaves, and each is told by an event', async () => {
    const path = await connected({
      attributes: { title: 'customprop_grade', nickName: 'department' },
    });
    const user = idOf('ann');
    const dry = await post(`${path}:provision?dry_run=true`, { user });
    expect(firstOf(dry)).toMatchObject({ outcome: 'created', account: null, confirmed: false });
    const would = (dry.body.requests as { sent: boolean }[]).filter(({ sent }) => !sent);
    expect(application.writes()).toEqual([]);

    expect(firstOf(await post(`${path}:provision`, { user }))).toEqual({
      user,
      account: 'U1',
      outcome: 'created',
      confirmed: true,
      ignored: [],
      problem: null,
    });
    expect(would).toEqual([
      {
        method: 'POST',
        path: '/Users',
        sent: false,
        status: null,
        body: application.got.find(isWrite)?.body,
      },
    ]);
    expect(application.users.get('U1')).toMatchObject({
      userName: 'Ann@Halden.example',
      externalId: 'p-1',
      displayName: 'Ann Berg',
      active: true,
      title: 'G7',
      nickName: 'IT',
      name: { formatted: 'Ann Berg' },
      emails: [{ value: 'Ann@Halden.example', type: 'work', primary: true }],
    });
    expect(firstOf(await post(`${path}:provision`, { user }))?.outcome).toBe('unchanged');
    Object.assign(application.users.get('U1') as object, { title: 'G1' });
    expect(firstOf(await post(`${path}:update`, { user }))?.outcome).toBe('updated');

    application.groups.set('g', { id: 'g', displayName: 'Writers', members: [{ value: 'x' }] });
    const group = 'writers';
    const add = { group, users: [user, idOf('carl')], accounts: ['U1'] };
    const added = await post(`${path}:add-members`, add);
    expect((added.body.values as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual([
      'added',
      'failed',
      'added',
    ]);
    expect(firstOf(await post(`${path}:remove-members`, { group, users: [user] }))?.outcome).toBe(
      'removed',
    );
    expect(application.groups.get('g')?.members).toEqual([{ value: 'x' }]);

    const off = (how: string) => post(`${path}:deprovision`, { user, how });
    expect(firstOf(await off('disable'))?.outcome).toBe('disabled');
    expect(firstOf(await off('delete'))?.outcome).toBe('deleted');
    expect(firstOf(await off('delete'))?.outcome).toBe('absent');

    const events = await eventsOf(path);
    expect(
      events
        .map(({ event_type }) => event_type)
        .reverse()
        .slice(2),
    ).toEqual([
      'ACCOUNT_CREATED',
      'ACCOUNT_UNCHANGED',
      'ACCOUNT_UPDATED',
      'MEMBER_ADDED',
      'PROVISIONING_FAILED',
      'MEMBER_ADDED',
      'MEMBER_REMOVED',
      'ACCOUNT_DISABLED',
      'ACCOUNT_DELETED',
      'ACCOUNT_UNCHANGED',
    ]);
    expect(events[0]).toMatchObject({
      severity: 'INFO',
      metadata: { user, outcome: 'absent', action: 'delete', by: { name: 'API_KEY' } },
    });
    expect(events.find(({ event_type }) => event_type === 'PROVISIONING_FAILED')).toMatchObject({
      severity: 'ERROR',
      metadata: { group, problem: { code: 'NO_ACCOUNT' } },
    });
  });

  test('somebody inactive gets an inactive account', async () => {
    const path = await connected();
    await post(`${path}:provision`, { user: idOf('bob') });
    expect(application.users.get('U1')).toMatchObject({ active: false, displayName: 'bob' });
  });

  test('an account is named by its id for whoever is gone from the graph', async () => {
    const path = await connected();
    application.users.set('old', { id: 'old', userName: 'gone@halden.example', active: true });
    const disabled = await post(`${path}:deprovision`, { account: 'old', how: 'disable' });
    expect(firstOf(disabled)).toMatchObject({ user: null, account: 'old', outcome: 'disabled' });
    expect(application.users.get('old')).toMatchObject({ active: false });
  });

  test('what the application refuses is a result, and an event', async () => {
    const path = await connected();
    application.misdeed = (got, res, next) =>
      isWrite(got) ? res.writeHead(400).end('{"detail":"userName is too short"}') : next();
    expect(firstOf(await post(`${path}:provision`, { user: idOf('ann') }))).toMatchObject({
      outcome: 'failed',
      problem: { code: 'REFUSED', message: expect.stringContaining('too short') as string },
    });
    expect((await eventsOf(path))[0]).toMatchObject({ event_type: 'PROVISIONING_FAILED' });
  });

  test('a person without the name that an account needs is told', async () => {
    const path = await connected({ attributes: { userName: 'email' } });
    expect(firstOf(await post(`${path}:provision`, { user: idOf('carl') }))).toMatchObject({
      outcome: 'failed',
      problem: { code: 'INCOMPLETE' },
    });
  });

  test('nothing is done while provisioning is off, but dry runs are', async () => {
    const path = await connected();
    await service.send('patch', path.replace('/scim', ''), { provisioning: false }).expect(200);
    const user = idOf('ann');
    expect((await post(`${path}:provision`, { user })).status).toBe(409);
    expect((await post(`${path}:deprovision`, { user, how: 'delete' })).status).toBe(409);
    expect((await post(`${path}:add-members`, { group: 'g', users: [user] })).status).toBe(409);
    expect(application.got).toEqual([]);
    expect((await post(`${path}:provision?dry_run=true`, { user })).status).toBe(200);
    await service.send('patch', path.replace('/scim', ''), { provisioning: true }).expect(200);
    expect(firstOf(await post(`${path}:provision`, { user }))?.outcome).toBe('created');
  });

  test.each<[string, object, number, string]>([
    ['provision', {}, 400, '/user MISSING_FIELD'],
    ['provision', { user: 'nobody' }, 404, ''],
    ['provision', { user: 'x', dry_run: true }, 400, '/dry_run UNKNOWN_FIELD'],
    ['provision', { user: 7 }, 400, '/user WRONG_TYPE'],
    ['deprovision', { user: 'x' }, 400, '/how MISSING_FIELD'],
    ['deprovision', { how: 'delete' }, 400, '/user MISSING_FIELD'],
    ['deprovision', { how: 'erase', user: 'x' }, 400, '/how UNKNOWN_VALUE'],
    ['deprovision', { how: 'delete', user: 'x', account: 'y' }, 400, '/account UNKNOWN_FIELD'],
    ['add-members', { group: 'g' }, 400, '/users MISSING_FIELD'],
    ['add-members', { users: ['x'] }, 400, '/group MISSING_FIELD'],
    ['add-members', { group: 'g', users: ['nobody'] }, 404, ''],
    [
      'remove-members',
      { group: 'g', accounts: Array.from({ length: 101 }, (_, index) => `a${index}`) },
      400,
      '/users OUT_OF_RANGE',
    ],
  ])('%s %j is answered %s', async (verb, body, status, problem) => {
    const path = await connected();
    const answer = await post(`${path}:${verb}`, body);
    expect([answer.status, problem === '' ? '' : problemsOf(answer).join()]).toEqual([
      status,
      problem,
    ]);
    expect(application.writes()).toEqual([]);
  });
});

describe('a key that is limited to providers', () => {
  const keyFor = async (...providers: readonly string[]): Promise<string> => {
    const answer = await service.post('/api/preview/teamkeys', {
      name: 'limited',
      scopes: ['admin'],
      providers,
    });
    return (answer.body as { value: { access_key: string } }).value.access_key;
  };
  const provisionWith = async (accessKey: string, path: string, user: string) =>
    supertest(service.app)
      .post(`${path}:provision?dry_run=true`)
      .set('authorization', `Bearer ${accessKey}`)
      .send({ user });

  test('acts in its application, for users of its directory alone', async () => {
    const path = await connected();
    const other = await connected();
    const provider = path.split('/')[5] ?? '';
    const both = await keyFor(provider, directory);
    expect((await provisionWith(both, path, idOf('ann'))).status).toBe(200);
    expect((await provisionWith(both, other, idOf('ann'))).status).toBe(403);
    const one = await keyFor(provider);
    const unseen = await provisionWith(one, path, idOf('ann'));
    const unknown = await provisionWith(one, path, idOf('ann').replace('p-1', 'p-9'));
    expect([unseen.status, unknown.status]).toEqual([404, 404]);
    const messageOf = ({ body }: supertest.Response) => (body as { message: string }).message;
    expect(messageOf(unseen).replace('p-1', 'p-9')).toBe(messageOf(unknown));
  });
});

describe('secrets', () => {
  const everything = async (): Promise<string> =>
    JSON.stringify(
      await ask(
        service.graph,
        'MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN labels(n) AS l, properties(n) AS p, properties(r) AS q',
      ),
    );

  test('are found nowhere in graph, answers, events and logs', async () => {
    const texts: string[] = [];
    const told = async (asked: PromiseLike<{ readonly text: string }>): Promise<void> => {
      texts.push((await asked).text);
    };
    const secrets = ['bearer-secret-1', 'basic-secret-2', 'oauth-secret-3'];
    const [token, password, client_secret] = secrets;
    for (const authentication of [
      { type: 'bearer', token },
      { type: 'basic', user: 'grant', password },
      { type: 'oauth2', token_url: `${application.base}/token`, client_id: 'id', client_secret },
    ]) {
      const path = `${PROVIDERS}/${await scimProvider()}/scim`;
      await told(service.send('put', path, connection({ authentication })));
      await told(service.send('get', path));
      // This application repeats what it is sent.
      application.misdeed = ({ headers, body }, res, next) => {
        if (headers.authorization === undefined) return next();
        const detail = `${headers.authorization} ${JSON.stringify(body)}`;
        res.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
      };
      await told(service.post(`${path}:test`, {}));
      await told(service.post(`${path}:provision`, { user: idOf('ann') }));
      await told(service.post(`${path}:provision?dry_run=true`, { user: idOf('ann') }));
      await told(
        service.send('put', path, connection({ authentication: { ...authentication, x: 1 } })),
      );
    }
    await told(service.send('get', '/api/v1/events'));
    await told(service.send('get', PROVIDERS));
    const all = [...texts, await everything(), JSON.stringify(service.logged)].join('\n');
    const hidden = [
      ...secrets,
      ...secrets.map((secret) => Buffer.from(secret).toString('base64').slice(0, 12)),
      Buffer.from(`grant:${password}`).toString('base64'),
      Buffer.from(`id:${client_secret}`).toString('base64'),
    ];
    expect(hidden.filter((secret) => all.includes(secret))).toEqual([]);
    // The search would find one.
    expect(all).toContain('grant');
  });

  test.each([
    ['its address', "c.base_url = 'https://evil.example.org/scim'"],
    ['its sign-in', `c.authentication = '{"type":"basic","user":"eve"}'`],
    ['another secret', "c.secrets = left(c.secrets, size(c.secrets) - 4) + '____'"],
  ])('are sent nowhere once somebody changed %s in the graph', async (_what, change) => {
    const path = await connected();
    const id = path.split('/').at(-2);
    expect((await post(`${path}:test`, {})).body.value).toMatchObject({ works: true });
    await runTransaction(service.graph, { mode: 'write' }, (tx) =>
      tx.run(`MATCH (c:ScimConnection {key: $id}) SET ${change}`, { id }),
    );
    // Before, the secret went to the new address.
    const told = await post(`${path}:test`, {});
    expect({ status: told.status, text: told.text }).toEqual({
      status: 409,
      text: expect.stringContaining('Somebody changed the secrets') as string,
    });
    await service.send('delete', path).expect(200);
  });

  test('are sealed anew by a rotation, which may be repeated', async () => {
    const path = await connected();
    const next = vaultKeyOf(Buffer.alloc(32, 9).toString('base64')) as VaultKey;
    const rotate = () =>
      resealConnections(service.graph, resealed(key, next), (rotation) =>
        resealEvent(next, rotation),
      );
    const { count, damaged } = await rotate();
    expect(count).toBeGreaterThan(0);
    expect(damaged).toEqual([]);
    expect(await rotate()).toEqual({ count: 0, damaged: [] });
    const before = await post(`${path}:test`, {});
    expect(before.status).toBe(409);
    expect(before.text).toContain(next.id);
    key = next;
    expect((await post(`${path}:test`, {})).body.value).toMatchObject({ works: true });
    const wrong = vaultKeyOf('0a'.repeat(32)) as VaultKey;
    await expect(
      resealConnections(service.graph, resealed(wrong, VAULT_KEY), (sealed) =>
        resealEvent(VAULT_KEY, sealed),
      ),
    ).rejects.toThrow('sealed with the key');
    expect((await post(`${path}:test`, {})).body.value).toMatchObject({ works: true });
    const rows = await ask(
      service.graph,
      "MATCH (e:Event {event_type: 'SECRETS_RESEALED'}) RETURN e.metadata AS metadata",
    );
    expect(rows).toEqual([{ metadata: JSON.stringify({ connections: count, key: next.id }) }]);
  });

  test('one that is damaged does not keep the others from a rotation, and is named', async () => {
    const [sound, broken] = [await connected(), await connected()];
    const id = broken.split('/').at(-2);
    const change = (query: string) =>
      runTransaction(service.graph, { mode: 'write' }, (tx) => tx.run(query, { id }));
    await change(
      "MATCH (c:ScimConnection {key: $id}) SET c.was = c.base_url, c.base_url = 'https://evil.example.org/'",
    );
    const [from, next] = [key, vaultKeyOf('0b'.repeat(32)) as VaultKey];
    const rotation = await resealConnections(service.graph, resealed(from, next), (done) =>
      resealEvent(next, done),
    );
    expect(rotation.count).toBeGreaterThan(0);
    expect(rotation.damaged.map(({ provider }) => provider)).toEqual([id]);
    const [event] = await ask(
      service.graph,
      "MATCH (e:Event {event_type: 'SECRETS_RESEALED'}) RETURN e.metadata AS metadata ORDER BY e.timestamp DESC LIMIT 1",
    );
    expect(JSON.parse(String(event?.metadata))).toMatchObject({ damaged: [id], key: next.id });
    key = next;
    expect((await post(`${sound}:test`, {})).body.value).toMatchObject({ works: true });
    expect((await post(`${broken}:test`, {})).status).toBe(409);
    // It is as it was, so that who undoes the change can go on with the old key.
    await change('MATCH (c:ScimConnection {key: $id}) SET c.base_url = c.was REMOVE c.was');
    key = from;
    expect((await post(`${broken}:test`, {})).body.value).toMatchObject({ works: true });
    key = next;
    await service.send('delete', broken).expect(200);
  });

  test('do not open where somebody moves or changes them', async () => {
    const [one, two] = [await connected(), await connected()];
    const ids = [one, two].map((path) => path.split('/')[5] ?? '');
    await runTransaction(service.graph, { mode: 'write' }, (tx) =>
      tx.run(
        'MATCH (a:ScimConnection {key: $ids[0]}), (b:ScimConnection {key: $ids[1]}) SET b.secrets = a.secrets',
        { ids },
      ),
    );
    expect((await post(`${one}:test`, {})).status).toBe(200);
    expect((await post(`${two}:test`, {})).status).toBe(409);
  });
});
