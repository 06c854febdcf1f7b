import fc from 'fast-check';
import type { Driver } from 'neo4j-driver';

import { type AccessPush, accessPushes } from '../arbitrary/access-payloads';
import type { ServiceUnderTest } from '../http/service-under-test';
import { answersThatChange } from '../mirror/access';
import { Mirror } from '../mirror/mirror';
import { testDriver } from '../support/neo4j';
import { AccessComparison } from './access-comparison';
import { Comparison } from './comparison';
import { startService } from './service-driver';
import { accessTopics, Tally } from './tally';

// Five graphs each. What every run of the suite repeats; `PROPERTY_RUNS=1000 PROPERTY_SEED=…` looks further. Zero counts fail from 100 on.
const runs = Number(process.env.PROPERTY_RUNS ?? 100);
const seed = process.env.PROPERTY_SEED ?? '8';
const COUNTS_NEED = 100;
/** Shrinking a counterexample takes many times as long as finding it: `PROPERTY_SHRINK=1` asks for it. */
const SHRINKS = process.env.PROPERTY_SHRINK !== undefined;
const tally = new Tally(accessTopics);

let driver: Driver;
let service: ServiceUnderTest;
let both: Comparison;
let answers: AccessComparison;

beforeAll(async () => {
  driver = testDriver();
  service = await startService();
  both = new Comparison(driver, service, tally);
  answers = new AccessComparison(driver, service, tally);
});
afterAll(async () => {
  await service.close();
  await driver.close();
  process.stdout.write(`${tally.toString()}\n`);
});

test(
  'every answer about who can do what is what the mirror expects',
  async () => {
    await fc.assert(
      fc.asyncProperty(accessPushes, fc.nat(), async ({ first, then }, pick) => {
        const streams = await both.emptyStreams();
        const mirror = new Mirror();
        const push = async ({ source, payload }: AccessPush): Promise<void> => {
          const stream = streams[source];
          if (stream === undefined) throw new Error(`There is no data source ${source}.`);
          const sent = { source, text: JSON.stringify(payload), payload, shapeProblems: [] };
          await both.push(sent, stream, mirror);
        };
        const compare = async (overHttp: boolean): Promise<void> => {
          const graph = mirror.graph();
          tally.count('compared', 'graphs');
          await answers.compare(graph, pick, overHttp);
          for (const [rule, count] of await tally.time('mirror', () => answersThatChange(graph))) {
            tally.count('access answers that change without the rule', rule, count);
          }
        };
        for (const each of first) await push(each);
        await compare(true);
        for (const each of then) {
          await push(each);
          await compare(false);
        }
      }),
      { numRuns: runs, seed: Number(seed), endOnFailure: !SHRINKS },
    );
    expect(runs < COUNTS_NEED ? [] : tally.holes()).toEqual([]);
  },
  60 * 60_000,
);
