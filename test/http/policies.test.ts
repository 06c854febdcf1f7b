/** @more scim */

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { type Lease, LeaseLost } from '../../src/scim/policies/graph/lease';
import { graphLifecycleRecords } from '../../src/scim/policies/graph/lifecycle-records';
import { isWrite, type MisbehavingServer } from '../scim/misbehaving-server';
import { type PolicyStage, type PolicyWorld, policyWorld, user } from './policy-stage';
import type { ServiceUnderTest } from './service-under-test';

let world: PolicyWorld;
let application: MisbehavingServer;
let service: ServiceUnderTest;
let EVERYBODY: PolicyStage['everybody'];
let IN: { readonly in: readonly string[] };
let stage: PolicyStage;

const ANN = user('ann');
const BOB = user('bob');
const CARL = user('carl');

beforeAll(async () => {
  world = await policyWorld();
  ({ application, service } = world);
});
afterAll(() => world.close());
beforeEach(async () => {
  stage = await world.stage();
  EVERYBODY = stage.everybody;
  IN = { in: EVERYBODY.in };
});
afterEach(async () => {
  await service.send('delete', stage.path.replace('/policies', ''));
});

const accountNamed = (name: string) =>
  [...application.users.values()].find(({ externalId }) => externalId === `p-${name}`);
const membersOf = (group: string): readonly string[] =>
  ((application.groups.get(group)?.members ?? []) as { value: string }[])
    .map(({ value }) => String(application.users.get(value)?.externalId))
    .sort();
const actions = async (query = '') => {
  const { body } = await stage.send('get', `${stage.path}:actions${query}`);
  return body.values as readonly {
    readonly id: string;
    readonly kind: string;
    readonly status: string;
    readonly attempts: number;
    readonly problem: { readonly code: string } | null;
  }[];
};

test('joiners, movers and leavers end in the right accounts and groups; nothing is done twice', async () => {
  await stage.push({
    users: [ANN, BOB, CARL],
  });
  expect((await stage.policy({ who: [EVERYBODY], groups: ['Writers'] })).status).toBe(200);
  expect(await stage.run()).toMatchObject({ outcome: 'DONE', accounts: { ACTIVE: 3 } });
  expect(accountNamed('ann')).toMatchObject({ userName: 'ann@halden.example', active: true });
  expect(membersOf('w')).toEqual(['p-ann', 'p-bob', 'p-carl']);
  const written = application.writes().length;
  expect(await stage.run()).toMatchObject({ outcome: 'DONE' });
  expect(application.writes()).toHaveLength(written);

  await stage.push({
    users: [{ ...ANN, full_name: 'Ann Holm' }, { ...BOB, is_active: false }, user('dora')],
  });
  await stage.round();
  expect(accountNamed('ann')).toMatchObject({ displayName: 'Ann Holm' });
  expect(accountNamed('bob')).toMatchObject({ active: false });
  expect(accountNamed('carl')).toMatchObject({ active: false });
  expect(accountNamed('dora')).toMatchObject({ active: true });
  expect(membersOf('w')).toEqual(['p-ann', 'p-dora']);

  await stage.push({ users: [ANN, BOB, user('dora')] });
  await stage.round();
  expect(accountNamed('bob')).toMatchObject({ active: true });
  expect(membersOf('w')).toEqual(['p-ann', 'p-bob', 'p-dora']);
  expect(application.users.size).toBe(4);
  const [linked] = await ask(
    stage.service.graph,
    `MATCH (a:ManagedAccount)-[:ACCOUNT_OF]->(u:IdpUser {name: 'ann'}) RETURN a.account AS account`,
  );
  expect(linked?.account).toBe(accountNamed('ann')?.id);
});

test('the page of a person tells which policy keeps their accounts, now and at an instant', async () => {
  await stage.push({ users: [ANN] });
  const before = new Date().toISOString();
  await stage.policy({ name: 'Everybody', who: [EVERYBODY], groups: ['Writers'] });
  await stage.run();
  const page = async (query = '') => {
    const id = encodeURIComponent(await stage.keyOf('ann'));
    const { body } = await stage.send('get', `/api/v1/entities/${id}${query}`);
    return (body.value as { readonly policy_accounts: readonly object[] }).policy_accounts;
  };
  expect(await page()).toEqual([
    expect.objectContaining({
      policy_name: 'Everybody',
      provider: stage.provider,
      state: 'ACTIVE',
      user_name: ANN.email,
      groups: ['Writers'],
      left_at: null,
    }),
  ]);
  const at = (time: string) => page(`?at=${time}`);
  const since = (await page())[0] as { readonly since: string };
  expect(Date.parse(since.since)).not.toBeNaN();
  expect(await at(before)).toEqual(Date.parse(since.since) > Date.parse(before) ? [] : [since]);
});

test('a change of some people costs requests for these alone', async () => {
  const users = Array.from({ length: 40 }, (_, index) => user(`u${index}`));
  await stage.push({ users });
  await stage.policy({ who: [EVERYBODY], groups: ['Writers'] });
  await stage.run();
  application.got.length = 0;
  await stage.push({ users: users.map((one, at) => (at < 2 ? { ...one, full_name: 'N' } : one)) });
  await stage.round();
  expect(application.writes()).toHaveLength(2);
  expect(application.got.length).toBeLessThan(12);
  application.got.length = 0;
  await stage.round();
  expect(application.got).toEqual([]);
});

test('people are found by filter, group and department; groups of people give groups', async () => {
  await stage.push({
    users: [
      user('ann', { department: ['IT'] }),
      user('bob', { groups: [{ identity: 'g-2' }] }),
      user('carl'),
    ],
    groups: [
      { name: 'staff', identity: 'g-1' },
      { name: 'within', identity: 'g-2', groups: [{ identity: 'g-1' }] },
    ],
  });
  const answer = await stage.policy({
    who: [
      { department: 'it', ...IN },
      { group: 'Staff', ...IN },
    ],
    groups: ['Writers', { name: 'Admins', who: { filter: 'name eq "bob"', ...IN } }],
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  await stage.run();
  expect(membersOf('w')).toEqual(['p-ann', 'p-bob']);
  expect(membersOf('a')).toEqual(['p-bob']);
  expect(accountNamed('carl')).toBeUndefined();
});

test('a policy in report-only, and a plan, change nothing and tell what would be', async () => {
  await stage.push({ users: [ANN, BOB] });
  await stage.policy({ who: [EVERYBODY], groups: ['Writers'], state: 'report_only' });
  expect(await stage.plan()).toMatchObject({ counts: { ensure: 2, add_members: 2 }, drift: null });
  await stage.round();
  expect(application.writes()).toEqual([]);
  expect(await stage.events()).toContain('POLICY_REPORT');
});

test('the guard stops a mass removal until somebody confirms it', async () => {
  const users = Array.from({ length: 10 }, (_, index) => user(`u${index}`));
  await stage.push({ users });
  await stage.policy({ who: [EVERYBODY], groups: ['Writers'], guard: { share: 0.3 } });
  await stage.run();
  await stage.push({ users: users.slice(0, 5) });
  await stage.round();
  const waiting = (await stage.send('get', `${stage.path}:status`)).body.value as {
    readonly outcome: string;
    readonly confirmation: { readonly token: string; readonly people: number };
  };
  expect(waiting).toMatchObject({ outcome: 'AWAITING_CONFIRMATION', confirmation: { people: 5 } });
  expect(membersOf('w')).toHaveLength(10);
  expect(await stage.events()).toContain('PLAN_AWAITS_CONFIRMATION');
  const confirm = (token: string) => stage.send('post', `${stage.path}:confirm`, { token });
  expect((await confirm('another')).status).toBe(409);
  const { token } = waiting.confirmation;
  expect((await confirm(token)).body.value).toMatchObject({
    outcome: 'DONE',
    confirmation: null,
    accounts: { ACTIVE: 5, DISABLED: 5 },
  });
  expect(membersOf('w')).toHaveLength(5);
  expect((await confirm(token)).status).toBe(409);
});

test('leavers are deleted after their days', async () => {
  await stage.push({ users: [ANN, BOB] });
  await stage.policy({ who: [EVERYBODY], leavers: { action: 'delete', after_days: 7 } });
  await stage.run();
  await stage.push({ users: [ANN] });
  await stage.round();
  expect(accountNamed('bob')).toMatchObject({ active: false });
  await stage.later(6 * 24 * 3600);
  await stage.round();
  expect(accountNamed('bob')).toBeDefined();
  await stage.later(2 * 24 * 3600);
  await stage.round();
  expect(accountNamed('bob')).toBeUndefined();
  expect(accountNamed('ann')).toBeDefined();
});

test('leavers are reported alone where the policy says so', async () => {
  await stage.push({ users: [ANN, BOB] });
  await stage.policy({ who: [EVERYBODY], leavers: { action: 'report' } });
  await stage.run();
  await stage.push({ users: [ANN] });
  await stage.round();
  expect(accountNamed('bob')).toMatchObject({ active: true });
  const status = (await stage.send('get', `${stage.path}:status`)).body.value;
  expect(status).toMatchObject({ accounts: { ACTIVE: 1, LEAVING: 1 } });
});

test.each(['correct', 'report'])('changes by hand are told; drift %s', async (drift) => {
  await stage.push({ users: [ANN, BOB, CARL] });
  await stage.policy({ who: [EVERYBODY], groups: ['Writers'], drift });
  await stage.run(true);
  Object.assign(accountNamed('ann') as object, { displayName: 'Somebody' });
  application.users.delete(String(accountNamed('bob')?.id));
  application.groups.set('w', { id: 'w', displayName: 'Writers', members: [] });
  const { drift: told } = (await stage.plan(true)) as {
    drift: readonly { readonly what: string }[];
  };
  expect(told.map(({ what }) => what).sort()).toEqual([
    'account_gone',
    'attributes',
    'member_missing',
    'member_missing',
  ]);
  const before = application.writes().length;
  expect(await stage.run(true)).toMatchObject({ outcome: 'DONE', drift: 4 });
  expect(await stage.events()).toContain('APPLICATION_DRIFTED');
  if (drift === 'report') {
    expect(application.writes()).toHaveLength(before);
    return;
  }
  expect(accountNamed('ann')).toMatchObject({ displayName: 'ann Berg' });
  expect(membersOf('w')).toEqual(['p-ann', 'p-bob', 'p-carl']);
  expect(await stage.run(true)).toMatchObject({ drift: 0 });
});

test('an account that stands already is touched only by a policy that adopts', async () => {
  application.users.set('old', { id: 'old', userName: 'ann@halden.example', active: true });
  await stage.push({ users: [ANN] });
  const { body } = await stage.policy({ who: [EVERYBODY], groups: ['Writers'] });
  await stage.run();
  expect(application.writes()).toEqual([]);
  const dead = await actions('?status=DEAD');
  expect(dead.map(({ kind, problem }) => [kind, problem?.code])).toEqual([['ensure', 'TAKEN']]);
  const { id, found, since, changed, ...policy } = body.value as Record<string, unknown>;
  expect([found, since, changed]).toEqual([1, expect.any(String), expect.any(String)]);
  await stage.send('put', `${stage.path}/${String(id)}`, {
    ...policy,
    groups: ['Writers'],
    adopt: true,
  });
  expect((await stage.send('post', `${stage.path}:retry`, {})).body).toEqual({ retried: 1 });
  await stage.round();
  expect(application.users.get('old')).toMatchObject({ externalId: 'p-ann' });
  expect(membersOf('w')).toEqual(['p-ann']);
});

test('a failed action is tried again later, and given up at last', async () => {
  await stage.push({ users: [ANN] });
  await stage.policy({ who: [EVERYBODY] });
  application.misdeed = (got, res, next) =>
    isWrite(got) ? res.writeHead(400).end('{"detail":"too short"}') : next();
  await stage.run();
  expect(await actions()).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
  await stage.round();
  expect(await actions()).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
  for (let tried = 2; tried <= 8; tried += 1) {
    await stage.later(1200);
    await stage.round();
  }
  expect(await actions()).toMatchObject([
    { status: 'DEAD', attempts: 8, problem: { code: 'REFUSED' } },
  ]);
  expect(await stage.events()).toContain('POLICY_ACTION_DEAD');
  application.misdeed = null;
  await stage.later(1200);
  await stage.round();
  expect(accountNamed('ann')).toBeUndefined();
  await stage.send('post', `${stage.path}:retry`, {});
  await stage.round();
  expect(accountNamed('ann')).toBeDefined();
});

test('an application that is down costs no tries, and is asked again later', async () => {
  await stage.push({ users: [ANN] });
  await stage.policy({ who: [EVERYBODY] });
  application.misdeed = (_got, res) => res.writeHead(401).end('{}');
  expect(await stage.run()).toMatchObject({
    outcome: 'FAILED',
    problem: expect.any(String) as string,
  });
  expect(await actions()).toMatchObject([{ status: 'PLANNED', attempts: 0 }]);
  application.misdeed = null;
  await stage.later(120);
  await stage.round();
  expect(accountNamed('ann')).toBeDefined();
});

test('somebody without the name that an account needs is told', async () => {
  await stage.push({ users: [ANN] });
  await stage.policy({ who: [EVERYBODY], attributes: { userName: 'customprop_login' } });
  await stage.run();
  expect(await actions()).toMatchObject([{ status: 'DEAD', problem: { code: 'INCOMPLETE' } }]);
});

test.each<[string, object, string]>([
  ['nobody', { who: [] }, '/who MISSING_FIELD'],
  ['an empty selector', { who: [{ in: 'OWN' }] }, '/who/0/filter MISSING_FIELD'],
  [
    'an empty list of directories',
    { who: [{ filter: 'name pr', in: [] }] },
    '/who/0/in OUT_OF_RANGE',
  ],
  [
    'an unknown directory',
    { who: [{ filter: 'name pr', in: ['gone'] }] },
    '/who/0/in/0 UNKNOWN_REFERENCE',
  ],
  [
    'two selectors in one',
    { who: [{ filter: 'name pr', group: 'x', in: 'OWN' }] },
    '/who/0/group UNKNOWN_FIELD',
  ],
  [
    'a filter that is none',
    { who: [{ filter: 'name is ann', in: 'OWN' }] },
    '/who/0/filter BAD_FILTER',
  ],
  [
    'an unknown property',
    { who: [{ filter: 'shoe eq 4', in: 'OWN' }] },
    '/who/0/filter BAD_FILTER',
  ],
  [
    'an unknown group of people',
    { who: [{ group: 'gone', in: 'OWN' }] },
    '/who/0/group UNKNOWN_REFERENCE',
  ],
  ['an unknown group', { groups: ['Writers', 'Gone'] }, '/groups/1 UNKNOWN_REFERENCE'],
  [
    'an unknown group of people for a group',
    { groups: [{ name: 'Writers', who: { group: 'gone', in: 'OWN' } }] },
    '/groups/0/who/group UNKNOWN_REFERENCE',
  ],
  ['no attribute', { attributes: { 'a b': 'name' } }, '/attributes/a b UNKNOWN_VALUE'],
  ['no property', { attributes: { title: 'shoe' } }, '/attributes/title UNKNOWN_VALUE'],
  [
    'days without deletion',
    { leavers: { action: 'disable', after_days: 3 } },
    '/leavers/after_days UNKNOWN_FIELD',
  ],
  ['a share above 1', { guard: { share: 2 } }, '/guard/share OUT_OF_RANGE'],
  ['a field more', { colour: 'red' }, '/colour UNKNOWN_FIELD'],
])('a policy with %s is refused at its place', async (_what, more, problem) => {
  const own = JSON.stringify({ who: [EVERYBODY], ...more }).replaceAll(
    '"OWN"',
    JSON.stringify(IN.in),
  );
  const answer = await stage.policy(JSON.parse(own) as Readonly<Record<string, unknown>>);
  expect(answer.status).toBe(400);
  const { details } = answer.body as {
    readonly details: readonly {
      readonly field_violations: readonly { readonly pointer: string; readonly code: string }[];
    }[];
  };
  expect(details.flatMap((each) => each.field_violations)).toEqual([
    expect.objectContaining({
      pointer: problem.split(' ').slice(0, -1).join(' '),
      code: problem.split(' ').at(-1),
    }),
  ]);
  expect((await stage.send('get', stage.path)).body.values).toEqual([]);
});

test('two policies that disagree are refused when the second is set; departments of nobody warn', async () => {
  const first = await stage.policy({
    name: 'First',
    who: [{ department: 'None', ...IN }],
    attributes: { title: 'name' },
  });
  expect(first.body.warnings).toEqual([expect.stringContaining('Nobody is in the department')]);
  const second = (more: object) => stage.policy({ name: 'Second', who: [EVERYBODY], ...more });
  const refused = await second({ attributes: { Title: 'email' } });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('First')]);
  expect(refused.text).toContain('/attributes/Title');
  const leavers = await second({ leavers: { action: 'delete' } });
  expect([leavers.status, leavers.text]).toEqual([
    400,
    expect.stringContaining('POLICIES_DISAGREE'),
  ]);
  expect((await stage.policy({ name: 'FIRST', who: [EVERYBODY] })).text).toContain('NAME_TAKEN');
  expect((await second({ attributes: { title: 'name' } })).status).toBe(200);
});

test('one process at a time reconciles; one that lost its lease unnoticed writes nothing', async () => {
  const { provider } = stage;
  const records = graphLifecycleRecords(service.graph, 600);
  const first = await records.take(provider, 'one');
  expect(await records.take(provider, 'two')).toBeNull();
  // The lease of the first one ends. A short one could end too early on a busy machine.
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run(
      'MATCH (state:LifecycleState {key: $provider}) SET state.held_until = datetime.realtime() - duration("PT1S")',
      { provider },
    ),
  );
  const second = await records.take(provider, 'two');
  const write = (lease: Lease | null, failures: number) =>
    lease?.write({ at: new Date().toISOString(), state: { failures } });
  await expect(write(first, 7)).rejects.toThrow(LeaseLost);
  await write(second, 1);
  expect((await records.state(provider)).failures).toBe(1);
  await first?.release();
  expect(await records.state(provider)).toMatchObject({ isHeld: true });
  await second?.release();
  expect(await records.state(provider)).toMatchObject({ isHeld: false });
});

test('a removed policy leaves its accounts, and a deleted provider leaves nothing', async () => {
  await stage.push({ users: [ANN] });
  const { body } = await stage.policy({ who: [EVERYBODY] });
  await stage.run();
  const { id } = body.value as { readonly id: string };
  expect((await stage.send('delete', `${stage.path}/${id}`)).status).toBe(200);
  expect((await stage.send('get', `${stage.path}/${id}`)).status).toBe(404);
  await stage.run();
  expect(accountNamed('ann')).toMatchObject({ active: true });
  const status = (await stage.send('get', `${stage.path}:status`)).body.value;
  expect(status).toMatchObject({ accounts: { RELEASED: 1 } });
  await stage.service.send('delete', stage.path.replace('/policies', ''));
  const [left] = await ask(
    stage.service.graph,
    `MATCH (n) WHERE n:LifecyclePolicy OR n:ManagedAccount OR n:LifecycleAction OR n:LifecycleState
     RETURN count(n) AS number`,
  );
  expect(left?.number).toBe(0);
});

test('an erased person is gone from accounts and actions too', async () => {
  const zoe = user('zoe');
  await stage.push({ users: [zoe, BOB] });
  await stage.policy({ who: [EVERYBODY], groups: ['Writers'] });
  await stage.run();
  const key = await stage.keyOf('zoe');
  const plan = await stage.send('post', '/api/v1/erase', { principal: key });
  const { confirmation, ...told } = plan.body.value as { readonly confirmation: string };
  expect(told).toMatchObject({ erased: false });
  await service
    .post('/api/v1/erase', { principal: key })
    .set('Grantgraph-Confirm-Removal', confirmation)
    .expect(200);
  const named = await ask(
    service.graph,
    `MATCH (n) WHERE (n:ManagedAccount OR n:LifecycleAction OR n:Event)
       AND any(p IN keys(n) WHERE any(text IN CASE WHEN n[p] IS :: LIST<STRING NOT NULL> THEN n[p]
         WHEN n[p] IS :: STRING THEN [n[p]] ELSE [] END
         WHERE text CONTAINS 'zoe' OR text CONTAINS $key))
     RETURN labels(n) AS labels, properties(n) AS properties`,
    { key },
  );
  expect(named).toEqual([]);
});
