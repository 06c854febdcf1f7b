/** @more bounds */

import { closeGraph, openGraph } from '../../src/neo4j/driver';
import { graphChunkedPushes } from '../../src/push/graph/chunked-pushes';
import { heldFailure } from '../../src/push/change/push-refusal';
import { testNeo4j } from '../support/neo4j';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';
import { expectedGraph, fixtureNames, fixturePushes, FixtureRun } from './push-fixtures';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph(TEST_LIMITS, { transactionRows: 12 });
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

test.each(fixtureNames())('%s, applied in parts, ends in its graph', async (name) => {
  const run = new FixtureRun(filled);
  for (const push of fixturePushes(name)) await run.push(push);
  expect(await run.tell()).toEqual(expectedGraph(name));
});

test('a payload that cannot be kept since Neo4j has gone is told as that', async () => {
  const gone = openGraph({ ...testNeo4j(), uri: 'bolt://127.0.0.1:1' });
  const kept = graphChunkedPushes(gone, TEST_LIMITS).keepPayload('some data source', '{}');
  const failure = await kept.catch(heldFailure);
  await closeGraph(gone);
  expect(failure).toMatchObject({
    _tag: 'Unavailable',
    message: 'The graph database does not answer.',
  });
});
