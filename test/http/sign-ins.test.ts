import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import type { WayIn } from '../../src/web/routing/web';
import { Browser } from './browser-session';
import { API_KEY, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeEach(async () => {
  service = await serviceUnderTest({ signIns: 3 });
});
afterEach(() => service.close());

const KEYS = '/api/preview/teamkeys';
const PROVIDERS = '/api/v1/providers/custom';

const askWith = (key: string, path = PROVIDERS): supertest.Test =>
  supertest(service.app).get(path).set('authorization', `Bearer ${key}`);

const unknownKey = (at: number): string => `ggk_${String(at).padStart(43, 'x')}`;

interface Created {
  readonly id: string;
  readonly access_key: string;
}

const created = async (body: object): Promise<Created> => {
  const answer = await service.post(KEYS, { name: 'Wiki', ...body }).expect(200);
  return (answer.body as { value: Created }).value;
};

interface Told {
  readonly event_type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const eventsSeenBy = async (key: string): Promise<readonly Told[]> => {
  const answer = await askWith(key, '/api/v1/events').expect(200);
  return (answer.body as { events: readonly Told[] }).events;
};

const typesOf = (events: readonly Told[]): readonly string[] =>
  events.map(({ event_type }) => event_type);

test('an address that tries too many unknown keys must wait; keys that have signed in need not', async () => {
  const { access_key } = await created({});
  await askWith(access_key).expect(200);
  for (let at = 0; at < 3; at += 1) await askWith(unknownKey(at)).expect(401);
  const limited = await askWith(unknownKey(3));
  expect(limited.status).toBe(429);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect(limited.body).toMatchObject({ code: 'ResourceExhausted' });
  await askWith('short').expect(429);
  await askWith(access_key).expect(200);
  await askWith(API_KEY).expect(200);
});

test.each([
  ['revoked', async ({ id }: Created) => service.post(`${KEYS}/${id}:revoke`, {}).expect(200)],
  [
    'expired',
    async ({ id }: Created) =>
      runTransaction(service.graph, { mode: 'write' }, (tx) =>
        tx.run(
          "MATCH (key:TeamKey {key: $id}) SET key.expires_at = datetime('2026-01-01T00:00:00Z')",
          { id },
        ),
      ),
  ],
] as const)(
  'a key that has ended is no guess, however often somebody sends it: %s',
  async (_, end) => {
    const key = await created({});
    await end(key);
    for (let at = 0; at < 6; at += 1) await askWith(key.access_key).expect(401);
    // An unknown key is still answered 401, and one that never signed in is let in.
    await askWith(unknownKey(0)).expect(401);
    await askWith((await created({})).access_key).expect(200);
  },
);

/** How somebody tries something unknown on each way in. */
const TRIES: Readonly<Record<Exclude<WayIn, 'issuer'>, (at: number) => Promise<number>>> = {
  keys: async (at) => (await askWith(unknownKey(at))).status,
  'keys of forms': async (at) => (await new Browser(service.app).signIn(unknownKey(at))).status,
  codes: async (at) =>
    (await new Browser(service.app).post('/sign-in/code', { code: `wrong-${at}` })).status,
  sessions: async (at) => {
    const one = new Browser(service.app);
    one.cookies.set('grantgraph-session', String(at).padStart(43, 'x'));
    return (await one.get('/session')).status;
  },
};
const WAYS = Object.keys(TRIES) as (keyof typeof TRIES)[];

test.each(WAYS)(
  'each way in has a count of its own: after too many %s the others are open',
  async (used) => {
    for (let at = 0; at < 3; at += 1) expect(await TRIES[used](at)).not.toBe(429);
    expect(await TRIES[used](3)).toBe(429);
    for (const way of WAYS.filter((each) => each !== used)) {
      expect([way, await TRIES[way](4)]).not.toEqual([way, 429]);
    }
  },
);

describe('a proxy says whose request it is, if the settings trust it:', () => {
  const triedBy = (app: ServiceUnderTest['app']) => async (header: string, at: number) =>
    (
      await supertest(app)
        .get(PROVIDERS)
        .set('authorization', `Bearer ${unknownKey(at)}`)
        .set('x-forwarded-for', header)
    ).status;

  test.each([
    ['each client has a count', ['127.0.0.0/8', '::1'], (at: number) => `192.0.2.${at}`, 401],
    [
      'what a client adds before does not count',
      ['127.0.0.0/8', '::1'],
      (at: number) => `192.0.2.${at}, 198.51.100.7`,
      429,
    ],
    [
      'an address with a port is the address',
      ['127.0.0.0/8', '::1'],
      (at: number) => `192.0.2.7:${4_000 + at}`,
      429,
    ],
    [
      'so is one in brackets',
      ['127.0.0.0/8', '::1'],
      (at: number) => `[2001:db8::7]${at % 2 === 0 ? '' : `:${4_000 + at}`}`,
      429,
    ],
    [
      'clients with ports have a count each, behind a proxy with one',
      ['127.0.0.0/8', '::1', '10.0.0.5'],
      (at: number) => `192.0.2.${at}:443, 10.0.0.5:${4_000 + at}`,
      401,
    ],
    [
      'what is no address does not count',
      ['127.0.0.0/8', '::1'],
      (at: number) => `client-${at}`,
      429,
    ],
    ['another proxy', ['10.0.0.0/8'], (at: number) => `192.0.2.${at}`, 429],
    ['no proxy', undefined, (at: number) => `192.0.2.${at}`, 429],
  ] as const)('%s', async (_, trustedProxies, header, status) => {
    const one = await serviceUnderTest(
      { signIns: 3 },
      { keep: true, settings: { http: { trustedProxies } } },
    );
    const tried = triedBy(one.app);
    for (let at = 1; at <= 3; at += 1) expect(await tried(header(at), at)).toBe(401);
    expect(await tried(header(4), 4)).toBe(status);
    await one.close();
  });
});

test('a key that signs in is no try', async () => {
  for (let at = 0; at < 6; at += 1) await askWith((await created({})).access_key).expect(200);
});

test('neither /readyz nor unknown keys commit anything in Neo4j', async () => {
  const committed = async (): Promise<unknown> =>
    (await ask(service.graph, 'SHOW DATABASE neo4j YIELD lastCommittedTxn'))[0]?.lastCommittedTxn;
  const before = await committed();
  for (let at = 0; at < 5; at += 1) {
    await askWith(unknownKey(at));
    await supertest(service.app).get('/readyz').expect(200);
  }
  expect(before).toBeDefined();
  expect(String(await committed())).toBe(String(before));
});

test('the use of a key is noted', async () => {
  const { id, access_key } = await created({});
  await askWith(access_key).expect(200);
  for (;;) {
    const [key] = await ask(
      service.graph,
      `MATCH (key:TeamKey {key: '${id}'}) RETURN toString(key.last_used_at) AS at`,
    );
    if (typeof key?.at === 'string') break;
  }
  const answer = await service.send('get', KEYS).expect(200);
  expect(answer.body).toMatchObject({ values: [{ last_used_at: expect.any(String) as string }] });
});

test('what is done to keys is reported, with the key that did it, and not to keys that are limited', async () => {
  const ids = await service.register();
  const source = ids.path.replace(/:push$/, '');
  const admin = await created({ name: 'Admin', scopes: ['admin'] });
  const limited = await created({ name: 'Limited', providers: [ids.id] });
  const act = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) =>
    supertest(service.app)
      [method](path)
      .set('authorization', `Bearer ${admin.access_key}`)
      .send(body)
      .expect(200);
  const { id } = await created({});
  await act('patch', `${KEYS}/${id}`, { name: 'Renamed' });
  await act('post', `${KEYS}/${id}:revoke`);
  await act('post', `${KEYS}/${id}:reinstate`);
  await act('delete', `${KEYS}/${id}`);
  await act('post', `${source}:allow-removal`);
  await act('post', `${source}:verify?repair=true`);
  await act('patch', `${PROVIDERS}/${ids.id}`, { provisioning: true });
  await act('post', `${PROVIDERS}/${ids.id}/datasources`, { id: ids.id, name: 'Second' });
  const { path, ...envelope } = ids;
  const payload = { idp_type: 'ldap', domains: [{ name: 'corp' }] };
  await act('post', path, { ...envelope, json_data: JSON.stringify(payload) });
  const events = await eventsSeenBy(API_KEY);
  expect(typesOf(events).slice(0, 10)).toEqual([
    'PUSH_ACCEPTED',
    'DATASOURCE_CREATED',
    'PROVIDER_CHANGED',
    'DATASOURCE_VERIFIED',
    'REMOVAL_ALLOWED',
    'TEAM_KEY_DELETED',
    'TEAM_KEY_REINSTATED',
    'TEAM_KEY_REVOKED',
    'TEAM_KEY_CHANGED',
    'TEAM_KEY_CREATED',
  ]);
  for (const { metadata } of events.slice(0, 9)) {
    expect(metadata.by).toEqual({ key_id: admin.id, name: 'Admin', address: '127.0.0.1' });
  }
  expect(events[9]?.metadata.by).toEqual({
    key_id: null,
    name: 'API_KEY',
    address: '127.0.0.1',
  });
  const seen = await eventsSeenBy(limited.access_key);
  expect(typesOf(seen)).toContain('REMOVAL_ALLOWED');
  expect(typesOf(seen).filter((type) => type.startsWith('TEAM_KEY'))).toEqual([]);
  expect(JSON.stringify(seen)).not.toContain('Admin');
});

test('refused sign-ins are one line of the log, which says how many, and no event', async () => {
  for (let at = 0; at < 5; at += 1) await askWith(unknownKey(at));
  await supertest(service.app).get(PROVIDERS).expect(401);
  service.reportRefusedSignIns();
  service.reportRefusedSignIns();
  const lines = service.logged.filter(({ message }) => message === 'sign-ins were refused');
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      count: 6,
      addresses: expect.stringMatching(/ \(6\)$/) as string,
    }),
  ]);
  expect(typesOf(await eventsSeenBy(API_KEY))).toEqual([]);
});
