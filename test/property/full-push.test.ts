import fc from 'fast-check';
import type { Driver } from 'neo4j-driver';

import { pushSequence, type Push } from '../arbitrary/push-sequence';
import type { ServiceUnderTest } from '../http/service-under-test';
import { answersThatChange } from '../mirror/access';
import { Mirror } from '../mirror/mirror';
import { testDriver } from '../support/neo4j';
import { Comparison, streamOf } from './comparison';
import { startService } from './service-driver';
import { fullPushTopics, Tally } from './tally';

// What every run of the suite repeats; with another `PROPERTY_SEED` it looks elsewhere.
const runs = Number(process.env.PROPERTY_RUNS ?? 200);
const seed = process.env.PROPERTY_SEED ?? '4';
/** With fewer sequences some things are too rare to be asked for. */
const COUNTS_NEED = 200;
/** Shrinking a counterexample takes many times as long as finding it: `PROPERTY_SHRINK=1` asks for it. */
const SHRINKS = process.env.PROPERTY_SHRINK !== undefined;
const tally = new Tally(fullPushTopics);

let driver: Driver;
let service: ServiceUnderTest;
let both: Comparison;

beforeAll(async () => {
  driver = testDriver();
  service = await startService();
  both = new Comparison(driver, service, tally);
});
afterAll(async () => {
  await service.close();
  await driver.close();
  process.stdout.write(`${tally.toString()}\n`);
});

test(
  'after every full push the graph is what the mirror expects',
  async () => {
    await fc.assert(
      fc.asyncProperty(pushSequence, fc.nat({ max: 7 }), async (pushes, turn) => {
        const streams = await both.emptyStreams();
        const mirror = new Mirror();
        const accepted: Push[] = [];
        const digests = new Map<number, string>();
        for (const sent of pushes) {
          const answer = await both.push(sent, streamOf(streams, sent), mirror);
          if (answer.accepted) {
            accepted.push(sent);
            digests.set(sent.source, answer.digest);
          }
          await both.expectSameGraph(mirror);
        }
        const changes = await tally.time('access', () => answersThatChange(mirror.graph()));
        for (const [rule, count] of changes) {
          tally.count('access answers that change without the rule', rule, count);
        }
        if (turn === 0) await both.replay(accepted, digests);
        tally.count('sequences and pushes', 'sequences');
      }),
      { numRuns: runs, seed: Number(seed), endOnFailure: !SHRINKS },
    );
    expect(runs < COUNTS_NEED ? [] : tally.holes()).toEqual([]);
  },
  60 * 60_000,
);

test(
  'a push that is applied in parts leaves what the mirror expects as well',
  async () => {
    const inParts = await startService({ transactionRows: 80 });
    const comparison = new Comparison(driver, inParts, new Tally(fullPushTopics), false);
    await fc.assert(
      fc.asyncProperty(pushSequence, async (pushes) => {
        const streams = await comparison.emptyStreams();
        const mirror = new Mirror();
        for (const sent of pushes) {
          await comparison.push(sent, streamOf(streams, sent), mirror);
          await comparison.expectSameGraph(mirror);
        }
      }),
      { numRuns: Math.ceil(runs / 50), seed: Number(seed), endOnFailure: !SHRINKS },
    );
    await inParts.close();
    const told = inParts.logged.filter(({ message }) => message === 'a push is applied in parts');
    expect(new Set(told.map(({ push_id }) => push_id)).size).toBeGreaterThan(runs / 50);
  },
  60 * 60_000,
);
