import { CHANGED, DELETION, FIRST } from './push-kinds';
import { momentOf } from './points';
import { Stage } from './stage';
import { Standing } from './standing';
import { strike, undisturbed, type Victim } from './strike';

jest.setTimeout(240_000);

let stage: Stage;
let standing: Standing;

beforeAll(async () => {
  stage = await Stage.open();
  standing = await Standing.begin(stage);
});
afterAll(() => stage.close());

/** A first push and a changed one, struck before a step and after it; then all goes, for the next ones. */
const strikeAround = async (victim: Victim, step: string): Promise<void> => {
  const isCommit = step === 'commit';
  expect(await strike(stage, standing, FIRST, victim, momentOf(step, 'before'))).toEqual({
    left: 'before',
    retried: 'changed',
  });
  expect(await strike(stage, standing, CHANGED, victim, momentOf(step, 'after'))).toEqual({
    left: isCommit ? 'after' : 'before',
    retried: isCommit ? 'unchanged' : 'changed',
  });
  await undisturbed(stage, standing, DELETION);
  standing = await standing.next(stage);
};

test.each(['lock', 'rows', 'shared nodes', 'derivation', 'commit'])(
  'the service killed at the step "%s" of a push leaves the graph of before it or of after it, and the push can be sent again',
  (step) => strikeAround('service', step),
);

test('Neo4j killed at the commit of a push comes back with the graph of before it or of after it', () =>
  strikeAround('Neo4j', 'commit'));

test('Neo4j killed while rows are written comes back without them', async () => {
  expect(await strike(stage, standing, FIRST, 'Neo4j', momentOf('rows', 'after'))).toEqual({
    left: 'before',
    retried: 'changed',
  });
});
