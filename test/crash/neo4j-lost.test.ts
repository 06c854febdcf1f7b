/** @more restarts */

import { setTimeout as sleep } from 'node:timers/promises';

import { otherConstants } from '../../bench/other-constants';
import { sized } from '../support/test-size';
import { momentOf } from './points';
import { FIRST } from './push-kinds';
import { Stage } from './stage';
import { Existing } from './standing';
import { strike } from './strike';

/** By day connections to the tests' Neo4j are lost. By night a Neo4j of its own is stopped and killed, and plans all again each time. */
const isNeo4jKilled = sized(false, true);

let stage: Stage;
let standing: Existing;

beforeAll(async () => {
  // All that works in the background wants Neo4j every second.
  const settings = otherConstants({
    PUSH_RESUME_SECONDS: 1,
    KEEP_EVERY_SECONDS: 1,
    EVENTS_POLL_SECONDS: 0.1,
  });
  stage = await (isNeo4jKilled ? Stage.open(settings) : Stage.onTestNeo4j(settings));
  standing = await Existing.begin(stage);
});
afterAll(() => stage.close());

interface Line {
  readonly level: string;
  readonly message: string;
  readonly status?: number;
  readonly path?: string;
  readonly seconds?: number;
}

/** The end of the last whole line: a pipe may cut its chunks anywhere. */
const wholeLines = (text: string): number => text.lastIndexOf('\n') + 1;

const linesIn = (text: string): readonly Line[] =>
  text
    .slice(0, wholeLines(text))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** Reads a stream of events until it ends. */
const streamEnd = async (): Promise<void> => {
  const { address, apiKey } = stage.service;
  const answer = await fetch(`${address}/api/v1/events:stream`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  await answer.text().catch(() => undefined);
};

const READY = '/readyz';
const ASKED = [
  '/api/v1/providers/custom',
  '/api/v1/events',
  '/api/v1/entities',
  '/api/v1/access?principal=x',
  READY,
];

type Outage = 'SIGKILL' | 'SIGTERM' | 'lost connections';

const begin = (outage: Outage): Promise<void> =>
  outage === 'lost connections' ? stage.proxy.cut() : stage.killNeo4j(outage);

const end = async (outage: Outage): Promise<void> => {
  if (outage !== 'lost connections') return stage.startNeo4jAgain();
  await stage.proxy.mend();
  await stage.ready();
};

test.each<Outage>([
  'lost connections',
  ...(isNeo4jKilled ? (['SIGKILL', 'SIGTERM'] as const) : []),
])(
  'an outage by %s is one line when it begins and one when it ends; what fails meanwhile has its own line alone',
  async (outage) => {
    const before = wholeLines(stage.service.printed());
    const streamed = streamEnd();
    let isDown = false;
    // Neo4j is asked while it ends, too.
    const statuses: number[] = [];
    const asking = (async () => {
      while (!isDown) {
        statuses.push((await stage.send('GET', '/api/v1/providers/custom')).status);
      }
    })();
    await begin(outage);
    isDown = true;
    await asking;
    for (const path of ASKED) {
      const { status } = await stage.send('GET', path);
      // The service asks Neo4j for it once a second at most, so it may still be 200.
      if (path !== READY) statuses.push(status);
    }
    statuses.push((await FIRST.begin(stage, standing.registered)()).status);
    await streamed;
    await end(outage);
    const printed = (): readonly Line[] => linesIn(stage.service.printed().slice(before));
    const ended = (): boolean => printed().some(({ message }) => message === 'Neo4j answers again');
    while (!ended()) await sleep(100);

    const lines = printed();
    const told = lines.filter(({ message }) => !/^request/.test(message));
    expect(told.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'Neo4j does not answer; requests that need it are answered 503 until it does'],
      ['info', 'Neo4j answers again'],
    ]);
    expect(told[1]?.seconds).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain('error_stack');
    // The live stream may have begun before Neo4j was gone, or be refused too.
    const apart = [READY, '/api/v1/events:stream'];
    const refused = lines.filter(
      ({ status, path = '' }) => status === 503 && !apart.includes(path),
    );
    const expected = statuses.filter((status) => status === 503).length;
    const paths = refused.map(({ path }) => path);
    expect({ paths, expected }).toEqual({ paths, expected: paths.length });
    expect(expected).toBeGreaterThanOrEqual(ASKED.length);
  },
);

if (isNeo4jKilled)
  test('Neo4j killed once a push is committed comes back with the graph of after it', async () => {
    expect(await strike(stage, standing, FIRST, 'Neo4j', momentOf('commit', 'after'))).toEqual({
      left: 'after',
      retried: 'unchanged',
    });
  });
