/** @more scim */

import type { MisbehavingServer } from '../scim/misbehaving-server';
import { type PolicyStage, type PolicyWorld, policyWorld, user } from './policy-stage';
import type { ServiceUnderTest } from './service-under-test';

/* An account that a policy keeps for one person (docs/provisioning.md: Joiners, movers and leavers). */

let world: PolicyWorld;
let application: MisbehavingServer;
let service: ServiceUnderTest;
let stage: PolicyStage;
let scim: string;

beforeAll(async () => {
  world = await policyWorld();
  ({ application, service } = world);
});
afterAll(() => world.close());

const ANN = user('ann');
/** Another person with the same external id, or the same login. */
const SAME_ID = user('bea', { identity: 'p-bea', email: 'Ann@Halden.example' });

beforeEach(async () => {
  stage = await world.stage();
  scim = stage.path.replace('/policies', '/scim');
  await stage.push({ users: [ANN, user('carl')] });
  await stage.policy({
    who: [{ filter: 'email eq "ann@halden.example"', in: [stage.source] }],
    guard: { share: 1 },
  });
  await stage.run();
  expect(application.users.size).toBe(1);
});
afterEach(async () => {
  await service.send('delete', stage.path.replace('/policies', ''));
});

const accountOf = (): string => [...application.users.keys()][0] ?? '';

test.each(['provision', 'update', 'deprovision'])(
  'a call by hand for somebody else is refused: %s',
  async (verb) => {
    const ann = await stage.keyOf('ann');
    await stage.push({ users: [user('carl'), SAME_ID] });
    const bea = await stage.keyOf('bea');
    const before = application.writes().length;
    const how = verb === 'deprovision' ? { how: 'disable' } : {};
    const refused = await stage.send('post', `${scim}:${verb}`, {
      user: bea,
      adopt: true,
      ...how,
    });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(ann)]);
    expect(application.writes()).toHaveLength(before);
    const forced = await stage.send('post', `${scim}:${verb}`, {
      user: bea,
      adopt: true,
      force: true,
      ...how,
    });
    expect(forced.status).toBe(200);
    expect(application.writes().length).toBeGreaterThan(before);
  },
);

test('an account that a policy keeps is not disabled by its id, and its own person may be', async () => {
  const before = application.writes().length;
  const named = { account: accountOf(), how: 'disable' };
  const refused = await stage.send('post', `${scim}:deprovision`, named);
  expect([refused.status, application.writes().length]).toEqual([409, before]);
  const own = await stage.send('post', `${scim}:deprovision`, {
    user: await stage.keyOf('ann'),
    how: 'disable',
  });
  expect(own.body).toMatchObject({ values: [{ outcome: 'disabled' }] });
});

test('members by hand are nobody who has the account of somebody else', async () => {
  await stage.push({ users: [user('carl'), SAME_ID] });
  const users = [await stage.keyOf('bea')];
  const body = { group: 'Writers', users, adopt: true };
  expect((await stage.send('post', `${scim}:add-members`, body)).status).toBe(409);
  expect(application.groups.get('w')).toMatchObject({ members: [] });
});

test('a person of whom nothing is kept for others gets an account by hand', async () => {
  const made = await stage.send('post', `${scim}:provision`, { user: await stage.keyOf('carl') });
  expect(made.body).toMatchObject({ values: [{ outcome: 'created' }] });
});

test('a released account stays as it is, and somebody else may have it', async () => {
  const ann = await stage.keyOf('ann');
  const id = accountOf();
  await stage.push({ users: [user('carl'), SAME_ID] });
  const released = await stage.send('post', `${stage.path}:release`, { person: ann });
  expect([released.status, released.body.value]).toMatchObject([200, { person: ann, account: id }]);
  const before = application.writes().length;
  // The leaver is not taken away any more, since no policy keeps the account.
  expect(await stage.run()).toMatchObject({ outcome: 'DONE', accounts: { RELEASED: 1 } });
  expect(application.writes()).toHaveLength(before);
  expect(await stage.events()).toContain('POLICY_ACCOUNT_RELEASED');
  const bea = await stage.keyOf('bea');
  const made = await stage.send('post', `${scim}:provision`, { user: bea, adopt: true });
  expect(made.body).toMatchObject({ values: [{ account: id, problem: null }] });
  expect((await stage.send('post', `${stage.path}:release`, { person: ann })).status).toBe(404);
});

test('an account is released by its id, and its open actions are dropped', async () => {
  application.misdeed = (_, res) => {
    res.writeHead(500).end();
  };
  await stage.push({ users: [user('carl')] });
  await stage.run();
  application.misdeed = null;
  const released = await stage.send('post', `${stage.path}:release`, { account: accountOf() });
  expect(released.status).toBe(200);
  const { body } = await stage.send('get', `${stage.path}:actions`);
  const open = (body.values as readonly { status: string }[]).filter(
    ({ status }) => !['DONE', 'DROPPED'].includes(status),
  );
  expect(open).toEqual([]);
});

test('nothing is released while policies run, and a body names only one of both', async () => {
  const { records } = service.lifecycle;
  const lease = await records.take(stage.provider, 'somebody');
  const person = await stage.keyOf('ann');
  expect((await stage.send('post', `${stage.path}:release`, { person })).status).toBe(409);
  await lease?.release();
  expect((await stage.send('post', `${stage.path}:release`, {})).status).toBe(400);
  const both = { person, account: accountOf() };
  expect((await stage.send('post', `${stage.path}:release`, both)).status).toBe(400);
});
