/** @more restarts */

import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { records } from '../../../src/features';
import { BUILD } from '../../../src/build';
import { STORE_VERSION } from '../../../src/graph/migration/migrate';
import { Client } from '../../../src/client/client';
import { restoreBackup, takeBackup } from '../../../src/features/backup/backup';
import { checkBackup } from '../../../src/features/backup/backup-file';
import { type VaultKey, vaultKeyOf } from '../../../src/secrets/vault';
import { pushCompany, startDemoService } from '../../demo/service';
import { startDemoWiki } from '../../demo/wiki';
import { type FilledGraph, filledGraph } from '../../support/push';
import { allDataSources, verified } from '../../support/verified';

/*
 * A store of each store version, as a backup: three weeks of the demo with its application, and a record of each feature
 * that the demo does not use. `WRITE_STORE=1 npm test -- test/features/backup/stores` writes that of the version of today
 * (docs/recipes.md: Change how the graph is written).
 */
const fileOf = (version: number): string =>
  join(__dirname, '../../fixtures/stores', `version-${version}.gz`);
const KEY = vaultKeyOf('07'.repeat(32)) as VaultKey;
const COMPANY = join(__dirname, '../../../examples/company');
const QUERIES = join(__dirname, '../../../cypher/queries');

const writeStore = async (): Promise<void> => {
  const wiki = await startDemoWiki();
  const demo = await startDemoService(wiki.settings);
  const handbook = wiki.kept(demo.service);
  await pushCompany(demo, () => handbook.keep());
  await handbook.answers(demo.graph, QUERIES);
  const { address: url, apiKey: key } = demo.service;
  const client = new Client({ url, key });
  const path = '/api/v1/providers/custom';
  const { values } = await client.get<{ readonly values: readonly { readonly id: string }[] }>(
    path,
  );
  await client.post('/api/preview/teamkeys', { name: 'Reader', scopes: ['read'] });
  await client.put(`${path}/${values[0]?.id}/trusts`, { email_domains: ['elsewhere.example'] });
  const file = fileOf(STORE_VERSION);
  await rm(file, { force: true });
  await takeBackup(demo.graph, records, file, { waitSeconds: 60, mostSeconds: 60 }, BUILD, KEY);
  await demo.stop();
  await wiki.stop();
};

let filled: FilledGraph;

beforeAll(async () => {
  if (process.env.WRITE_STORE === '1') await writeStore();
  filled = await filledGraph();
});
afterAll(async () => {
  await filled.clear();
  await filled.close();
});

const versions = Array.from({ length: STORE_VERSION }, (_, index) => index + 1);

test.each(versions)('a store of version %d is restored, migrated and sound', async (version) => {
  expect(existsSync(fileOf(version))).toBe(true);
  await filled.clear();
  const backup = await checkBackup(fileOf(version), KEY);
  const { header } = (await restoreBackup(filled.graph, records, backup)).words;
  expect(header.store_version).toBe(version);
  const [store] = await filled.ask(
    'MATCH (s:Store) RETURN s.version AS version, s.release AS release, s.history_since IS NOT NULL AS keeps',
  );
  const release = version === STORE_VERSION ? header.release : BUILD.version;
  expect(store).toEqual({ version: STORE_VERSION, release, keeps: true });

  const sources = await allDataSources(filled);
  expect(sources.length).toBeGreaterThanOrEqual(6);
  for (const source of sources) {
    expect(await verified(filled, source)).toMatchObject({
      sound: true,
      findings: { total: 0, values: [] },
    });
  }
  const held = await filled.ask(
    'MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) > 0 AS is_there ORDER BY label',
  );
  const labels = held.map(({ label }) => label);
  expect(labels).toEqual(
    expect.arrayContaining([
      'PastNode',
      'PastRelationship',
      'TeamKey',
      'ScimConnection',
      'ScimImport',
      'Event',
      'LifecyclePolicy',
      'ManagedAccount',
      'LifecycleAction',
      'Push',
      'KnownPayload',
    ]),
  );
  // The graph answers questions, and takes the next push.
  const question = await readFile(join(QUERIES, 'access/who-can-write-to-a-resource.cypher'));
  const resource = { resource: 'Firmware.motor-control' };
  expect(await filled.ask(question.toString(), resource)).not.toEqual([]);
  const forge = sources.find(({ dataSource }) => dataSource.name === 'forge.halden.example');
  if (forge === undefined) throw new Error('There is no such data source.');
  await filled.accept(forge, await readFile(join(COMPANY, 'source-code-host.json'), 'utf8'));
  expect(await verified(filled, forge)).toMatchObject({ sound: true });
});
