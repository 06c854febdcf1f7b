import type { Plan } from 'neo4j-driver';

import { records } from '../../../src/features';
import { openGraph } from '../../../src/neo4j/driver';
import { migrate } from '../../../src/graph/migration/migrate';
import { NEWEST_PLACE } from '../../../src/features/events/event-stream-statements';
import { clearGraph, testNeo4j } from '../../support/neo4j';

/** What a plan looks up, in the order in which it does. */
const lookedUp = ({ children, arguments: { Details } }: Plan): readonly string[] =>
  children.length === 0 ? [String(Details ?? '')] : children.flatMap(lookedUp);

// The other way round it told a place from before events that had come, whenever these got theirs in between.
test('the newest place is read once it is known whether events wait for one', async () => {
  const graph = openGraph(testNeo4j());
  await clearGraph(graph.driver);
  await migrate(graph, records);
  const { summary } = await graph.driver.executeQuery(
    `EXPLAIN ${NEWEST_PLACE}`,
    {},
    { database: testNeo4j().database },
  );
  await graph.driver.close();
  const seeks = lookedUp(summary.plan as Plan).filter((details) => details !== '');
  expect(seeks).toEqual([
    expect.stringContaining('event:Event(unplaced)'),
    expect.stringContaining('order:EventOrder(key)'),
  ]);
});
