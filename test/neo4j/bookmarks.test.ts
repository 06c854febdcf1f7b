import { closeGraph, openGraph, shownBookmarks } from '../../src/neo4j/driver';
import { runTransaction, type TransactionOptions } from '../../src/neo4j/transaction';
import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';

const graph = openGraph(testNeo4j());
const driver = testDriver();

beforeAll(() => clearGraph(driver));
afterAll(async () => {
  await clearGraph(driver);
  await closeGraph(graph);
  await driver.close();
});

const run = (mode: TransactionOptions['mode'], statement: string): Promise<unknown> =>
  runTransaction(graph, { mode }, (tx) => tx.run(statement));

test('what was written here is seen by all that comes after it', async () => {
  const before = await shownBookmarks(graph);
  await run('write', 'CREATE (:Met)');
  expect(await shownBookmarks(graph)).not.toEqual(before);
});

// Whoever begins with such a bookmark waits for what others were committing when it was given: seconds beside a large push.
test.each(['read', 'write'] as const)(
  'what others write is not waited for after a transaction that only reads (%s)',
  async (mode) => {
    await run('write', 'CREATE (:Met)');
    const before = await shownBookmarks(graph);
    await driver.executeQuery('CREATE (:Met)', {}, { database: testNeo4j().database });
    // The end of one is not waited for where it only reads: that of the first is known once others have been answered.
    for (let time = 1; time <= 3; time += 1) await run(mode, 'MATCH (n:Met) RETURN count(n)');
    expect(await shownBookmarks(graph)).toEqual(before);
  },
);
