/** @more bounds */

import * as E from 'fp-ts/Either';

import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { readingQuery } from '../../src/questions/cypher/reading-query';
import { askedWhileWanted } from '../../src/web/admission/question-room';
import { type TurnLimits, Turns } from '../../src/web/admission/turns';
import type { Failure } from '../../src/problem';
import { testNeo4j } from '../support/neo4j';

const BUSY: Failure = { _tag: 'Exhausted', message: 'busy' };
const ONE: TurnLimits = {
  atOnce: 10,
  ofKey: 1,
  patience: { seconds: 0.05, keyBusy: 'busy', allBusy: 'busy' },
};
const LIMITS = { seconds: 1, rows: 10, bytes: 1e6, graceSeconds: 0.2 };

// A loop within one row: Neo4j looks between rows only whether a query must end.
const OVERDUE = 'RETURN any(x IN range(1, toInteger($most)) WHERE x < 0) AS found';
const MOST = { most: 300_000_000 };

let graph: Graph;
let direct: Graph;
beforeAll(async () => {
  // One connection alone: whoever keeps it shuts out all others.
  graph = openGraph(testNeo4j(), { connections: 1, isForQuestions: true });
  direct = openGraph(testNeo4j());
  // Then the loop has its plan, and the time of the tests is the time within it.
  const planned = { cypher: OVERDUE, parameters: { most: 1 } };
  const patient = { ...LIMITS, seconds: 600 };
  expect(await readingQuery(graph, patient, planned)()).toMatchObject({
    right: { rows: [[false]] },
  });
});
afterAll(async () => {
  await closeGraph(graph);
  await closeGraph(direct);
});

test('a query that Neo4j does not end gives up its connection, and keeps its turn until it ends', async () => {
  const turns = new Turns(ONE);
  const asked = turns.run(
    { key: 'ann' },
    readingQuery(graph, LIMITS, { cypher: OVERDUE, parameters: MOST }),
  );
  const given = await asked();
  if (!E.isLeft(given) || given.left._tag !== 'Unavailable') throw new Error('it was not given up');
  const { stillRunning } = given.left;
  expect(stillRunning?.transaction).toMatch(/^[\da-f-]{36}$/);

  const next = readingQuery(graph, LIMITS, { cypher: 'RETURN 1 AS one', parameters: {} });
  // The connection is free, the turn is not.
  expect(await next()).toMatchObject({ right: { rows: [[1]] } });
  expect(await turns.run({ key: 'ann' }, next)()).toEqual(E.left(BUSY));
  expect(await turns.run({ key: 'bob' }, next)()).toMatchObject({ right: { rows: [[1]] } });

  await stillRunning?.ended;
  expect(await turns.run({ key: 'ann' }, next)()).toMatchObject({ right: { rows: [[1]] } });
});

/** Waits until Neo4j works on a question for so long that it is within a row. */
const untilWithinRow = async (): Promise<void> => {
  for (;;) {
    const [{ count } = { count: 0 }] = await ask(
      direct,
      'SHOW TRANSACTIONS YIELD metaData, elapsedTime WHERE metaData.question IS NOT NULL AND elapsedTime.milliseconds > 1500 RETURN count(*) AS count',
    );
    if (count === 1) return;
  }
};

test('a query whose client leaves keeps its turn until Neo4j has ended it', async () => {
  const turns = new Turns(ONE);
  const left = new AbortController();
  const patient = { ...LIMITS, seconds: 60 };
  const asked = turns.run(
    { key: 'ann' },
    askedWhileWanted(
      left.signal,
      readingQuery(graph, patient, { cypher: OVERDUE, parameters: MOST }),
    ),
  )();
  await untilWithinRow();
  left.abort();
  const given = await asked;
  if (!E.isLeft(given) || given.left._tag !== 'Unavailable') throw new Error('it was not given up');
  const { stillRunning } = given.left;
  expect(stillRunning?.isOverdue).toBe(false);
  const next = readingQuery(graph, LIMITS, { cypher: 'RETURN 1 AS one', parameters: {} });
  expect(await next()).toMatchObject({ right: { rows: [[1]] } });
  expect(await turns.run({ key: 'ann' }, next)()).toEqual(E.left(BUSY));
  await stillRunning?.ended;
  expect(await turns.run({ key: 'ann' }, next)()).toMatchObject({ right: { rows: [[1]] } });
});
