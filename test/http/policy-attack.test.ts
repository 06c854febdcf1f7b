/** @more scim */

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import type { MisbehavingServer } from '../scim/misbehaving-server';
import { type PolicyStage, type PolicyWorld, policyWorld, user } from './policy-stage';
import type { RegisteredIds, ServiceUnderTest } from './service-under-test';

/*
 * Mallory has a key that may only push to one directory. A policy means people of another directory, or
 * of both. What Mallory pushes must give nobody the account of somebody else (docs/security.md: Who may
 * say what about others).
 */

let world: PolicyWorld;
let application: MisbehavingServer;
let service: ServiceUnderTest;
let stage: PolicyStage;
let theirs: RegisteredIds;
let key: string;

beforeAll(async () => {
  world = await policyWorld();
  ({ application, service } = world);
});
afterAll(() => world.close());
beforeEach(async () => {
  stage = await world.stage();
  theirs = await service.register();
  const made = await service.post('/api/preview/teamkeys', {
    name: `mallory ${theirs.id}`,
    scopes: ['push'],
    providers: [theirs.id],
  });
  key = (made.body as { value: { access_key: string } }).value.access_key;
});
afterEach(async () => {
  await service.send('delete', `/api/v1/providers/custom/${theirs.id}`);
  await service.send('delete', stage.path.replace('/policies', ''));
});

const pushTheirs = async (users: readonly object[], groups: readonly object[] = []) => {
  const json_data = JSON.stringify({
    name: 'Theirs',
    idp_type: 'test',
    domains: [{ name: 'mallory.example' }],
    users,
    groups,
  });
  const answer = await supertest(service.app)
    .post(theirs.path)
    .set('authorization', `Bearer ${key}`)
    .send({ id: theirs.id, data_source_id: theirs.data_source_id, json_data });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
};

const accounts = (): readonly (readonly [unknown, unknown, unknown])[] =>
  [...application.users.values()].map(
    ({ userName, displayName, active }) => [userName, displayName, active] as const,
  );

const ANN = user('ann', { groups: [{ identity: 'g-1' }] });
const STAFF = { name: 'Staff', identity: 'g-1' };
const own = () => ({ in: [stage.source] });
const both = () => ({ in: [stage.source, theirs.data_source_id] });

test('a group of the same name gives no account', async () => {
  await stage.push({ users: [ANN], groups: [STAFF] });
  const set = await stage.policy({ who: [{ group: 'Staff', ...own() }] });
  expect([set.status, set.text]).toEqual([200, expect.any(String)]);
  await pushTheirs(
    [{ name: 'mallory', identity: 'm', email: 'm@mallory.example', groups: [{ identity: 'x' }] }],
    [{ name: 'Staff', identity: 'x' }],
  );
  await stage.round();
  expect(accounts()).toEqual([['ann@halden.example', 'ann Berg', true]]);
});

test('a group whose name spells the key of another one gives no account', async () => {
  await stage.push({ users: [ANN], groups: [STAFF] });
  const [row] = await ask(
    service.graph,
    'MATCH (g:IdpGroup {data_source: $source}) RETURN g.key AS key',
    { source: stage.source },
  );
  const set = await stage.policy({ who: [{ group: String(row?.key), ...own() }] });
  expect([set.status, set.text]).toEqual([200, expect.any(String)]);
  await pushTheirs(
    [{ name: 'mallory', identity: 'm', email: 'm@mallory.example', groups: [{ identity: 'x' }] }],
    [{ name: String(row?.key), identity: 'x' }],
  );
  await stage.round();
  expect(accounts()).toEqual([['ann@halden.example', 'ann Berg', true]]);
});

test.each([true, false])(
  'the account of somebody else is neither renamed nor disabled; adopt %s',
  async (adopt) => {
    await stage.push({ users: [ANN], groups: [STAFF] });
    await stage.policy({ who: [{ filter: 'name pr', ...both() }], adopt });
    await stage.run();
    await pushTheirs([
      { name: 'mallory', identity: 'p-ann', email: 'm@mallory.example', full_name: 'Mallory' },
    ]);
    await stage.round();
    expect(accounts()).toEqual([['ann@halden.example', 'ann Berg', true]]);
    await pushTheirs([]);
    await stage.round();
    expect(accounts()).toEqual([['ann@halden.example', 'ann Berg', true]]);
  },
);

test('an account that is managed for a leaver is not enabled for somebody else with the same id', async () => {
  await stage.push({ users: [ANN], groups: [STAFF] });
  await stage.policy({ who: [{ filter: 'name pr', ...both() }], adopt: true });
  await stage.run();
  await stage.push({ users: [], groups: [STAFF] });
  await stage.round();
  await pushTheirs([{ name: 'mallory', identity: 'p-ann', email: 'ann@halden.example' }]);
  await stage.round();
  expect(accounts()).toEqual([['ann@halden.example', 'ann Berg', false]]);
  const { body } = await stage.send('get', `${stage.path}:actions?status=DEAD`);
  expect(body.values).toMatchObject([{ kind: 'ensure', problem: { code: 'TAKEN' } }]);
  // Another try finds the same.
  await stage.send('post', `${stage.path}:retry`, {});
  expect(await stage.run()).toMatchObject({ outcome: 'DONE', actions: { DEAD: 1 } });
  expect(accounts()).toEqual([['ann@halden.example', 'ann Berg', false]]);
});

test('an account that stands before is adopted for nobody while two people claim it', async () => {
  application.users.set('old', { id: 'old', userName: 'ann@halden.example', active: true });
  await stage.push({ users: [ANN], groups: [STAFF] });
  await pushTheirs([{ name: 'mallory', identity: 'm', email: 'Ann@Halden.example' }]);
  await stage.policy({ who: [{ filter: 'name pr', ...both() }], adopt: true });
  await stage.run();
  expect(application.writes()).toEqual([]);
  await pushTheirs([]);
  await stage.round();
  expect(application.users.get('old')).toMatchObject({ externalId: 'p-ann' });
});

test('many new people of one directory wait until somebody confirms them', async () => {
  await stage.push({ users: [ANN], groups: [STAFF] });
  await stage.policy({ who: [{ filter: 'name pr', ...both() }] });
  await stage.run();
  await pushTheirs(Array.from({ length: 9 }, (_, at) => ({ name: `m${at}`, identity: `m-${at}` })));
  await stage.round();
  expect(accounts()).toHaveLength(1);
  const { body } = await stage.send('get', `${stage.path}:status`);
  const { confirmation } = body.value as { readonly confirmation: { readonly token: string } };
  expect(confirmation).toMatchObject({ people: 0, joiners: 9 });
  await stage.send('post', `${stage.path}:confirm`, { token: confirmation.token });
  expect(accounts()).toHaveLength(10);
});

test('a selector that names no directory is refused where several have its group', async () => {
  await stage.push({ users: [ANN], groups: [STAFF] });
  await pushTheirs([], [{ name: 'staff', identity: 'm-1' }]);
  for (const selector of [{ group: 'Staff' }, { filter: 'name pr' }]) {
    const answer = await stage.policy({ who: [selector] });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('MISSING_FIELD')]);
    for (const source of both().in) expect(answer.text).toContain(source);
  }
});

test('names that mean several groups or directories are refused with candidates', async () => {
  await stage.push({ users: [ANN], groups: [STAFF, { name: 'STAFF', identity: 'g-2' }] });
  const group = await stage.policy({ who: [{ group: 'staff', ...own() }] });
  expect([group.status, group.text]).toEqual([400, expect.stringContaining('AMBIGUOUS_REFERENCE')]);
  expect(group.text).toContain(`${stage.source}|IdpGroup|g-1`);
  const source = await stage.policy({ who: [{ filter: 'name pr', in: ['Main'] }] });
  expect([source.status, source.text]).toEqual([400, expect.stringContaining(stage.source)]);
  // By its own id a group means itself.
  const set = await stage.policy({ who: [{ group: 'g-2', ...own() }] });
  expect((set.body.value as { who: unknown }).who).toEqual([
    { group: `${stage.source}|IdpGroup|g-2`, ...own() },
  ]);
});

test('groups of one name come with what tells them apart', async () => {
  const more = { full_name: 'Halden staff' };
  await stage.push({ users: [ANN], groups: [STAFF, { name: 'Staff', identity: 'g-2', ...more }] });
  const ofOne = await stage.policy({ who: [{ group: 'staff', ...own() }] });
  const key = (id: string): string => `key \\"${stage.source}|IdpGroup|${id}\\"`;
  expect(ofOne.text).toContain(`group \\"Staff\\" (${key('g-1')})`);
  expect(ofOne.text).toContain(`group \\"Staff\\" (full name \\"Halden staff\\", ${key('g-2')})`);
  await stage.push({ users: [ANN], groups: [STAFF] });
  await pushTheirs([], [STAFF]);
  const ofTwo = await stage.policy({ who: [{ group: 'Staff', ...both() }] });
  expect([ofTwo.status, ofTwo.text.match(/group [^(]*\(provider /g)]).toEqual([
    400,
    Array.from({ length: 2 }, () => 'group \\"Staff\\" (provider '),
  ]);
});

test('a directory that is gone takes nobody away; the run says so', async () => {
  await stage.push({ users: [ANN], groups: [STAFF] });
  await pushTheirs([{ name: 'eve', identity: 'e', email: 'e@mallory.example' }]);
  await stage.policy({ who: [{ filter: 'name pr', ...both() }], guard: { share: 1 } });
  await stage.run();
  expect(accounts()).toHaveLength(2);
  await service.send('delete', `/api/v1/providers/custom/${theirs.id}`);
  expect(await stage.run()).toMatchObject({
    outcome: 'FAILED',
    problem: expect.stringContaining('NO_DIRECTORY') as string,
  });
  expect(accounts().map(([, , active]) => active)).toEqual([true, true]);
});

test('a push that is under way holds up the policies that name its data source, and no others', async () => {
  const begin = (source: string) =>
    runTransaction(service.graph, { mode: 'write' }, (tx) =>
      tx.run('CREATE (:LargePush {key: $source})', { source }),
    );
  await stage.push({ users: [ANN], groups: [STAFF] });
  await stage.policy({ who: [{ filter: 'name pr', ...own() }] });
  await begin(theirs.data_source_id);
  expect(await stage.run()).toMatchObject({ outcome: 'DONE', accounts: { ACTIVE: 1 } });
  await begin(stage.source);
  expect(await stage.run()).toMatchObject({ outcome: 'POSTPONED' });
  await runTransaction(service.graph, { mode: 'write' }, (tx) =>
    tx.run('MATCH (push:LargePush) DELETE push'),
  );
});

test.each(['group', 'department'])(
  'a %s that one directory alone had when the policy was set gives nobody else an account',
  async (what) => {
    const name = `Staff of ${stage.source}`;
    const staff = (identity: string) => ({ name, identity });
    await stage.push({ users: [{ ...ANN, department: name }], groups: [staff('g-1')] });
    const eve = { name: 'eve', identity: 'e', email: 'e@mallory.example' };
    await pushTheirs([eve]);
    const set = await stage.policy({ who: [{ [what]: name.toUpperCase() }] });
    expect(set.body).toMatchObject({
      value: { who: [own()] },
      warnings: [expect.stringMatching(`which alone has the ${what} `)],
    });
    const member = { ...eve, department: name, groups: [{ identity: 'm-1' }] };
    await pushTheirs([member], [staff('m-1')]);
    await stage.run();
    expect(accounts()).toHaveLength(1);
    expect(JSON.stringify(accounts())).toContain('ann');
  },
);
