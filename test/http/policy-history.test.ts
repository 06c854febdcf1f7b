/** @more scim */

import { ask } from '../../src/neo4j/ask';
import { nextMillisecond } from '../support/next-millisecond';
import { quickClock } from '../support/quick-clock';
import { type PolicyStage, type PolicyWorld, policyWorld, user } from './policy-stage';
import type { ServiceUnderTest } from './service-under-test';

let world: PolicyWorld;
let service: ServiceUnderTest;
let stage: PolicyStage;

const ANN = user('ann');
const BOB = user('bob');

beforeAll(async () => {
  // Questions about an instant need the times that pushes have.
  world = await policyWorld({ ...quickClock(), now: () => Date.now() });
  ({ service } = world);
});
afterAll(() => world.close());
beforeEach(async () => {
  stage = await world.stage();
});

interface Kept {
  readonly user_name: string;
  readonly state: string;
  readonly groups: readonly string[];
}

/** A moment after all that was done, and before what is done next. */
const moment = async (): Promise<string> => {
  const now = new Date().toISOString();
  await nextMillisecond();
  return now;
};

const annsPage = async (query = ''): Promise<readonly Kept[]> => {
  const id = encodeURIComponent(await stage.keyOf('ann'));
  const { body } = await stage.send('get', `/api/v1/entities/${id}${query}`);
  return (body.value as { readonly policy_accounts: readonly Kept[] }).policy_accounts;
};

const shown = ({ state, groups, user_name }: Kept): string =>
  [state, user_name, ...groups].join(' ');

/** How many versions there are of accounts of the stage's provider, or of one person's. */
const versions = async (person: string | null = null): Promise<number> => {
  const [found] = await ask(
    service.graph,
    `MATCH (version:ManagedAccountVersion {provider: $provider})
     WHERE $person IS NULL OR version.person = $person
     RETURN count(version) AS number`,
    { provider: stage.provider, person },
  );
  return Number(found?.number);
};

test('the page of a person tells how an account was at an instant, whatever became of it', async () => {
  const policy = async (id: string | null, more: object): Promise<string> => {
    const sent = { name: 'Everybody', state: 'active', who: [stage.everybody], ...more };
    const { status, body } = await (id === null
      ? stage.send('post', stage.path, sent)
      : stage.send('put', `${stage.path}/${id}`, sent));
    expect(status).toBe(200);
    await stage.run();
    return (body.value as { readonly id: string }).id;
  };
  const leavers = { action: 'delete', after_days: 0 };
  await stage.push({ users: [ANN, BOB] });
  const moments = [await moment()];
  const id = await policy(null, { groups: ['Writers'], leavers });
  moments.push(await moment());
  await policy(id, { groups: ['Admins'], leavers });
  moments.push(await moment());
  await stage.push({ users: [{ ...ANN, email: 'ann@new.example' }, BOB] });
  await stage.run();
  moments.push(await moment());
  await policy(id, {
    who: [{ ...stage.everybody, filter: 'name eq "bob"' }],
    groups: ['Admins'],
    leavers,
  });
  await stage.run();
  moments.push(await moment());
  await policy(id, { groups: ['Writers'], leavers });
  moments.push(await moment());
  expect((await stage.send('delete', `${stage.path}/${id}`)).status).toBe(200);
  const then: string[][] = [];
  for (const at of moments) then.push((await annsPage(`?at=${at}`)).map(shown));
  expect(then).toEqual([
    [],
    ['ACTIVE ann@halden.example Writers'],
    ['ACTIVE ann@halden.example Admins'],
    ['ACTIVE ann@new.example Admins'],
    [],
    ['ACTIVE ann@new.example Writers'],
  ]);
  expect(await annsPage()).toEqual([]);
});

test('versions go with an erased person, and with the provider', async () => {
  await stage.push({ users: [ANN, BOB] });
  const { body } = await stage.policy({ who: [stage.everybody], groups: ['Writers'] });
  await stage.run();
  await stage.send('delete', `${stage.path}/${(body.value as { readonly id: string }).id}`);
  const principal = await stage.keyOf('ann');
  const [all, anns] = [await versions(), await versions(principal)];
  expect([anns > 0, all > anns]).toEqual([true, true]);
  const plan = await stage.send('post', '/api/v1/erase', { principal });
  const { confirmation } = plan.body.value as { readonly confirmation: string };
  await service
    .post('/api/v1/erase', { principal })
    .set('Grantgraph-Confirm-Removal', confirmation)
    .expect(200);
  expect([await versions(), await versions(principal)]).toEqual([all - anns, 0]);
  await stage.send('delete', stage.path.replace('/policies', ''));
  expect(await versions()).toBe(0);
});
