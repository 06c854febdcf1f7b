/** @more pushes */
import { incrementSequence } from '../arbitrary/increment-sequence';
import type { Push } from '../arbitrary/push-sequence';
import { wholePayload } from '../arbitrary/whole-payload';
import { Mirror } from '../mirror/mirror';
import { receive } from '../mirror/reception';
import { sized } from '../support/test-size';
import { streamOf, type Replayed } from './comparison';
import { PropertySuite } from './property-suite';
import { interleavingTopics, Tally } from './tally';

const tally = new Tally(interleavingTopics);

const suite = new PropertySuite({
  corpus: 'interleavings',
  runs: sized(0, 25),
  seed: 7,
  tally,
});

/** The resulting whole of each data source, pushed to a new one as it is: equal digests (docs/rules.md: Increments). */
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
    const other = await suite.both.newStream(held.source.template);
    const sent = { source: at, text: JSON.stringify(payload), payload, shapeProblems: [] };
    expect(await suite.both.push(sent, other, mirror)).toMatchObject({ accepted: true, digest });
    tally.count('sequences and pushes', 'resulting wholes pushed');
  }
  await suite.both.expectSameGraph(mirror);
}

test(
  'the data sources by turns or one after the other, and the resulting whole of each: equal digests',
  async () => {
    await suite.holds(incrementSequence, async (pushes) => {
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      const accepted: Push[] = [];
      const digests = new Map<number, string>();
      for (const sent of pushes) {
        const answer = await suite.both.push(sent, streamOf(streams, sent), mirror);
        if (!answer.accepted) continue;
        accepted.push(sent);
        digests.set(sent.source, answer.digest);
      }
      await suite.both.expectSameGraph(mirror);
      await pushWholes(await suite.both.replay(accepted, digests), digests);
      tally.count('sequences and pushes', 'sequences');
    });
  },
  60 * 60_000,
);
