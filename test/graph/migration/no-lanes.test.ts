import { migrate, STORE_VERSION } from '../../../src/graph/migration/migrate';
import { runTransaction } from '../../../src/graph/connection/transaction';
import { type FilledGraph, filledGraph } from '../../support/push';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());

test('a graph of version 3 loses its lanes, and its chunked push counts as not counted', async () => {
  const write = (statement: string) =>
    runTransaction(filled.graph, { mode: 'write' }, (tx) => tx.run(statement));
  await write(
    'CREATE CONSTRAINT large_push_lane_key FOR (n:LargePushLane) REQUIRE n.key IS UNIQUE',
  );
  await write(
    "CREATE (:LargePushLane {key: 'some|0', nodes_put: 1}), (:LargePush {key: 'some', is_counted: true})",
  );
  await write('MATCH (store:Store) SET store.version = 3');
  await migrate(filled.graph);
  expect(
    await filled.ask(
      'MATCH (store:Store) MATCH (large:LargePush) RETURN store.version AS version, large.is_counted AS counted, COUNT { (:LargePushLane) } AS lanes',
    ),
  ).toEqual([{ version: STORE_VERSION, counted: false, lanes: 0 }]);
  expect(
    await filled.ask("SHOW CONSTRAINTS YIELD name WHERE name = 'large_push_lane_key' RETURN name"),
  ).toEqual([]);
});
