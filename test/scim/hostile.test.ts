import { deleteAccount, disableAccount, readAccount } from '../../src/scim/client/accounts';
import type { Application } from '../../src/scim/client/application';
import { describeApplication } from '../../src/scim/client/capabilities';
import { ensureAccount } from '../../src/scim/client/ensure-account';
import { changeMembers } from '../../src/scim/client/members';
import { parseObject } from '../../src/scim/client/json';
import { listResources } from '../../src/scim/client/paging';
import { Random } from '../hardening/random';
import { sized } from '../support/test-size';
import { act } from './acting';
import { isWrite, type MisbehavingServer, misbehavingServer } from './misbehaving-server';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const who = { externalId: 'p-1', userName: 'ann' };
const attributes = new Map<string, string | boolean>([
  ['userName', 'ann'],
  ['externalId', 'p-1'],
  ['active', true],
]);
const ensure = (application: Application) =>
  ensureAccount(application, { who, attributes, mayCreate: true, adopt: false });
const named = (id: string) => ({ id, resource: {}, etag: null });

/** All that the client does. */
const WORK: Readonly<Record<string, (to: Application) => Promise<unknown>>> = {
  ensure,
  describe: ({ exchange }) => describeApplication(exchange),
  disable: (to) => disableAccount(to, { account: 'U1' }),
  delete: (to) => deleteAccount(to, { who, adopt: false }),
  members: (to) => changeMembers(to, 'Writers', 'add', [named('U1')]),
  list: async ({ exchange, can }) => {
    for await (const one of listResources(exchange, can, { endpoint: '/Users' })) void one;
  },
};

describe('ids are one segment of a path', () => {
  test.each(['..', '.', '', 'x\ud800', 'x'.repeat(2000)])('%j', async (id) => {
    for (const work of [disableAccount, deleteAccount]) {
      const { fault } = await act(server.base, (to) => work(to, { account: id }));
      expect(fault?.code).toBe('BAD_ID');
    }
    const group = await act(server.base, (to) => changeMembers(to, id, 'add', [named('U1')]));
    expect(['BAD_ID', 'NO_GROUP']).toContain(group.fault?.code);
    expect(server.writes()).toEqual([]);
    // Nothing was asked above the endpoints.
    expect(server.got.every(({ path }) => /\/(Users|Groups|ServiceP)/.test(path))).toBe(true);
  });

  test.each(['../Groups/g', 'a/b', 'a?b', 'a#b', '%2e%2e', ' ', 'ü'])(
    '%j is asked as it is',
    async (id) => {
      const { requests } = await act(server.base, (to) => readAccount(to, id));
      expect(requests.map(({ path }) => path)).toContain(`/Users/${encodeURIComponent(id)}`);
    },
  );
});

test.each([
  ['a line break in the version', { id: 'U1', meta: { version: 'W/"1"\r\nX-Evil: 1' } }],
  ['values that have no text', { id: 'U1', active: { toString: null }, userName: { a: [] } }],
  ['a name that everything has', JSON.parse('{"id":"U1","__proto__":{"active":true}}') as object],
])('%s is written with no header, or is a fault', async (_what, shown) => {
  server.reset({ etag: false, show: () => shown as never });
  server.users.set('U1', { id: 'U1', userName: 'ann', externalId: 'p-1' });
  server.misdeed = (got, res, next) => {
    if (!got.path.includes('ServiceProviderConfig')) return next();
    const body = { patch: { supported: true }, etag: { supported: true } };
    res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
  };
  await act(server.base, (to) => disableAccount(to, { account: 'U1' }));
  expect(server.got.filter(isWrite).every(({ headers }) => headers['x-evil'] === undefined)).toBe(
    true,
  );
});

test('an answer of nested lists is no SCIM', async () => {
  const deep = `{"id":"U1","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  server.misdeed = (_got, res) =>
    res.writeHead(200, { 'content-type': 'application/scim+json' }).end(deep);
  for (const work of Object.values(WORK)) {
    expect((await act(server.base, work)).fault?.code).toBe('NOT_SCIM');
  }
});

test('an answer of more values than are read is no object of JSON', () => {
  const holding = (values: number): string => `{"members":[${'0,'.repeat(values)}0]}`;
  expect(parseObject(holding(600_000))).not.toBeNull();
  expect(parseObject(holding(2_000_000))).toBeNull();
  // What is in quotes is no value.
  expect(parseObject(JSON.stringify({ text: ',"\\[{'.repeat(1_000_000) }))).not.toBeNull();
});

test('what an action holds of an application has a bound', async () => {
  for (let at = 0; at < 100; at += 1) server.users.set(`U${at}`, { id: `U${at}` });
  const list = WORK.list as (to: Application) => Promise<void>;
  const least = { limits: { heldBytes: 5_000 } };
  expect((await act(server.base, list, least)).fault?.code).toBe('TOO_LARGE');
  expect((await act(server.base, list, { limits: { heldBytes: 10_000 } })).fault).toBeNull();
});

test('users without end end with a fault', async () => {
  let made = 0;
  server.misdeed = ({ path }, res, next) => {
    if (!path.includes('/Users?')) return next();
    const Resources = Array.from({ length: 100 }, () => ({ id: `e${(made += 1)}` }));
    res.writeHead(200).end(JSON.stringify({ totalResults: 1e9, Resources }));
  };
  const limits = { resources: 1000 };
  const { fault } = await act(server.base, WORK.list as (to: Application) => Promise<void>, {
    limits,
  });
  expect(fault?.code).toBe('TOO_LARGE');
  expect(made).toBeLessThan(1200);
});

test('an answer that trickles ends with the time of a request', async () => {
  server.misdeed = (_got, res) => {
    res.writeHead(200, { 'content-type': 'application/scim+json' });
    const timer = setInterval(() => res.write(' '), 10);
    res.on('close', () => clearInterval(timer));
  };
  const limits = { requestSeconds: 0.1, attempts: 1 };
  expect((await act(server.base, ensure, { limits })).fault?.code).toBe('TOO_SLOW');
});

const SEED = Number(process.env.PROPERTY_SEED ?? 3);
const ROUNDS = sized(300, 10_000);

/** A value that may stand anywhere. */
const anything = (random: Random, depth = 0): unknown => {
  const simple: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    1e308,
    '',
    '..',
    'U1',
    '\ud800',
    'x'.repeat(5000),
    'W/"1"\r\nA: b',
    { toString: 1 },
    { value: { value: {} } },
    [],
    {},
  ];
  if (depth > 2 || random.happens(0.6)) return random.pick(simple);
  return random.happens(0.5)
    ? Array.from({ length: random.below(3) }, () => anything(random, depth + 1))
    : Object.fromEntries(
        ['id', 'value', 'type', 'active', 'version'].map((key) => [
          key,
          anything(random, depth + 1),
        ]),
      );
};

/** Puts something else into a place of a body. */
const spoiled = (random: Random, body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || random.happens(0.15)) return anything(random);
  const keys = Object.keys(body);
  if (keys.length === 0) return anything(random);
  const key = random.pick(keys);
  const copy: Record<string, unknown> = Array.isArray(body)
    ? ([...(body as unknown[])] as unknown as Record<string, unknown>)
    : { ...body };
  copy[key] = spoiled(random, copy[key]);
  return copy;
};

test(`${ROUNDS} answers with a wrong value in some place are faults, or are used as they are`, async () => {
  const random = new Random(SEED);
  const codes: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    server.reset({ etag: random.happens(0.5), filter: random.happens(0.5) });
    server.users.set('U1', {
      id: 'U1',
      userName: 'ann',
      externalId: 'p-1',
      meta: { version: '1' },
      active: true,
      emails: [{ type: 'work', value: 'a@b' }],
      groups: [{ value: 'g' }],
    });
    server.groups.set('g', { id: 'g', displayName: 'Writers', members: [{ value: 'U2' }] });
    server.misdeed = (got, res, next) => {
      const end = res.end.bind(res);
      res.end = ((text?: string) => {
        const body =
          random.happens(0.3) && text !== undefined ? spoiled(random, JSON.parse(text)) : null;
        return end(body === null ? text : JSON.stringify(body), 'utf8');
      }) as typeof res.end;
      next();
      void got;
    };
    const [name, work] = random.pick(Object.entries(WORK));
    // What is no fault of the application is thrown, and ends the test.
    const { fault, requests } = await act(server.base, work, { limits: { pages: 20 } });
    codes[fault?.code ?? 'none'] = (codes[fault?.code ?? 'none'] ?? 0) + 1;
    expect([name, requests.length < 200]).toEqual([name, true]);
  }
  expect(Object.keys(codes)).toEqual(expect.arrayContaining(['none', 'NOT_SCIM']));
});
