import { readdirSync, readFileSync } from 'node:fs';
import { type VaultKey, vaultKeyOf } from '../../../src/vault';
import { join } from 'node:path';

import { STORE_VERSION } from '../../../src/graph/migration/migrate';
import { restoreBackup } from '../../../src/service/backup/backup';
import { checkBackup } from '../../../src/service/backup/backup-file';
import { type FilledGraph, filledGraph } from '../../support/push';
import { allDataSources, verified } from '../../support/verified';

/*
 * A small store of each store version, as a backup. Each was made by a release of that version from the payloads in
 * rules-2/payloads. The releases of versions 1 to 3 had no `grantgraph backup`: scripts/dump-store.mjs read their stores.
 * Who raises STORE_VERSION adds one: push the payloads to the release before the change, then `grantgraph backup`.
 * From version 6 on a store has history: each payload came after another one, which lacked something.
 */
const STORES = join(__dirname, '../../fixtures/stores');
const PAYLOADS = join(STORES, 'rules-2/payloads');

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(async () => {
  await filled.clear();
  await filled.close();
});

/** These backups are older than signatures. */
const KEY = vaultKeyOf('07'.repeat(32)) as VaultKey;

const versions = Array.from({ length: STORE_VERSION }, (_, index) => index + 1);

const FIRST_WITH_HISTORY = 6;

const payloadOf = (name: string): string => {
  const file = readdirSync(PAYLOADS).find((one) => one.endsWith(`-${name}.json`));
  return readFileSync(join(PAYLOADS, file ?? ''), 'utf8');
};

test.each(versions)('a store of version %d is restored, migrated and sound', async (version) => {
  await filled.clear();
  const file = join(STORES, `backups/version-${version}.gz`);
  const { header } = await restoreBackup(filled.graph, await checkBackup(file, KEY, 'nobody'));
  expect(header.store_version).toBe(version);
  const stored =
    'MATCH (s:Store) RETURN s.version AS version, s.history_since IS NOT NULL AS keeps';
  expect(await filled.ask(stored)).toEqual([{ version: STORE_VERSION, keeps: true }]);
  const [past] = await filled.ask('MATCH (n:Past) RETURN count(n) AS facts');
  expect(Number(past?.facts) > 0).toBe(version >= FIRST_WITH_HISTORY);

  const sources = await allDataSources(filled);
  expect(sources.map(({ dataSource }) => dataSource.name)).toEqual([
    ...['corp', 'crm', 'other', 'plain'],
  ]);
  for (const source of sources) {
    expect(await verified(filled, source)).toMatchObject({
      ...{ sound: true, hashes_checked: true, findings: { total: 0, values: [] } },
    });
    const again = await filled.accept(source, payloadOf(source.dataSource.name));
    expect([source.dataSource.name, again.outcome]).toEqual([source.dataSource.name, 'unchanged']);
  }
  // None of that was history; what comes next is.
  expect(await filled.ask('MATCH (n:Past) RETURN count(n) AS facts')).toEqual([past]);
  const [corp] = sources;
  if (corp === undefined) throw new Error('There is no data source.');
  const less = JSON.parse(payloadOf('corp')) as { users: readonly object[] };
  await filled.accept(corp, { ...less, users: less.users.slice(1) });
  const begun = await filled.ask(
    'MATCH (s:Store) MATCH (n:PastNode {label: "IdpUser"}) WHERE n.until >= s.history_since RETURN count(n) > 0 AS is_kept',
  );
  expect(begun).toEqual([{ is_kept: true }]);
});
