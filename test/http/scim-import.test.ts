import { providersOf } from '../../src/graph/records/registry';
import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { importsOf } from '../../src/scim/import/contract';
import { httpTransport } from '../../src/scim/client/requests/transport';
import { timedImports } from '../../src/scim/import/timed-imports';
import { Timetable } from '../../src/scim/timetable';
import { allowing } from '../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../scim/misbehaving-server';
import { memoryLog } from './memory-log';
import { type Connected, type Importing, importing } from './scim-importing';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

const PROVIDERS = '/api/v1/providers/custom';

let application: MisbehavingServer;
let service: ServiceUnderTest;
let now = Date.parse('2026-11-25T12:00:00Z');

/** A clock that the tests set. */
const clock = {
  now: () => now,
  sleep: (milliseconds: number) => {
    now += milliseconds;
    return Promise.resolve();
  },
  random: () => 0.5,
};

beforeAll(async () => {
  application = await misbehavingServer();
  const allowed = allowing(application.port);
  service = await serviceUnderTest(
    { jsonBytes: 8e6, bodyBytes: 8e6, guardRows: 40 },
    { provisioning: { allowed, clock, transport: httpTransport(allowed, { mostBytes: 1e6 }) } },
  );
});
afterAll(async () => {
  await service.close();
  await application.close();
});
beforeEach(() => application.reset());

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
}

const tools = () => importing(application, service);
const connected: Importing['connected'] = (...of) => tools().connected(...of);
const run: Importing['run'] = (...of) => tools().run(...of);
const settingsOf: Importing['settingsOf'] = (...of) => tools().settingsOf(...of);
const expectMirrored: Importing['expectMirrored'] = (...of) => tools().expectMirrored(...of);
const post = async (path: string, body: unknown = {}): Promise<Answer> => service.post(path, body);

const push = ({ push: pushed }: Json): Json => pushed as Json;

const eventsOf = async ({ provider }: Connected): Promise<readonly Json[]> => {
  const answer = await service.send('get', `/api/v1/events?filter=entity_id eq "${provider}"`);
  return (answer.body as { values: readonly Json[] }).values;
};

/** A change in the application, a minute after the last one. */
let changes = Date.parse('2026-11-20T08:00:00Z');
const meta = () => ({
  created: '2026-01-01T00:00:00Z',
  lastModified: new Date((changes += 60_000)).toISOString(),
});

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const user = (id: string, more: object = {}): void => {
  application.users.set(id, {
    id,
    userName: `${id}@halden.example`,
    displayName: `Ms ${id}`,
    active: true,
    meta: meta(),
    ...more,
  });
};
const group = (id: string, members: readonly string[] | null, more: object = {}): void => {
  const listed = members?.map((value) => ({ value }));
  application.groups.set(id, {
    id,
    displayName: `Group ${id}`,
    meta: meta(),
    ...more,
    ...(listed === undefined ? {} : { members: listed }),
  });
};

/** Accounts with all that is read of them, in groups in groups. */
const company = (): void => {
  user('u1', {
    externalId: 'p-1',
    title: 'Engineer',
    userType: 'Employee',
    nickName: 'x',
    emails: [
      { value: 'other@halden.example' },
      { value: 'ann@halden.example', type: 'work', primary: true },
    ],
    roles: [{ value: 'admin', display: 'Administrator' }, 'reader'],
    entitlements: [{ value: 'e1', display: 'Licence' }, { value: 'plain' }],
    [ENTERPRISE]: {
      employeeNumber: '7',
      department: 'IT',
      division: 'D',
      costCenter: 'C1',
      organization: 'Halden',
      manager: { value: 'u2' },
    },
  });
  user('u2', { active: 'False', emails: [{ value: 'bob@halden.example', type: 'work' }] });
  user('u3', { name: { givenName: 'Carl', familyName: 'Lie' }, displayName: undefined });
  user('u4', { roles: [{ value: 'admin', display: 'Administrator', primary: true }] });
  group('g1', ['u1', 'u2', 'g2'], { externalId: 'x-1' });
  group('g2', ['u3']);
  group('g3', []);
};

test('an application becomes a data source: accounts, groups in groups, roles and entitlements', async () => {
  company();
  const to = await connected();
  const first = await run(to);
  expect(first).toMatchObject({
    dry_run: false,
    reading: 'whole',
    problem: null,
    read: { accounts: 4, groups: 3, memberships: 4, left_out: 0, unknown_members: 0 },
    push: { unchanged: false },
  });
  await expectMirrored(to);
  const [ann] = await ask(
    service.graph,
    `MATCH (u:LocalUser {unique_id: 'u1', application: $name})
     RETURN u.email AS email, u.is_active AS active, u.customprop_department AS department,
       COLLECT { MATCH (u)-[:SAME_AS|KNOWN_AS|IDENTIFIED_AS*0..1]->(i:Identity) RETURN i.name } AS names,
       COLLECT { MATCH (u)-[:MEMBER_OF]->(g) RETURN g.name } AS groups`,
    { name: to.name },
  );
  expect(ann).toMatchObject({
    email: 'ann@halden.example',
    active: true,
    department: 'IT',
    groups: ['Group g1'],
  });
  const again = await run(to, '?whole=true');
  expect(push(again)).toMatchObject({ unchanged: true, put: { nodes: 0 }, removed: { nodes: 0 } });
  expect((await eventsOf(to)).map(({ event_type }) => event_type).slice(0, 3)).toEqual([
    'SCIM_IMPORTED',
    'SCIM_IMPORTED',
    'SCIM_IMPORT_SET',
  ]);
});

test('the event of an import tells what was counted, and nothing of what was read', async () => {
  company();
  const to = await connected();
  const { read } = (await run(to)) as { readonly read: Json };
  const counted = ['accounts', 'groups', 'memberships', 'left_out', 'unknown_members'];
  const told = Object.fromEntries(counted.map((name) => [name, read[name]]));
  // Before, the event held the payload too, as gzip.
  const [event] = (await eventsOf(to)) as readonly { readonly metadata: Json }[];
  expect(event?.metadata.read).toEqual(told);
});

test('an account gets what the person of an identity provider has', async () => {
  const directory = await service.register();
  const json_data = JSON.stringify({
    name: 'Directory',
    idp_type: 'test',
    domains: [{ name: 'halden.example' }],
    users: [{ name: 'zoe', identity: 'p-9', email: 'Zoe@Halden.example' }],
  });
  await service.post(directory.path, { ...directory, json_data }).expect(200);
  user('z', { userName: 'zzz', emails: [{ value: 'zoe@halden.example' }] });
  const to = await connected();
  await run(to);
  const rows = await ask(
    service.graph,
    `MATCH (u:LocalUser {unique_id: 'z', application: $name}), (p:IdpUser {name: 'zoe'})
     MATCH path = shortestPath((u)-[*1..3]-(p)) RETURN length(path) AS steps`,
    { name: to.name },
  );
  expect(rows.length).toBeGreaterThan(0);
});

test('a dry run tells what would be, and leaves everything as it is', async () => {
  company();
  const to = await connected();
  const dry = await run(to, '?dry_run=true');
  expect(dry).toMatchObject({ dry_run: true, reading: 'whole', plan: { unchanged: false } });
  expect((dry.plan as { nodes: { created: number } }).nodes.created).toBeGreaterThan(8);
  expect(await settingsOf(to)).toMatchObject({ last: null, whole_at: null });
  expect((await run(to)).reading).toBe('whole');
});

describe('changes alone', () => {
  /** An import of which all that changed is known. */
  const settled = async (settings: object = {}, profile: object = {}): Promise<Connected> => {
    company();
    const to = await connected(settings, profile);
    await run(to);
    now += 60_000;
    expect(await settingsOf(to)).toMatchObject({ finds_changes: true });
    // Nothing newer comes, so all up to the newest is known.
    await run(to);
    now += 60_000;
    application.got.length = 0;
    return to;
  };
  const reads = (): readonly string[] =>
    application.got
      .filter(({ path }) => !path.endsWith('/ServiceProviderConfig'))
      .map(({ path }) => path.replace('/scim/v2', ''));

  test('nothing changed: two requests, and no push', async () => {
    const to = await settled();
    const answer = await run(to);
    expect(answer).toMatchObject({ reading: 'changes', requests: 3, read: { accounts: 0 } });
    expect(answer).not.toHaveProperty('push');
    expect(reads()).toHaveLength(2);
    expect(reads()[0]).toMatch(/^\/Groups\?filter=meta.lastModified gt "2026-/);
    await expectMirrored(to);
  });

  test('one account, one group: requests for these, whatever else there is', async () => {
    for (let each = 0; each < 250; each += 1) user(`many${each}`);
    const to = await settled();
    user('u3', { displayName: 'Carla Lie', active: false });
    user('new', { roles: [{ value: 'fresh' }], emails: [{ value: 'new@halden.example' }] });
    group('g2', ['new', 'u4', 'g3']);
    const answer = await run(to);
    expect(answer).toMatchObject({
      reading: 'changes',
      requests: 5,
      push: { unchanged: false },
      read: { accounts: 2, groups: 1, unknown_members: 0 },
    });
    expect(push(answer).removed).toMatchObject({ nodes: 0 });
    await expectMirrored(to);
  });

  test('a value that goes, a group that becomes another, members that leave it', async () => {
    const to = await settled();
    user('u1', { emails: [{ value: 'ann2@halden.example' }], active: undefined });
    group('g1', ['u2'], { displayName: 'Writers' });
    group('g4', ['g1', 'u4']);
    await run(to);
    // Roles that nobody has any more go with the next whole reading.
    const whole = await run(to, '?whole=true');
    expect(push(whole).put).toEqual({ nodes: 0, relationships: 0 });
    await expectMirrored(to);
    expect(await settingsOf(to)).toMatchObject({ finds_changes: true, misses_changes: false });
  });

  test('an account that is gone goes with the next whole reading', async () => {
    const to = await settled({ whole_every: 'PT1H' });
    application.users.delete('u2');
    group('g1', ['u1', 'g2']);
    expect((await run(to)).reading).toBe('changes');
    expect(await ask(service.graph, LABELS, { name: to.name, id: 'u2' })).toHaveLength(1);
    now += 3600_000;
    expect((await run(to)).reading).toBe('whole');
    expect(await ask(service.graph, LABELS, { name: to.name, id: 'u2' })).toHaveLength(0);
    await expectMirrored(to);
  });

  test('what a list leaves out is looked for by its id, and stays if it is there', async () => {
    const to = await settled();
    application.misdeed = ({ path }, _res, next) => {
      const isList = path.startsWith('/scim/v2/Users?startIndex');
      const { users } = application;
      const all = [...users];
      if (isList) users.delete('u2');
      next();
      users.clear();
      for (const [id, each] of all) users.set(id, each);
    };
    const whole = push(await run(to, '?whole=true'));
    application.misdeed = null;
    expect(whole).toMatchObject({ removed: { nodes: 0, relationships: 0 } });
    expect(reads()).toContain('/Users/u2');
    await expectMirrored(to);
  });

  // Found by random changes: the rows of its members change with it, and that told nothing of times.
  test('a group that is gone goes with the next whole reading, and changes are read as before', async () => {
    const to = await settled();
    group('g2', ['u4']);
    await run(to);
    application.groups.delete('g2');
    group('g1', ['u1']);
    await run(to);
    const whole = push(await run(to, '?whole=true'));
    expect(whole).toMatchObject({ put: { nodes: 1, relationships: 0 }, removed: { nodes: 1 } });
    await expectMirrored(to);
    expect(await settingsOf(to)).toMatchObject({ finds_changes: true, misses_changes: false });
  });

  test('an account that the settings leave out goes, and comes again', async () => {
    const isService = ({ userType }: Json): boolean => userType === 'SERVICE';
    const to = await settled({ leave_out: 'userType eq "service" or title sw "Robo"' });
    user('u3', { userType: 'SERVICE' });
    group('g2', ['u3', 'u4']);
    expect(await run(to)).toMatchObject({ reading: 'changes', read: { left_out: 1 } });
    await expectMirrored(to, isService);
    user('u3', { userType: 'Human' });
    group('g2', ['u3', 'u4']);
    await run(to);
    await expectMirrored(to, isService);
  });

  // Found by random changes: the group of who was left out does not change when they come back.
  test('an account that is left out no more comes with its groups', async () => {
    const to = await settled({ leave_out: 'userType eq "service"' });
    user('robot', { userType: 'Service' });
    group('g3', ['robot']);
    await run(to);
    now += 60_000;
    user('robot', { userType: 'Human' });
    expect(await run(to)).toMatchObject({ reading: 'changes' });
    await expectMirrored(to);
  });

  test.each<[string, (path: string) => boolean]>([
    ['ignores the filter', () => true],
    ['finds nothing', () => false],
  ])('an application that %s is read whole each time', async (_what, finds) => {
    application.misdeed = (got, res, next) => {
      if (!got.path.includes('lastModified')) return next();
      const all = got.path.includes('/Users') ? application.users : application.groups;
      const Resources = finds(got.path) ? [...all.values()] : [];
      const body = { totalResults: Resources.length, Resources };
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
    };
    company();
    const to = await connected();
    await run(to);
    expect(await settingsOf(to)).toMatchObject({ finds_changes: false });
    user('u9');
    expect(await run(to)).toMatchObject({ reading: 'whole', read: { accounts: 5 } });
    await expectMirrored(to);
  });

  test('a change that does not touch the time is found by the next whole reading, and told', async () => {
    const to = await settled();
    const { u1 } = Object.fromEntries(application.users) as Record<string, { id: string }>;
    application.users.set('u1', { ...(u1 as { id: string }), title: 'Director' });
    expect((await run(to)).read).toMatchObject({ accounts: 0 });
    await run(to, '?whole=true');
    await expectMirrored(to);
    expect(await settingsOf(to)).toMatchObject({ finds_changes: false, misses_changes: true });
    expect((await run(to)).reading).toBe('whole');
  });
});

const LABELS = `MATCH (u:LocalUser {unique_id: $id, application: $name}) RETURN u.key AS key`;

describe('what applications show of members', () => {
  test('lists without members: each group is read', async () => {
    company();
    application.misdeed = (got, res, next) => {
      if (!/\/Groups\?/.test(got.path)) return next();
      const Resources = [...application.groups.values()].map((one) => ({
        ...one,
        members: undefined,
      }));
      const body = { totalResults: Resources.length, Resources };
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
    };
    const to = await connected();
    expect(await run(to)).toMatchObject({ read: { memberships: 4 } });
    expect(application.got.filter(({ path }) => /\/Groups\/g/.test(path))).toHaveLength(3);
    await expectMirrored(to);
  });

  test('a page of groups that is too large: each group is read', async () => {
    company();
    group('big', ['u1'], { displayName: 'Big', padding: 'x'.repeat(600_000) });
    group('big2', ['u1'], { displayName: 'Big 2', padding: 'x'.repeat(600_000) });
    const to = await connected();
    application.misdeed = (got, res, next) => {
      if (!got.path.includes('excludedAttributes=members')) return next();
      const Resources = [...application.groups.values()].map(({ id, displayName }) => ({
        id,
        displayName,
      }));
      const body = { totalResults: Resources.length, Resources };
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
    };
    expect(await run(to)).toMatchObject({ problem: null, read: { groups: 5, memberships: 6 } });
    await expectMirrored(to);
  });

  test('accounts that name their groups, in an application that lists no members', async () => {
    user('a', { groups: [{ value: 'g', display: 'Readers' }] });
    user('b', {
      groups: [
        { value: 'g', display: 'Readers' },
        { value: 'far', type: 'indirect' },
      ],
    });
    application.misdeed = (got, res, next) =>
      got.path.includes('/Groups') ? res.writeHead(404).end('{}') : next();
    const to = await connected();
    expect(await run(to)).toMatchObject({ read: { accounts: 2, groups: 1, memberships: 2 } });
    const rows = await ask(
      service.graph,
      `MATCH (u:LocalUser {application: $name})-[:MEMBER_OF]->(g) RETURN g.name AS name`,
      { name: to.name },
    );
    expect(rows).toEqual([{ name: 'Readers' }, { name: 'Readers' }]);
  });

  test('members that nobody knows, groups that name themselves, texts that do not fit', async () => {
    user('a', { title: 'x'.repeat(300), displayName: '\ud800', roles: [{ value: '' }, 7, null] });
    user('i'.repeat(300));
    group('g', ['a', 'gone', 'g', 'h']);
    group('h', ['g']);
    const to = await connected();
    const { read } = await run(to);
    expect(read).toMatchObject({ accounts: 1, groups: 2, unknown_members: 1, remark_count: 5 });
    expect((read as { remarks: string[] }).remarks).toContain(
      'Group g names itself as its member.',
    );
    expect((await settingsOf(to)).last).toMatchObject({ outcome: 'accepted', problem: null });
  });
});

describe('failure changes nothing', () => {
  const answering = (status: number, type: string, body: string) => ({ status, type, body });

  test.each([
    ['HTML', answering(200, 'text/html', '<p>Sign in'), 'NOT_SCIM'],
    ['other JSON', answering(200, 'application/json', '{"a":1}'), 'NOT_SCIM'],
    ['a redirect', answering(302, 'text/plain', ''), 'REDIRECTED'],
    ['too much', answering(200, 'application/json', `{"a":"${'x'.repeat(2e6)}"}`), 'TOO_LARGE'],
    ['500 each time', answering(500, 'application/json', '{}'), 'BUSY'],
    ['401', answering(401, 'application/json', '{"detail":"hush-hush"}'), 'SIGN_IN_REFUSED'],
    ['no account', answering(200, 'application/json', '{"totalResults":0}'), 'EMPTY'],
    [
      'the same page for ever',
      answering(200, 'application/json', '{"totalResults":99,"Resources":[{"id":"u1"}]}'),
      'ENDLESS_PAGES',
    ],
  ])('half-way through: %s', async (_what, { status, type, body }, code) => {
    company();
    const to = await connected();
    await run(to);
    user('u9');
    application.misdeed = (got, res, next) =>
      got.path.includes('/Users')
        ? res.writeHead(status, { 'content-type': type }).end(body)
        : next();
    const failed = await run(to, '?whole=true');
    expect(failed).toMatchObject({ problem: { code }, read: null });
    expect(failed).not.toHaveProperty('push');
    expect(await settingsOf(to)).toMatchObject({
      failures: 1,
      is_running: false,
      last: { outcome: 'failed', problem: { code } },
    });
    const [event] = await eventsOf(to);
    expect(event).toMatchObject({ event_type: 'SCIM_IMPORT_FAILED', severity: 'ERROR' });
    expect(JSON.stringify(event)).not.toContain('hush');
    application.misdeed = null;
    application.users.delete('u9');
    await expectMirrored(to);
    user('u9');
    expect(await run(to)).toMatchObject({ problem: null });
    expect(await settingsOf(to)).toMatchObject({ failures: 0 });
  });

  test('the removal guard stops what would remove most, until it is confirmed', async () => {
    for (let each = 0; each < 60; each += 1) user(`m${each}`);
    const to = await connected();
    await run(to);
    for (const id of [...application.users.keys()].slice(5)) application.users.delete(id);
    const stopped = await post(`${to.path}:import?whole=true`);
    expect(stopped.status).toBe(409);
    const [, digest = ''] = /Confirm-Removal: (\w+)/.exec(stopped.text) ?? [];
    expect(digest).not.toBe('');
    expect(await settingsOf(to)).toMatchObject({
      failures: 1,
      last: { outcome: 'failed', problem: { code: 'FailedPrecondition' } },
    });
    const confirmed = await service
      .post(`${to.path}:import?whole=true`, {})
      .set('Grantgraph-Confirm-Removal', digest);
    expect(confirmed.status).toBe(200);
    await expectMirrored(to);
  });

  test('one import of a provider at a time', async () => {
    company();
    const to = await connected();
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      application.misdeed = (got, _res, next) => {
        if (!got.path.includes('/Users')) return next();
        done();
        release = next;
      };
    });
    const first = run(to);
    await held;
    expect((await post(`${to.path}:import`)).status).toBe(409);
    expect(await settingsOf(to)).toMatchObject({ is_running: true });
    application.misdeed = null;
    release();
    expect(await first).toMatchObject({ problem: null });
  });
});

describe('the timetable', () => {
  const write = (statement: string, parameters: Json) =>
    runTransaction(service.graph, { mode: 'write' }, (tx) => tx.run(statement, parameters));
  const timetableOf = (of: ServiceUnderTest): Timetable<string> => {
    const findProvider = (id: string) => providersOf(of.context).findProvider(id);
    return new Timetable(
      timedImports({ imports: importsOf(of.context), findProvider, log: memoryLog([]) }),
    );
  };
  const goOn = (): boolean => false;
  /** The other imports of this suite are by call only, so these alone are due. */
  const due = async (to: Connected): Promise<void> => {
    await write(DUE, { key: to.provider });
  };
  const DUE = `MATCH (i:ScimImport {key: $key}) SET i.next_at = datetime() - duration('PT1S')`;
  const pauseOf = async (to: Connected): Promise<number> => {
    const { next_at, last } = await settingsOf(to);
    const { at } = last as { at: string };
    return Math.round((Date.parse(String(next_at)) - Date.parse(at)) / 1000);
  };
  const round = async (of: ServiceUnderTest): Promise<void> => {
    const timetable = timetableOf(of);
    await timetable.round(goOn);
    await timetable.settled();
  };

  test('runs what is due, once in all processes, and backs off after failures', async () => {
    company();
    const to = await connected({ every: 7200 });
    const allowed = allowing(application.port);
    const other = await serviceUnderTest(
      {},
      {
        keep: true,
        provisioning: { allowed, clock, transport: httpTransport(allowed, { mostBytes: 1e6 }) },
      },
    );
    try {
      await Promise.all([round(service), round(other), round(service)]);
      const wholes = application.got.filter(({ path }) => /Users\?startIndex=1&/.test(path));
      expect(wholes).toHaveLength(1);
      expect(await settingsOf(to)).toMatchObject({ failures: 0, last: { outcome: 'accepted' } });
      expect(Math.abs((await pauseOf(to)) - 7200)).toBeLessThan(60);
      // Not due any more.
      application.got.length = 0;
      await round(other);
      expect(application.got).toEqual([]);
      expect((await eventsOf(to))[0]).toMatchObject({ event_type: 'SCIM_IMPORTED' });
      // Nothing new: no event.
      await due(to);
      await round(other);
      await due(to);
      await round(other);
      const told = (await eventsOf(to)).length;
      await due(to);
      now += 60_000;
      await round(other);
      expect((await settingsOf(to)).last).toMatchObject({ outcome: 'unchanged' });
      expect((await eventsOf(to)).length - told).toBeLessThanOrEqual(1);

      application.misdeed = (_got, res) => res.writeHead(503).end('{}');
      const pauses: number[] = [];
      for (let failures = 1; failures <= 8; failures += 1) {
        await due(to);
        await round(other);
        pauses.push(await pauseOf(to));
        expect(await settingsOf(to)).toMatchObject({ failures });
      }
      const shares = pauses.map((pause, failures) => pause / Math.min(7200, 60 * 2 ** failures));
      expect(shares.filter((share) => share < 0.85 || share > 1.3)).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('an import whose process died is taken over, and one that lost its place pushes nothing', async () => {
    company();
    const to = await connected({ every: 60 });
    const runner = (seconds: number) =>
      write(
        `MATCH (i:ScimImport {key: $key})
         SET i.holder = 'dead', i.held_until = datetime() + duration({seconds: toInteger($seconds)})`,
        { key: to.provider, seconds },
      );
    await runner(50);
    await due(to);
    await round(service);
    expect(await settingsOf(to)).toMatchObject({ is_running: true, last: null });
    await runner(-1);
    expect(await settingsOf(to)).toMatchObject({ is_running: false });
    await round(service);
    expect((await settingsOf(to)).last).toMatchObject({ outcome: 'accepted' });

    user('u9');
    application.misdeed = (got, _res, next) => {
      if (!got.path.includes('/Users')) return next();
      application.misdeed = null;
      void runner(50).then(next);
    };
    expect((await post(`${to.path}:import?whole=true`)).status).toBe(409);
    expect(await ask(service.graph, LABELS, { name: to.name, id: 'u9' })).toEqual([]);
    await runner(-1);
    await run(to);
    await expectMirrored(to);
  });

  test('stops at once, without a failure, and is due again', async () => {
    company();
    const to = await connected({ every: 7200 });
    const timetable = timetableOf(service);
    const held = new Promise<void>((done) => {
      application.misdeed = (got, _res, next) => (got.path.includes('/Users') ? done() : next());
    });
    await timetable.round(goOn);
    await held;
    await timetable.stop();
    const { failures, last, is_running, next_at } = await settingsOf(to);
    expect({ failures, last, is_running }).toEqual({ failures: 0, last: null, is_running: false });
    expect(Date.parse(String(next_at))).toBeLessThanOrEqual(Date.now() + 5_000);
    application.misdeed = null;
    await round(service);
    await expectMirrored(to);
  });
});

describe('the settings', () => {
  test('are set, read and removed', async () => {
    company();
    const to = await connected({ every: 'PT1H30M', whole_every: 7200, data_source: 'Accounts' });
    const settings = await settingsOf(to);
    expect(settings).toMatchObject({ every: 5400, whole_every: 7200, leave_out: null, last: null });
    const again = await service.send('put', `${to.path}/import`, { data_source: 'accounts' });
    expect((again.body as { value: Json }).value).toMatchObject({
      data_source_id: settings.data_source_id,
      every: null,
      whole_every: 86400,
      next_at: null,
    });
    await run(to);
    await service.send('delete', `${to.path}/import`).expect(200);
    await service.send('get', `${to.path}/import`).expect(404);
    expect((await post(`${to.path}:import`)).status).toBe(404);
    expect((await post(`${to.path}:import?dry_run=true`)).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ['a bad duration', { every: '1h' }, '/every UNKNOWN_VALUE'],
    ['an empty duration', { every: 'PT' }, '/every UNKNOWN_VALUE'],
    ['every second', { every: 1 }, '/every OUT_OF_RANGE'],
    ['half a second', { whole_every: 60.5 }, '/whole_every OUT_OF_RANGE'],
    ['a year', { whole_every: 'P365D' }, '/whole_every OUT_OF_RANGE'],
    ['no filter', { leave_out: 'a b' }, '/leave_out BAD_FILTER'],
    ['an unknown field', { often: 7 }, '/often UNKNOWN_FIELD'],
    ['a bad name', { data_source: 'a\nb' }, '/data_source CONTROL_CHARACTER'],
  ])('are refused with %s', async (_what, settings, problem) => {
    const to = await connected();
    const { status, body } = (await service.send('put', `${to.path}/import`, settings)) as Answer;
    expect(status).toBe(400);
    const details = body.details as readonly { readonly field_violations: readonly Json[] }[];
    const problems = details.flatMap(({ field_violations }) => field_violations);
    expect(problems.map(({ pointer, code }) => `${String(pointer)} ${String(code)}`)).toEqual([
      problem,
    ]);
  });

  test('need a provider of the template application, and go with it', async () => {
    const made = await service.post(PROVIDERS, {
      name: 'Directory for SCIM',
      custom_template: 'identity_provider',
      external_lifecycle_management_type: 'SCIM',
    });
    const { id } = (made.body as { value: { id: string } }).value;
    await service.send('put', `${PROVIDERS}/${id}/scim/import`, {}).expect(409);
    const to = await connected();
    await service.send('delete', to.path.replace('/scim', '')).expect(200);
    const rows = await ask(service.graph, 'MATCH (i:ScimImport) RETURN i.key AS key');
    expect(rows.map(({ key }) => key)).not.toContain(to.provider);
  });
});
