import { closeGraph, type Graph, openGraph } from '../../../src/graph/connection/driver';
import { migrate } from '../../../src/graph/migration/migrate';
import { schemaItems } from '../../../src/translate/schema';
import { testNeo4j } from '../../support/neo4j';

let graph: Graph;
let asked: jest.SpiedFunction<Graph['driver']['executeQuery']>;

beforeEach(() => {
  graph = openGraph(testNeo4j());
  asked = jest.spyOn(graph.driver, 'executeQuery');
});
afterEach(() => closeGraph(graph));

/** What was made since this was last asked. */
const made = (): readonly unknown[] => {
  const texts = asked.mock.calls.splice(0).map(([text]) => text);
  return texts.filter((text) => typeof text === 'string' && text.startsWith('CREATE'));
};

const online = async (): Promise<readonly string[]> => {
  const { records } = await graph.driver.executeQuery(
    "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name",
    {},
    { database: graph.database },
  );
  return records.map((record) => String(record.get('name')));
};

test('what stands is not made again; what is gone is', async () => {
  await migrate(graph);
  made();
  await migrate(graph);
  expect(made()).toEqual([]);

  const lost = ['idp_user_key', 'idp_user_fold_id'];
  await graph.driver.executeQuery(`DROP CONSTRAINT ${lost[0]}`);
  await graph.driver.executeQuery(`DROP INDEX ${lost[1]}`);
  await migrate(graph);
  expect(made()).toEqual(
    schemaItems()
      .filter(({ name }) => lost.includes(name))
      .map(({ statement }) => statement),
  );
  expect(await online()).toEqual(expect.arrayContaining(schemaItems().map(({ name }) => name)));
});

test('several may make it at once', async () => {
  await migrate(graph);
  await graph.driver.executeQuery('DROP CONSTRAINT idp_user_key');
  await Promise.all([migrate(graph), migrate(graph), migrate(graph)]);
  expect(await online()).toContain('idp_user_key');
});
