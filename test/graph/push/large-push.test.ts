import { type FilledGraph, filledGraph, TEST_LIMITS } from '../../support/push';
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
