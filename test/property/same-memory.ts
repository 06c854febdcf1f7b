import type { Driver } from 'neo4j-driver';

import { testNeo4j } from '../support/neo4j';

/**
 * No process has found that what it holds in memory differs from Neo4j. Each compares it when somebody
 * verifies a data source.
 */
export async function expectNoMemoryDiffered(driver: Driver): Promise<void> {
  const { records } = await driver.executeQuery(
    "MATCH (event:Event {event_type: 'ACCESS_MEMORY_DIFFERED'}) RETURN event.message AS message",
    {},
    { database: testNeo4j().database },
  );
  expect(records.map((record) => record.get('message') as string)).toEqual([]);
}
