/** @more scim */

import { request } from 'node:http';

import { LIMITS } from '../../src/scim/client/requests/exchange';
import { httpTransport } from '../../src/scim/client/requests/transport';
import { allowing } from '../scim/acting';
import {
  type Misdeed,
  type MisbehavingServer,
  misbehavingServer,
} from '../scim/misbehaving-server';
import { type Connected, importing } from './scim-importing';
import {
  API_KEY,
  listenLocally,
  type ServiceUnderTest,
  serviceUnderTest,
} from './service-under-test';

type Json = Readonly<Record<string, unknown>>;

const PAYLOAD_BYTES = 500_000;
const HELD_BYTES = 1_000_000;
const SIX_HOURS = 6 * 3600 * 1000;

let application: MisbehavingServer;
let service: ServiceUnderTest;
let now = Date.parse('2026-11-25T12:00:00Z');

const clock = {
  now: () => now,
  sleep: (milliseconds: number) => Promise.resolve(void (now += milliseconds)),
  random: () => 0.5,
};

beforeAll(async () => {
  application = await misbehavingServer();
  const allowed = allowing(application.port);
  service = await serviceUnderTest(
    { jsonBytes: PAYLOAD_BYTES, bodyBytes: 1e6 },
    {
      provisioning: {
        allowed,
        clock,
        transport: httpTransport(allowed, { mostBytes: 1e6 }),
        limits: { ...LIMITS, heldBytes: HELD_BYTES },
      },
    },
  );
});
afterAll(async () => {
  await service.close();
  await application.close();
});
beforeEach(() => application.reset());

const tools = () => importing(application, service);

/** An application that has been imported once, with one account and one group. */
const imported = async (): Promise<Connected> => {
  const meta = { lastModified: '2026-11-20T08:00:00Z' };
  application.users.set('u1', { id: 'u1', userName: 'ann', active: true, meta });
  application.groups.set('g1', {
    id: 'g1',
    displayName: 'Staff',
    members: [{ value: 'u1' }],
    meta,
  });
  const to = await tools().connected();
  await tools().run(to);
  return to;
};

let made = 0;

/** Pages of an endpoint that never end, each with resources that nobody has seen. */
const endless =
  (endpoint: string, resource: (id: string) => object, more: () => object = () => ({})): Misdeed =>
  ({ path }, res, next) => {
    if (!path.includes(`${endpoint}?`)) return next();
    const Resources = Array.from({ length: 50 }, () => resource(`e${(made += 1)}`));
    const body = { totalResults: 1e9, Resources, ...more() };
    res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
  };

const several = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, at) => ({ value: `m${(made += 1)}-${at}` }));

const long = (): string => 'x'.repeat(4_000);

describe('an application that shows without end', () => {
  test.each<[string, Misdeed, string, string]>([
    ['accounts', endless('/Users', (id) => ({ id, userName: id })), 'TOO_LARGE', '?whole=true'],
    [
      'members of groups',
      endless('/Groups', (id) => ({ id, members: several(100) })),
      'TOO_LARGE',
      '?whole=true',
    ],
    [
      'groups of accounts',
      endless('/Users', (id) => ({ id, groups: several(100) })),
      'TOO_LARGE',
      '?whole=true',
    ],
    [
      'roles of accounts',
      endless('/Users', (id) => ({ id, roles: several(100) })),
      'TOO_LARGE',
      '?whole=true',
    ],
    ['changed accounts', endless('/Users', (id) => ({ id, title: id })), 'TOO_LARGE', ''],
    [
      'cursors',
      endless(
        '/Users',
        (id) => ({ id }),
        () => ({ nextCursor: `${made}${long()}` }),
      ),
      'TOO_LARGE',
      '?whole=true',
    ],
    [
      'one cursor',
      endless(
        '/Users',
        (id) => ({ id }),
        () => ({ nextCursor: `${long()}${long()}` }),
      ),
      'NOT_SCIM',
      '?whole=true',
    ],
  ])(
    '%s: the import ends, is reported, and changes nothing',
    async (_what, misdeed, code, query) => {
      const to = await imported();
      application.got.length = 0;
      application.misdeed = misdeed;
      const failed = await tools().run(to, query);
      expect(failed).toMatchObject({ problem: { code }, read: null });
      expect(failed).not.toHaveProperty('push');
      expect(application.got.length).toBeLessThan(1_000);
      expect(await tools().settingsOf(to)).toMatchObject({
        is_running: false,
        last: { outcome: 'failed', problem: { code } },
      });
      const events = await service.send(
        'get',
        `/api/v1/events?filter=entity_id eq "${to.provider}"`,
      );
      expect((events.body as { values: readonly Json[] }).values[0]).toMatchObject({
        event_type: 'SCIM_IMPORT_FAILED',
        severity: 'ERROR',
      });
      application.misdeed = null;
      await tools().expectMirrored(to);
    },
  );

  test('slowly: the import ends after six hours', async () => {
    const to = await imported();
    const began = now;
    const slow = endless('/Users', (id) => ({ id }));
    application.misdeed = (got, res, next) => {
      if (got.path.includes('/Users?')) now += 20 * 60_000;
      slow(got, res, next);
    };
    expect(await tools().run(to, '?whole=true')).toMatchObject({ problem: { code: 'TOO_SLOW' } });
    expect(now - began).toBeLessThan(SIX_HOURS + 3_600_000);
    application.misdeed = null;
    await tools().expectMirrored(to);
  });
});

/** Holds requests for accounts until `release` is called. Tells how many it held at once. */
const holding = () => {
  const held: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let isReleased = false;
  let most = 0;
  application.misdeed = (got, _res, next) => {
    if (isReleased || !got.path.includes('/Users?')) return next();
    held.push(next);
    most = Math.max(most, held.length);
    for (const tell of waiting.splice(0)) tell();
  };
  return {
    most: () => most,
    until: async (count: number): Promise<void> => {
      while (held.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release: () => {
      isReleased = true;
      for (const next of held.splice(0)) next();
    },
  };
};

test('a dry run ends when its client leaves', async () => {
  const to = await imported();
  const hold = holding();
  const listening = await listenLocally(service.app);
  const asked = request({
    port: listening.port,
    path: `${to.path}:import?dry_run=true&whole=true`,
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
  });
  asked.on('error', () => undefined);
  asked.end('{}');
  await hold.until(1);
  asked.destroy();
  await service.running.settled();
  const before = application.got.length;
  hold.release();
  await service.running.settled();
  expect(application.got).toHaveLength(before);
  await listening.close();
});

test('one key has two imports running, and others wait', async () => {
  const all = [await imported(), await imported(), await imported()];
  const hold = holding();
  const answers = all.map(async (to) => tools().run(to, '?dry_run=true&whole=true'));
  await hold.until(2);
  for (const to of all) await tools().settingsOf(to);
  expect(hold.most()).toBe(2);
  hold.release();
  for (const answer of answers) expect(await answer).toMatchObject({ problem: null });
});
