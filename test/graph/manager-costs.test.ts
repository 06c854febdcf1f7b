import type { Driver, ProfiledPlan } from 'neo4j-driver';

import {
  DRAW_MANAGER_TAGS,
  drawManagers,
  UNDRAW_MANAGER_TAGS,
  undrawManagers,
} from '../../src/graph/rows/derivation-statements';
import { grouped } from '../../src/model/grouped';
import { type FilledGraph, filledGraph } from '../support/push';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';

let filled: FilledGraph;
let driver: Driver;

beforeAll(async () => {
  // Its push makes the indexes.
  filled = await filledGraph();
  driver = testDriver();
});
afterAll(async () => {
  await clearGraph(driver);
  await driver.close();
  await filled.close();
});

const hitsOf = (profile: ProfiledPlan): number =>
  profile.dbHits + profile.children.reduce((sum, child) => sum + hitsOf(child), 0);

const run = (cypher: string, parameters: Readonly<Record<string, unknown>>) =>
  driver.executeQuery(cypher, parameters, { database: testNeo4j().database });

/** Graphs in which one node has `$size` relationships, as a push of a small key makes them. */
const HUBS: Readonly<Record<string, string>> = {
  'one resource of many managers': `CREATE (managed:Entity:Resource {key: 'managed 0'})
CREATE (entity:Entity:ExternalEntity {key: 'entity'})-[:RESOLVES_TO]->(managed)
WITH entity UNWIND range(0, $size - 1) AS at
CREATE (:Entity:IdpUser {key: 'manager ' + at, identity: 'manager ' + at})-[:OWNS]->(entity)`,
  'one manager of many resources': `CREATE (manager:Entity:IdpUser {key: 'manager 0', identity: 'manager 0'})
WITH manager UNWIND range(0, $size - 1) AS at
CREATE (manager)-[:OWNS]->(:Entity:ExternalEntity {key: 'entity ' + at})-[:RESOLVES_TO]->(:Entity:Resource {key: 'managed ' + at})`,
};

const SHARED = {
  at: new Date(0).toISOString(),
  until: [new Date(0).toISOString()],
  meant: {},
  label: ['Resource'],
  managed_label: ['Resource'],
  manager_label: ['IdpUser'],
};

/** Hits of the database for the statements of a push that draws all managers, and of one that ends all. */
const costs = async (hub: string, size: number): Promise<Readonly<Record<string, number>>> => {
  await clearGraph(driver);
  await run(HUBS[hub] as string, { size: BigInt(size) });
  const pairs = Array.from({ length: size }, (_, at) =>
    hub.startsWith('one resource')
      ? ['managed 0', `manager ${at}`]
      : [`managed ${at}`, 'manager 0'],
  );
  const tags = [...grouped(pairs, ([managed]) => managed)].map(([managed, of]) => [
    managed,
    of.map(([, manager]) => [`tag of ${manager}`, manager, null]),
  ]);
  const hits: Record<string, number> = {};
  const profile = async (title: string, statement: string, of: readonly unknown[]) => {
    const { summary } = await run(`PROFILE ${statement}`, { ...SHARED, pairs: [of] });
    hits[title] = hitsOf(summary.profile as ProfiledPlan);
  };
  for (const isTrusting of [true, false]) {
    await profile(`undraw nothing, ${isTrusting}`, undrawManagers(isTrusting), pairs);
    await profile(`draw, ${isTrusting}`, drawManagers(isTrusting), pairs);
  }
  await profile('tag', DRAW_MANAGER_TAGS, tags);
  await profile('untag nothing', UNDRAW_MANAGER_TAGS, tags);
  await run('MATCH ()-[owns:OWNS]->() DELETE owns', {});
  await profile('undraw', undrawManagers(false), pairs);
  await profile('untag', UNDRAW_MANAGER_TAGS, tags);
  return hits;
};

// docs/security.md: What attacks found. Four times as many managers are four times as much work.
test.each(Object.keys(HUBS))('the work for managers grows with their number: %s', async (hub) => {
  const [few, many] = [await costs(hub, 100), await costs(hub, 400)];
  const growth = Object.entries(many).map(([title, hits]) => [
    title,
    Math.round((hits / (few[title] ?? 1)) * 10) / 10,
  ]);
  expect(growth.filter(([, times]) => Number(times) > 6)).toEqual([]);
});
