import fc from 'fast-check';
import type { Driver } from 'neo4j-driver';

import { pushSequence, templates, type Push } from '../arbitrary/push-sequence';
import type { ServiceUnderTest } from '../http/service-under-test';
import { answersThatChange } from '../mirror/access';
import { Mirror } from '../mirror/mirror';
import type { Problem } from '../mirror/pointer';
import type { DataSource } from '../mirror/rows';
import { testDriver, testNeo4j } from '../support/neo4j';
import { differences } from './graph-comparison';
import { push, register, startService, type Answer, type Registered } from './service-driver';
import { storedGraph } from './stored-graph';
import { Tally } from './tally';

// What every run of the suite repeats; with another `PROPERTY_SEED` it looks elsewhere.
const runs = Number(process.env.PROPERTY_RUNS ?? 200);
const seed = process.env.PROPERTY_SEED ?? '4';
/** With fewer sequences some things are too rare to be asked for. */
const COUNTS_NEED = 200;
const tally = new Tally();

let driver: Driver;
let service: ServiceUnderTest;

beforeAll(async () => {
  driver = testDriver();
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await driver.close();
  process.stdout.write(`${tally.toString()}\n`);
});

/** A data source as the service knows it, and as the mirror does. */
interface Stream {
  readonly registered: Registered;
  readonly source: DataSource;
}

/** Four empty data sources in an empty graph. */
function emptyStreams(): Promise<readonly Stream[]> {
  return tally.time('register', async () => {
    await driver.executeQuery(
      'MATCH (n) WHERE NOT n:BindingLock DETACH DELETE n',
      {},
      { database: testNeo4j().database },
    );
    const streams: Stream[] = [];
    for (const template of templates) {
      const registered = await register(service, template);
      const { data_source_id: id, provider } = registered;
      streams.push({ registered, source: { id, provider, template } });
    }
    return streams;
  });
}

function streamOf(streams: readonly Stream[], { source }: Push): Stream {
  const stream = streams[source];
  if (stream === undefined) throw new Error(`There is no data source ${source}.`);
  return stream;
}

/** One push to both: the service's answer must be what the mirror expects. */
async function pushToBoth(
  sent: Push,
  { registered, source }: Stream,
  mirror: Mirror,
): Promise<Answer> {
  const answer = await tally.time('push', () => push(service, registered, sent.text));
  const at = answer.accepted ? answer.at : '';
  const expected =
    sent.payload === null
      ? { accepted: false as const, problems: sent.shapeProblems }
      : await tally.time('mirror', () => mirror.accept(source, sent.payload ?? {}, at));
  if (answer.accepted !== expected.accepted) {
    throw new Error(`answered ${JSON.stringify(answer)}\nexpected ${JSON.stringify(expected)}`);
  }
  if (!answer.accepted || !expected.accepted) {
    const problems = expected.accepted ? [] : expected.problems;
    expect(sorted(answer.accepted ? [] : answer.problems)).toEqual(sorted(problems));
    for (const { code } of problems) tally.count('problems', code);
    tally.count('sequences and pushes', 'refused');
    return answer;
  }
  expect(answer.warnings).toEqual(expected.warnings);
  expect(answer.unchanged).toBe(expected.unchanged);
  if (answer.unchanged) expect(answer.written).toBe(0);
  answer.warnings.forEach((text) => tally.countWarning(text));
  tally.count('sequences and pushes', answer.unchanged ? 'unchanged' : 'accepted');
  return answer;
}

function sorted(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
}

async function expectSameGraph(mirror: Mirror): Promise<void> {
  const expected = mirror.graph();
  const stored = await tally.time('read back', () => storedGraph(driver));
  const found = await tally.time('compare', () => differences(expected, stored));
  expect(found.slice(0, 12)).toEqual([]);
  tally.countGraph(expected);
}

/** Accepted pushes again, data source by data source in another order: the same digests and graph (graph.md 10). */
async function replay(
  accepted: readonly Push[],
  digests: ReadonlyMap<number, string>,
): Promise<void> {
  const streams = await emptyStreams();
  const mirror = new Mirror();
  const again = new Map<number, string>();
  const inOtherOrder = [...accepted].sort((a, b) => b.source - a.source);
  for (const sent of inOtherOrder) {
    const answer = await pushToBoth(sent, streamOf(streams, sent), mirror);
    if (answer.accepted) again.set(sent.source, answer.digest);
  }
  expect(new Map([...again].sort())).toEqual(new Map([...digests].sort()));
  await expectSameGraph(mirror);
}

test(
  'after every full push the graph is what the mirror expects',
  async () => {
    await fc.assert(
      fc.asyncProperty(pushSequence, fc.nat({ max: 3 }), async (pushes, turn) => {
        const streams = await emptyStreams();
        const mirror = new Mirror();
        const accepted: Push[] = [];
        const digests = new Map<number, string>();
        for (const sent of pushes) {
          const answer = await pushToBoth(sent, streamOf(streams, sent), mirror);
          if (answer.accepted) {
            accepted.push(sent);
            digests.set(sent.source, answer.digest);
          }
          await expectSameGraph(mirror);
        }
        const changes = await tally.time('access', () => answersThatChange(mirror.graph()));
        for (const [rule, count] of changes) {
          tally.count('access answers that change without the rule', rule, count);
        }
        if (turn === 0) await replay(accepted, digests);
        tally.count('sequences and pushes', 'sequences');
        if (turn === 0) tally.count('sequences and pushes', 'replayed in another order');
      }),
      { numRuns: runs, seed: Number(seed) },
    );
    expect(runs < COUNTS_NEED ? [] : tally.holes()).toEqual([]);
  },
  60 * 60_000,
);
