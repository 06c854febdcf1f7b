import fc from 'fast-check';
import type { Driver } from 'neo4j-driver';

import { incrementSequence } from '../arbitrary/increment-sequence';
import type { Push } from '../arbitrary/push-sequence';
import { wholePayload } from '../arbitrary/whole-payload';
import type { ServiceUnderTest } from '../http/service-under-test';
import { Mirror } from '../mirror/mirror';
import { receive } from '../mirror/reception';
import { testDriver } from '../support/neo4j';
import { Comparison, streamOf, type Replayed } from './comparison';
import { startService } from './service-driver';
import { interleavingTopics, Tally } from './tally';

// What every run of the suite repeats; with another `PROPERTY_SEED` it looks elsewhere.
const runs = Number(process.env.PROPERTY_RUNS ?? 25);
const seed = process.env.PROPERTY_SEED ?? '7';
/** With fewer sequences some things are too rare to be asked for. */
const COUNTS_NEED = 25;
/** Shrinking a counterexample takes many times as long as finding it: `PROPERTY_SHRINK=1` asks for it. */
const SHRINKS = process.env.PROPERTY_SHRINK !== undefined;
const tally = new Tally(interleavingTopics);

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

/** The resulting whole of each data source, pushed to a new one as it is: equal digests (graph.md 7). */
async function pushWholes(
  { streams, mirror }: Replayed,
  digests: ReadonlyMap<number, string>,
): Promise<void> {
  for (const [at, digest] of digests) {
    const source = streams[at]?.source;
    const held = source === undefined ? null : mirror.holds(source.id);
    if (held === null) continue;
    const { payload, isExact } = wholePayload(held);
    if (!isExact || receive(null, held.source, payload).problems.length > 0) continue;
    const other = await both.newStream(held.source.template);
    const sent = { source: at, text: JSON.stringify(payload), payload, shapeProblems: [] };
    expect(await both.push(sent, other, mirror)).toMatchObject({ accepted: true, digest });
    tally.count('sequences and pushes', 'resulting wholes pushed');
  }
  await both.expectSameGraph(mirror);
}

test(
  'the data sources by turns or one after the other, and the resulting whole of each: equal digests',
  async () => {
    await fc.assert(
      fc.asyncProperty(incrementSequence, async (pushes) => {
        const streams = await both.emptyStreams();
        const mirror = new Mirror();
        const accepted: Push[] = [];
        const digests = new Map<number, string>();
        for (const sent of pushes) {
          const answer = await both.push(sent, streamOf(streams, sent), mirror);
          if (!answer.accepted) continue;
          accepted.push(sent);
          digests.set(sent.source, answer.digest);
        }
        await both.expectSameGraph(mirror);
        await pushWholes(await both.replay(accepted, digests), digests);
        tally.count('sequences and pushes', 'sequences');
      }),
      { numRuns: runs, seed: Number(seed), endOnFailure: !SHRINKS },
    );
    expect(runs < COUNTS_NEED ? [] : tally.holes()).toEqual([]);
  },
  60 * 60_000,
);
