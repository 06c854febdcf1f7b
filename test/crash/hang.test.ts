/** @more restarts */

import { setTimeout as sleep } from 'node:timers/promises';

import { otherConstants } from '../../bench/other-constants';
import { momentOf } from './points';
import { sized } from '../support/test-size';
import { CHANGED, FIRST } from './push-kinds';
import { type Answered, Stage } from './stage';
import { expectStored, Existing } from './standing';
import { afresh, undisturbed } from './strike';

let stage: Stage;
let standing: Existing;

beforeAll(async () => {
  stage = await Stage.onTestNeo4j(otherConstants({ LIMIT_SILENCE_SECONDS: 6 }));
  standing = await Existing.begin(stage);
});
afterAll(() => stage.close());

const expectUnavailable = ({ status, body, retryAfter }: Answered): void => {
  expect({ status, code: body.code, message: body.message }).toEqual({
    status: 503,
    code: 'Unavailable',
    message: 'The graph database does not answer.',
  });
  expect(retryAfter).toMatch(/^\d+$/);
};

const statusOf = async (path: string): Promise<number> => (await stage.send('GET', path)).status;

/** As long as Neo4j hangs, the service lives and says what is the matter. */
const expectToldHanging = async (): Promise<void> => {
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf('/readyz')).toBe(503);
  expectUnavailable(await FIRST.begin(stage, standing.registered)());
};

/** The push again, whatever became of it when Neo4j heard the rest of it. */
const expectRetried = async (unchanged: boolean): Promise<void> => {
  await stage.ready();
  const before = await standing.recorded(stage);
  if (unchanged) standing.take(FIRST.payload ?? {}, before.at ?? '');
  await expectStored(stage, standing.mirror());
  const answer = await FIRST.begin(stage, standing.registered)();
  expect([answer.status, answer.body.unchanged]).toEqual([200, unchanged]);
  if (!unchanged) standing.take(FIRST.payload ?? {}, (await standing.recorded(stage)).at ?? '');
  await undisturbed(stage, standing, CHANGED);
  standing = await afresh(stage, standing);
};

const HANGS = [
  ['rows', 'before', false],
  ['commit', 'after', true],
] as const;

test.each(HANGS.slice(0, sized(1, 2)))(
  'a push is answered 503 when Neo4j hangs at its step "%s" (%s), and taken once Neo4j is back',
  async (step, side, isTaken) => {
    const reached = stage.proxy.stopAt(momentOf(step, side));
    const sent = FIRST.begin(stage, standing.registered)();
    await reached;
    expectUnavailable(await sent);
    await expectToldHanging();
    stage.proxy.thaw();
    await expectRetried(isTaken);
  },
);

test('pushes are answered 503 when Neo4j hangs before they connect, and hold no sockets afterwards', async () => {
  const before = stage.proxy.count();
  stage.proxy.freeze();
  const many = Array.from({ length: 30 }, () => FIRST.begin(stage, standing.registered)());
  for (const answer of await Promise.all(many)) expectUnavailable(answer);
  await expectToldHanging();
  stage.proxy.thaw();
  await expectRetried(false);
  // What was opened in vain is closed, one by one, as Neo4j answers; the background may hold a few of its own.
  const few = before + 5;
  while (stage.proxy.count() > few) await sleep(100);
});
