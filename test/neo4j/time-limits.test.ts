/** @more bounds */

import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { NoAnswer } from '../../src/neo4j/failure';
import { runTransaction } from '../../src/neo4j/transaction';
import { testNeo4j } from '../support/neo4j';

const SLOW = 'UNWIND range(1, 1000000000) AS slow RETURN count(slow % 7)';

// Neo4j does not end a loop within one row.
const ENDLESS = `UNWIND range(1, 900000) AS x WITH collect(x) AS xs
RETURN size([x IN xs WHERE ${Array.from({ length: 60 }, (_, at) => `x % ${at + 1} = -1`).join(' OR ')}])`;

let graph: Graph;

beforeAll(() => {
  // One connection alone: whoever keeps it shuts out all others.
  graph = openGraph(testNeo4j(), { connections: 1, transactionSeconds: 1 });
});
afterAll(() => closeGraph(graph));

test('work of the service that sets no limit of its own ends after the limit of all work', async () => {
  await expect(ask(graph, SLOW)).rejects.toMatchObject({
    code: expect.stringContaining('TransactionTimedOut') as string,
  });
});

test.each(['read', 'write'] as const)(
  'work of the service (%s) that Neo4j does not end gives up its connection',
  async (mode) => {
    const asked = runTransaction(graph, { mode, atMostSeconds: 1.6 }, (tx) => tx.run(ENDLESS));
    await expect(asked).rejects.toBeInstanceOf(NoAnswer);
    const next = { mode, timeoutSeconds: 60 } as const;
    const { records } = await runTransaction(graph, next, (tx) => tx.run('RETURN 1 AS one'));
    expect(Number(records[0]?.get('one'))).toBe(1);
  },
);
