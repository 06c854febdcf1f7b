import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { migrate, STORE_VERSION, StoreTooNew } from '../../../src/graph/migration/migrate';
import { respell } from '../../../src/graph/migration/respelling';
import { RULES_VERSION } from '../../../src/rows/row/row-hash';
import type { DataSourceOfProvider } from '../../../src/graph/records/provider-record';
import { dumpGraph } from '../../support/graph-dump';
import { clearGraph } from '../../support/neo4j';
import { type FilledGraph, filledGraph } from '../../support/push';
import { loadStoredGraph } from '../../support/stored-graph-file';
import { sized } from '../../support/test-size';
import { allDataSources, verified } from '../../support/verified';

/*
 * The store is what the release before version 2 of the graph made of the payloads beside it:
 *   node scripts/dump-store.mjs <checkout of that release> test/fixtures/stores/rules-2/payloads test/fixtures/stores/rules-2/store.json
 * The payloads hold what that release spelled otherwise: letters whose folded form was not in NFC, and `#` in ids.
 */
const FOLDER = join(__dirname, '../../fixtures/stores/rules-2');
const FILES = readdirSync(join(FOLDER, 'payloads')).sort();
const payloadOf = (name: string): string =>
  readFileSync(
    join(FOLDER, 'payloads', FILES.find((file) => file.includes(`-${name}.`)) ?? ''),
    'utf8',
  );

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(async () => {
  await clearGraph(filled.graph.driver);
  await filled.close();
});

const write = async (cypher: string): Promise<void> => {
  const { driver, database } = filled.graph;
  await driver.executeQuery(cypher, {}, { database });
};

const load = async (): Promise<void> => {
  await clearGraph(filled.graph.driver);
  await loadStoredGraph(filled.graph, join(FOLDER, 'store.json'));
};

const sources = () => allDataSources(filled);

/** What the data sources hold, with their names for their ids, and without dates. */
const told = async (): Promise<unknown> => {
  const rows = await filled.ask(
    'MATCH (s:DataSource) RETURN s.id AS id, s.name AS name, s.digest AS digest, s.rows AS rows, s.rules_version AS rules ORDER BY name',
  );
  const { nodes, relationships } = await dumpGraph(filled);
  const plain = (value: unknown): unknown => {
    const text = rows.reduce<string>(
      (said, { id, name }) => said.replaceAll(id as string, name as string),
      JSON.stringify(value),
    );
    return JSON.parse(text.replace(/"(since|changed)":"[^"]*"/g, '"$1":""'));
  };
  const sorted = (all: readonly unknown[]): readonly string[] =>
    all.map((one) => JSON.stringify(plain(one))).sort();
  return {
    sources: rows.map(({ id: _id, ...rest }) => rest),
    nodes: sorted(nodes),
    relationships: sorted(relationships),
  };
};

const datesOf = async (): Promise<ReadonlySet<string>> => {
  const rows = await filled.ask(
    'MATCH ()-[r]->() WHERE r.since IS NOT NULL RETURN DISTINCT r.since AS since',
  );
  return new Set(rows.map(({ since }) => JSON.stringify(since)));
};

/** The same payloads, pushed to an empty graph. */
const fresh = async (): Promise<unknown> => {
  await filled.clear();
  for (const file of FILES) {
    const name = /-(.+)\.json$/.exec(file)?.[1] ?? '';
    const payload = payloadOf(name);
    const template = payload.includes('"applications"') ? 'application' : 'identity_provider';
    await filled.accept(await filled.register(name, template), payload);
  }
  return told();
};

let migrated: unknown;
/** What stands after a migration that nobody disturbed. */
const undisturbed = async (): Promise<unknown> => {
  if (migrated !== undefined) return migrated;
  await load();
  await migrate(filled.graph);
  return told();
};

test('a store of the release before is as its payloads would make it now', async () => {
  await load();
  const dates = await datesOf();
  await migrate(filled.graph);

  expect(await filled.ask('MATCH (s:Store) RETURN s.version AS version')).toEqual([
    { version: STORE_VERSION },
  ]);
  for (const source of await sources()) {
    expect(await verified(filled, source)).toMatchObject({
      sound: true,
      hashes_checked: true,
      findings: { total: 0, values: [] },
    });
  }
  migrated = await told();
  expect(await datesOf()).toEqual(dates);
  expect(
    await filled.ask(
      'MATCH (n) WHERE n.next_key IS NOT NULL OR n.rehash IS NOT NULL RETURN n.key AS key',
    ),
  ).toEqual([]);

  for (const time of ['once', 'twice']) {
    for (const source of await sources()) {
      const result = await filled.accept(source, payloadOf(source.dataSource.name));
      expect([time, source.dataSource.name, result.outcome]).toEqual([
        time,
        source.dataSource.name,
        'unchanged',
      ]);
    }
  }
  expect(await told()).toEqual(migrated);
  expect(await fresh()).toEqual(migrated);
});

test('it is the same wherever the migration is interrupted, and is repeated', async () => {
  const expected = await undisturbed();
  await load();
  class Interrupted extends Error {}
  let isDone = false;
  for (let batches = 1; !isDone; batches += sized(18, 6)) {
    let left = batches;
    const stillHolds = (): Promise<void> =>
      left-- > 0 ? Promise.resolve() : Promise.reject(new Interrupted());
    await respell(filled.graph, stillHolds).then(
      () => (isDone = true),
      (error: unknown) => {
        if (!(error instanceof Interrupted)) throw error;
      },
    );
  }
  await migrate(filled.graph);
  expect(await told()).toEqual(expected);
});

test('several processes may begin at once', async () => {
  const expected = await undisturbed();
  await load();
  await Promise.all([1, 2, 3].map(() => migrate(filled.graph)));
  expect(await told()).toEqual(expected);
});

test('a row that was changed by hand is no more right than it was', async () => {
  await load();
  await write("MATCH (u:IdpUser {name: 'owner#2'}) SET u.full_name = 'by hand'");
  await migrate(filled.graph);
  const [source] = (await sources()).filter(({ dataSource }) => dataSource.name === 'corp');
  const { findings } = await verified(filled, source as DataSourceOfProvider);
  expect(findings.values).toEqual([
    expect.objectContaining({ what: 'CONTENT_CHANGED', remedy: 'NEXT_FULL_PUSH' }),
  ]);
  await filled.accept(source as DataSourceOfProvider, payloadOf('corp'));
  expect((await verified(filled, source as DataSourceOfProvider)).sound).toBe(true);
});

test('an empty graph is of this version, and one of a newer version is not touched', async () => {
  await filled.clear();
  expect(await filled.ask('MATCH (s:Store) RETURN s.version AS version')).toEqual([
    { version: STORE_VERSION },
  ]);
  await write(`MATCH (s:Store) SET s.version = ${STORE_VERSION + 1}`);
  await expect(migrate(filled.graph)).rejects.toThrow(StoreTooNew);
  await expect(migrate(filled.graph)).rejects.toThrow(/start the release that wrote it/);
  expect(RULES_VERSION).toBe(4);
});
