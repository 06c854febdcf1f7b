import fc from 'fast-check';
import type { Driver } from 'neo4j-driver';

import { incrementSequence } from '../arbitrary/increment-sequence';
import type { Push } from '../arbitrary/push-sequence';
import { toldOperations } from '../arbitrary/told-operations';
import type { ServiceUnderTest } from '../http/service-under-test';
import { Mirror } from '../mirror/mirror';
import { testDriver } from '../support/neo4j';
import { Comparison, streamOf, type Stream } from './comparison';
import { startService, type Answer } from './service-driver';
import { incrementTopics, Tally } from './tally';

// What every run of the suite repeats; `PROPERTY_RUNS=2000 PROPERTY_SEED=…` looks further. Zero counts fail from 300 on.
const runs = Number(process.env.PROPERTY_RUNS ?? 300);
const seed = process.env.PROPERTY_SEED ?? '6';
const COUNTS_NEED = 300;
/** Shrinking a counterexample takes many times as long as finding it: `PROPERTY_SHRINK=1` asks for it. */
const SHRINKS = process.env.PROPERTY_SHRINK !== undefined;
const tally = new Tally(incrementTopics);

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

function isIncrement({ text }: Push): boolean {
  return /"incremental_change":true/i.test(text);
}

function count(sent: Push, answer: Answer): void {
  if (!answer.accepted || sent.payload === null || !isIncrement(sent)) return;
  tally.count('sequences and pushes', 'increments accepted');
  for (const { operation, kind } of toldOperations(sent.payload)) {
    tally.count('operations in accepted increments', `${operation} ${kind}`);
  }
  for (const text of answer.warnings) {
    const operation = /(\w+)\)$/.exec(text)?.[1] ?? '';
    if (incrementTopics['operations of warnings']?.includes(operation) === true) {
      tally.count('operations of warnings', operation);
    }
  }
}

/** The same push again, which the mirror judges like any other. */
async function repeat(sent: Push, stream: Stream, mirror: Mirror): Promise<Answer> {
  tally.count('sequences and pushes', 'repeated');
  const answer = await both.push(sent, stream, mirror);
  await both.expectSameGraph(mirror);
  return answer;
}

test(
  'after every full or incremental push the graph is what the mirror expects',
  async () => {
    await fc.assert(
      fc.asyncProperty(incrementSequence, fc.nat({ max: 15 }), async (pushes, turn) => {
        const streams = await both.emptyStreams();
        const mirror = new Mirror();
        for (const [at, sent] of pushes.entries()) {
          const stream = streamOf(streams, sent);
          count(sent, await both.push(sent, stream, mirror));
          await both.expectSameGraph(mirror);
          if (at === turn) count(sent, await repeat(sent, stream, mirror));
        }
        tally.count('sequences and pushes', 'sequences');
      }),
      { numRuns: runs, seed: Number(seed), endOnFailure: !SHRINKS },
    );
    expect(runs < COUNTS_NEED ? [] : tally.holes()).toEqual([]);
  },
  60 * 60_000,
);
