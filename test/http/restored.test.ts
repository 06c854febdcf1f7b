/** @more restarts */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import supertest from 'supertest';

import { records } from '../../src/features';
import { restoreBackup, takeBackup } from '../../src/features/backup/backup';
import { checkBackup } from '../../src/features/backup/backup-file';
import { importsOf } from '../../src/scim/import/contract';
import { type VaultKey, vaultKeyOf } from '../../src/secrets/vault';
import { type PolicyWorld, policyWorld, user } from './policy-stage';

/*
 * What was ended after a backup, and what an old graph would do by itself (docs/operating.md: Restore).
 */

const KEYS = '/api/preview/teamkeys';
const VAULT_KEY = vaultKeyOf('07'.repeat(32)) as VaultKey;
const BUILD = { version: '9.9.9', commit: 'abc', rulesVersion: 3 };

let world: PolicyWorld;
let folder: string;
let files = 0;

beforeAll(async () => {
  world = await policyWorld();
  folder = await mkdtemp(join(tmpdir(), 'grantgraph-restored-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await world.close();
});

const write = async (cypher: string, parameters: object = {}): Promise<void> => {
  const { driver, database } = world.service.graph;
  await driver.executeQuery(cypher, parameters, { database });
};

const backUp = async (): Promise<string> => {
  const file = join(folder, `${(files += 1)}.gz`);
  const patience = { waitSeconds: 20, mostSeconds: 600 };
  await takeBackup(world.service.graph, records, file, patience, BUILD, VAULT_KEY);
  return file;
};

const restore = async (file: string, keepsKeys: boolean) => {
  const { graph } = world.service;
  await write('MATCH (n) DETACH DELETE n');
  return restoreBackup(graph, records, await checkBackup(file, VAULT_KEY), { keepsKeys });
};

interface Made {
  readonly id: string;
  readonly access_key: string;
}

const keyCalled = async (name: string): Promise<Made> =>
  ((await world.service.post(KEYS, { name, scopes: ['read'] }).expect(200)).body as { value: Made })
    .value;

const statusWith = async ({ access_key }: Made): Promise<number> =>
  (
    await supertest(world.service.app)
      .get('/api/v1/providers/custom')
      .set('authorization', `Bearer ${access_key}`)
  ).status;

const restoredNow = async (): Promise<Readonly<Record<string, unknown>>> =>
  ((await world.service.send('get', '/api/v1/restored').expect(200)).body as { value: never })
    .value;

const eventsOf = async (type: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const answer = await world.service.send('get', '/api/v1/events?page_size=100').expect(200);
  return (answer.body as { values: Readonly<Record<string, unknown>>[] }).values.filter(
    ({ event_type }) => event_type === type,
  );
};

test('a restore lets no key in that was ended since, and lists those that it revoked', async () => {
  const { service } = world;
  const [ended, kept, revoked] = [
    await keyCalled('Ended after it'),
    await keyCalled('Connector'),
    await keyCalled('Revoked before it'),
  ];
  await service.post(`${KEYS}/${revoked.id}:revoke`, {}).expect(200);
  const file = await backUp();
  await service.send('delete', `${KEYS}/${ended.id}`).expect(200);
  expect(await statusWith(ended)).toBe(401);

  const { after } = await restore(file, false);
  const named = [kept, ended].map(({ id }) => id).sort();
  expect(after.keys.map(({ id }) => id).sort()).toEqual(named);
  // Keys that a process remembers for some seconds belong to no other process.
  expect(await statusWith(ended)).toBe(401);
  expect(await restoredNow()).toMatchObject({
    restored_at: expect.any(String) as unknown,
    revoked_keys: [
      { id: kept.id, name: 'Connector' },
      { id: ended.id, name: 'Ended after it' },
    ],
  });
  expect(await eventsOf('GRAPH_RESTORED')).toMatchObject([
    {
      severity: 'WARNING',
      message: expect.stringContaining('erase them again') as unknown,
      metadata: { revoked_keys_total: 2, kept_keys: false },
    },
  ]);
  await service.post(`${KEYS}/${kept.id}:reinstate`, {}).expect(200);
  expect(await statusWith(kept)).toBe(200);
  expect(await statusWith(revoked)).toBe(401);
  expect((await restoredNow()).revoked_keys).toEqual([{ id: ended.id, name: 'Ended after it' }]);
});

test('a restore that keeps keys says so', async () => {
  const key = await keyCalled('Analyst');
  const file = await backUp();
  await restore(file, true);
  expect(await statusWith(key)).toBe(200);
  expect(await restoredNow()).toMatchObject({ revoked_keys: [] });
  const [event] = await eventsOf('GRAPH_RESTORED');
  expect(event).toMatchObject({ metadata: { kept_keys: true, revoked_keys_total: 0 } });
});

test('policies and timed imports of an old graph wait until somebody starts them', async () => {
  const { service } = world;
  const stage = await world.stage();
  await stage.push({ users: [user('ann')] });
  await stage.policy({ who: [stage.everybody], groups: ['Writers'] });
  await write(
    `CREATE (:ScimImport {key: $provider, every_seconds: 60.0, next_at: datetime() - duration('PT1H')})`,
    { provider: stage.provider },
  );
  const file = await backUp();
  const { after } = await restore(file, false);
  expect(after).toMatchObject({ imports: 1 });
  expect(after.policies).toBeGreaterThan(0);

  const imports = importsOf(service.context);
  const made = (): number => world.application.writes().length;
  const before = made();
  await stage.round();
  const path = `/api/v1/providers/custom/${stage.provider}/policies`;
  const refused = await service.post(`${path}:run`, undefined);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining('start them with') as string,
  ]);
  await service.post(`${path}:confirm`, { token: 'x' }).expect(409);
  expect([made() - before, await imports.due(10)]).toEqual([0, []]);
  expect((await restoredNow()).paused_since).toEqual(expect.any(String));

  await service.post('/api/v1/restored:start', undefined).expect(200);
  await service.post('/api/v1/restored:start', undefined).expect(200);
  expect(await restoredNow()).toMatchObject({ paused_since: null });
  expect(await eventsOf('RESTORED_WORK_STARTED')).toHaveLength(1);
  expect(await imports.due(10)).toEqual([stage.provider]);
  await stage.round();
  expect(made() - before).toBeGreaterThan(0);
});

test('a graph that was never restored says so, and nothing waits', async () => {
  await write('MATCH (s:Store) REMOVE s.restored, s.paused, s.restored_keys');
  expect(await restoredNow()).toEqual({ restored_at: null, paused_since: null, revoked_keys: [] });
});
