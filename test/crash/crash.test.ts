/** @more restarts */

import { otherConstants } from '../../bench/other-constants';
import { CHANGED, FILE, FIRST } from './push-kinds';
import { LARGE_ROWS } from './payloads';
import { momentOf } from './points';
import { Stage } from './stage';
import { Existing } from './standing';
import { sized } from '../support/test-size';
import { afresh, strike, type Victim, VICTIMS } from './strike';
import { sweep, sweepTable } from './sweep';

// Every run strikes the service and its connections at some moments; by night `neo4j-lost.test.ts` kills Neo4j too. `CRASH_SWEEP=service`, `CRASH_SWEEP=connections` and `CRASH_SWEEP=Neo4j` strike every moment of every kind of push.
const { CRASH_SWEEP: wanted, CRASH_SECONDS = '100000', PROPERTY_SEED = '6' } = process.env;
const SWEEP_MILLISECONDS = 48 * 3600 * 1000;

const victim = (): Victim => {
  const found = VICTIMS.find((one) => one === wanted);
  if (found === undefined) throw new Error(`CRASH_SWEEP is one of ${VICTIMS.join(', ')}.`);
  return found;
};

let stage: Stage;
let standing: Existing;

beforeAll(async () => {
  const settings = otherConstants({ LIMIT_TRANSACTION_ROWS: LARGE_ROWS, PUSH_RESUME_SECONDS: 1 });
  stage = await (wanted === 'Neo4j' ? Stage.open(settings) : Stage.onTestNeo4j(settings));
  standing = await Existing.begin(stage);
});
afterAll(() => stage.close());

/** A first push and a changed one, struck before a step and after it; then all goes, for the next ones. */
const strikeAround = async (step: string): Promise<void> => {
  const isCommit = step === 'commit';
  expect(await strike(stage, standing, FIRST, 'service', momentOf(step, 'before'))).toEqual({
    left: 'before',
    retried: 'changed',
  });
  expect(await strike(stage, standing, CHANGED, 'service', momentOf(step, 'after'))).toEqual({
    left: isCommit ? 'after' : 'before',
    retried: isCommit ? 'unchanged' : 'changed',
  });
  standing = await afresh(stage, standing);
};

if (wanted === undefined) {
  test.each(sized(['commit'], ['lock', 'rows', 'shared nodes', 'derivation', 'commit']))(
    'the service killed at the step "%s" of a push leaves the graph as before it or as after it, and the push can be sent again',
    strikeAround,
  );

  test.each([
    ['before', { left: 'before', retried: 'changed' }],
    ['after', { left: 'after', retried: 'unchanged' }],
  ] as const)(
    "a page's push killed half way (%s its commit) leaves the graph as before it or as after it, and the file can be pushed again",
    async (side, outcome) => {
      const struck = await strike(stage, standing, FILE, 'service', momentOf('commit', side));
      expect(struck).toEqual(outcome);
      standing = await afresh(stage, standing);
    },
  );

  const made = { left: 'after', retried: 'unchanged' } as const;
  const once = [
    ['rows', 'before', made],
    ['commit', 'before', { left: 'before', retried: 'changed' }],
  ] as const;
  const others = [
    ['end of a look-up', 'before', made],
    ['rows', 'after', made],
    ['commit', 'after', made],
  ] as const;

  test.each([...once, ...sized<typeof others | readonly []>([], others)])(
    'a push whose connections to Neo4j break at the step "%s" (%s) is made again by the service, unless nobody knows whether it was committed',
    async (step, side, outcome) => {
      const struck = await strike(stage, standing, FIRST, 'connections', momentOf(step, side));
      expect(struck).toEqual(outcome);
      standing = await afresh(stage, standing);
    },
  );
} else {
  test(
    `${wanted} lost at any moment of any push leaves the graph as before it or as after it, and the push can be sent again`,
    async () => {
      const swept = await sweep(stage, standing, {
        victim: victim(),
        seconds: Number(CRASH_SECONDS),
        seed: Number(PROPERTY_SEED),
        progress: (text) => void process.stderr.write(`${text}\n`),
      });
      process.stdout.write(`${sweepTable(swept)}\n`);
      expect(swept.flatMap(({ struck }) => struck).length).toBeGreaterThan(0);
    },
    SWEEP_MILLISECONDS,
  );
}
