import fc from 'fast-check';
import type { Driver } from 'neo4j-driver';

import { incrementSequence } from '../arbitrary/increment-sequence';
import type { Push } from '../arbitrary/push-sequence';
import { toldOperations } from '../arbitrary/told-operations';
import { wholePayload } from '../arbitrary/whole-payload';
import type { ServiceUnderTest } from '../http/service-under-test';
import { Mirror } from '../mirror/mirror';
import { testDriver } from '../support/neo4j';
import { Comparison, type Stream, streamOf } from './comparison';
import { push, startService } from './service-driver';
import { incrementTopics, Tally } from './tally';

// What every run of the suite repeats; with another `PROPERTY_SEED` it looks elsewhere.
const runs = Number(process.env.INCREMENT_RUNS ?? 300);
const seed = process.env.PROPERTY_SEED ?? '4';
/** With fewer sequences some things are too rare to be asked for. */
const COUNTS_NEED = 300;
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

const isIncrement = ({ text }: Push): boolean => /"incremental_change":true/i.test(text);

/** The accepted pushes again, data source by data source in another order: the same digests and graph (graph.md 10). */
const replay = async (
  accepted: readonly Push[],
  digests: ReadonlyMap<number, string>,
): Promise<void> => {
  const streams = await both.emptyStreams();
  const mirror = new Mirror();
  const again = new Map<number, string>();
  for (const sent of [...accepted].sort((a, b) => b.source - a.source)) {
    const answer = await both.push(sent, streamOf(streams, sent), mirror);
    if (answer.accepted) again.set(sent.source, answer.digest);
  }
  expect(new Map([...again].sort())).toEqual(new Map([...digests].sort()));
  await both.expectSameGraph(mirror);
  tally.count('sequences and pushes', 'replayed in another order');
};

/** What a data source holds in the end, as one full push, brings the same digest (graph.md 7: the resulting whole). */
const pushWhole = async (stream: Stream, mirror: Mirror, digest: string): Promise<void> => {
  const held = mirror.holds(stream.source.id);
  const whole = held === null ? null : wholePayload(held);
  if (whole?.isExact !== true) return;
  const fresh = await both.newStream(stream.source.template);
  const text = JSON.stringify(whole.payload);
  const answer = await push(service, fresh.registered, text);
  // A value that stands may have lost its declaration with its application's type.
  if (!answer.accepted) return;
  expect(answer.digest).toBe(digest);
  tally.count('sequences and pushes', 'resulting wholes pushed');
};

test(
  'after every push, full or incremental, the graph is what the mirror expects',
  async () => {
    await fc.assert(
      fc.asyncProperty(incrementSequence, fc.nat({ max: 5 }), async (pushes, turn) => {
        const streams = await both.emptyStreams();
        const mirror = new Mirror();
        const accepted: Push[] = [];
        const digests = new Map<number, string>();
        for (const sent of pushes) {
          const answer = await both.push(sent, streamOf(streams, sent), mirror);
          await both.expectSameGraph(mirror);
          if (!answer.accepted) continue;
          const before = accepted.findLast(({ source }) => source === sent.source);
          if (before?.text === sent.text) tally.count('sequences and pushes', 'repeated');
          accepted.push(sent);
          digests.set(sent.source, answer.digest);
          if (!isIncrement(sent)) continue;
          tally.count('sequences and pushes', 'increments accepted');
          for (const { kind, operation } of toldOperations(sent.payload ?? {})) {
            tally.count('operations in accepted increments', `${operation} ${kind}`);
          }
        }
        if (turn === 0) await replay(accepted, digests);
        const last = accepted.at(-1);
        const digest = last === undefined ? undefined : digests.get(last.source);
        if (turn === 1 && last !== undefined && digest !== undefined) {
          await pushWhole(streamOf(streams, last), mirror, digest);
        }
        tally.count('sequences and pushes', 'sequences');
      }),
      { numRuns: runs, seed: Number(seed) },
    );
    expect(runs < COUNTS_NEED ? [] : tally.holes()).toEqual([]);
  },
  60 * 60_000,
);
