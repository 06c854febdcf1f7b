import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { migrate } from '../../../src/graph/migration/migrate';
import { hashScopes } from '../../../src/graph/migration/scope-hashes';
import { graphRegistry } from '../../../src/graph/records/registry';
import type { DataSourceOfProvider } from '../../../src/graph/records/provider-record';
import { graphVerifier } from '../../../src/graph/verification/verification';
import { RULES_VERSION, UNKNOWN_HASH } from '../../../src/rows/row/row-hash';
import { verifyDataSource } from '../../../src/service/verify-data-source';
import { clearGraph } from '../../support/neo4j';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../../support/push';
import { loadStoredGraph } from '../../support/stored-graph-file';

/*
 * The store is what the release before version 5 of the graph made of the payloads beside it:
 *   node scripts/dump-store.mjs <checkout of that release> test/fixtures/stores/rules-3/payloads test/fixtures/stores/rules-3/store.json
 */
const FOLDER = join(__dirname, '../../fixtures/stores/rules-3');
const payloadOf = (name: string): string =>
  readFileSync(join(FOLDER, 'payloads', name === 'crm' ? '2-crm.json' : '1-corp.json'), 'utf8');

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(async () => {
  await clearGraph(filled.graph.driver);
  await filled.close();
});
beforeEach(async () => {
  await clearGraph(filled.graph.driver);
  await loadStoredGraph(filled.graph, join(FOLDER, 'store.json'));
});

const write = async (cypher: string): Promise<void> => {
  const { driver, database } = filled.graph;
  await driver.executeQuery(cypher, {}, { database });
};

const sourceOf = async (name: string): Promise<DataSourceOfProvider> => {
  const [row] = await filled.ask(
    'MATCH (s:DataSource {name: $name})-[:FROM]->(p:Provider) RETURN s.id AS id, p.id AS provider',
    { name },
  );
  const found = await graphRegistry(filled.graph).findDataSource(
    row?.provider as string,
    row?.id as string,
  )();
  if (found._tag === 'Left') throw new Error(JSON.stringify(found.left));
  return found.right;
};

const verified = async (name: string) => {
  const verifier = graphVerifier(filled.graph, TEST_LIMITS);
  const result = await verifyDataSource({ verifier, listedChanges: 100 })({
    source: await sourceOf(name),
    requestId: '',
    isRepairing: false,
    seesOthers: true,
    by: { keyId: null, name: 'API_KEY', address: null },
  })();
  if (result._tag === 'Left') throw new Error(JSON.stringify(result.left));
  return result.right;
};

/** What tells which rows stand: digests, hashes by local key, and dates. */
const told = async (): Promise<unknown> => [
  await filled.ask(
    'MATCH (s:DataSource) RETURN s.name AS name, s.digest AS digest, s.rows AS rows, s.rules_version AS rules ORDER BY name',
  ),
  await filled.ask(
    `MATCH (n) WHERE n.row_hash IS NOT NULL
     RETURN substring(n.key, size(n.data_source) + 1) AS key, n.row_hash AS hash ORDER BY key`,
  ),
];

test('a store of the release before has the hashes that its payloads would have now', async () => {
  const dates =
    'MATCH (n) WHERE n.row_hash IS NOT NULL RETURN n.key AS key, n.changed AS changed ORDER BY key';
  const before = await filled.ask(dates);
  const former = await told();
  await migrate(filled.graph);
  const migrated = await told();
  expect(migrated).not.toEqual(former);
  expect(await filled.ask(dates)).toEqual(before);
  for (const name of ['corp', 'crm']) {
    expect(await verified(name)).toMatchObject({
      sound: true,
      hashes_checked: true,
      findings: { total: 0 },
    });
    expect((await filled.accept(await sourceOf(name), payloadOf(name))).outcome).toBe('unchanged');
  }
  await filled.clear();
  for (const [name, template] of [
    ['corp', 'identity_provider'],
    ['crm', 'application'],
  ] as const) {
    await filled.accept(await filled.register(name, template), payloadOf(name));
  }
  expect(await told()).toEqual(migrated);
  expect(RULES_VERSION).toBe(4);
});

test('it is the same wherever the migration is interrupted, and is repeated', async () => {
  await migrate(filled.graph);
  const migrated = await told();
  for (const batches of [1, 2]) {
    await clearGraph(filled.graph.driver);
    await loadStoredGraph(filled.graph, join(FOLDER, 'store.json'));
    let left = batches;
    const stillHolds = (): Promise<void> =>
      left-- > 0 ? Promise.resolve() : Promise.reject(new Error('interrupted'));
    await expect(hashScopes(filled.graph, stillHolds)).rejects.toThrow('interrupted');
    await migrate(filled.graph);
    expect(await told()).toEqual(migrated);
  }
});

test('a scope that was changed by hand is no more right than it was', async () => {
  await write("MATCH (:Grant)-[r:ON]->(:Resource {name: 'a'}) DELETE r");
  await migrate(filled.graph);
  expect((await verified('crm')).findings.values).toEqual([
    expect.objectContaining({ what: 'CONTENT_CHANGED', remedy: 'NEXT_FULL_PUSH' }),
  ]);
  const unknown = `MATCH (n:Grant {row_hash: '${UNKNOWN_HASH}'}) RETURN n.name AS name`;
  expect(await filled.ask(unknown)).toEqual([{ name: 'view' }]);

  // An increment reads such a row whole, since nothing can be added to its hash.
  await filled.accept(await sourceOf('crm'), {
    incremental_change: true,
    identity_to_permissions: [
      {
        identity: 'ann',
        identity_type: 'local_user',
        application_permissions: [
          {
            operation: 'add_resource',
            application: 'crm',
            permission: 'view',
            resources: ['top.a'],
          },
        ],
      },
    ],
  });
  expect(await filled.ask(unknown)).toEqual([]);
  expect((await verified('crm')).sound).toBe(true);
});
