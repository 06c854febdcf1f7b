/** @more night */

import fc from 'fast-check';

import { pushSequence, type Push } from '../arbitrary/push-sequence';
import { answersThatChange } from '../mirror/access';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { Comparison, streamOf } from './comparison';
import { startService } from './service-driver';
import { PropertySuite } from './property-suite';
import { fullPushTopics, Tally } from './tally';

/** Sequences whose pushes are applied in chunks. */
const IN_PARTS = sized(2, 4);

const tally = new Tally(fullPushTopics);

const suite = new PropertySuite({
  corpus: 'full-pushes',
  runs: sized(0, 200),
  seed: 4,
  tally,
});

test(
  'after every full push the graph is what the mirror expects',
  async () => {
    await suite.holds(fc.tuple(pushSequence, fc.nat({ max: 7 })), async ([pushes, turn]) => {
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      const accepted: Push[] = [];
      const digests = new Map<number, string>();
      for (const sent of pushes) {
        const answer = await suite.both.push(sent, streamOf(streams, sent), mirror);
        if (answer.accepted) {
          accepted.push(sent);
          digests.set(sent.source, answer.digest);
        }
        await suite.both.expectSameGraph(mirror);
      }
      const changes = await tally.time('access', () => answersThatChange(mirror.graph()));
      for (const [rule, count] of changes) {
        tally.count('access answers that change without the rule', rule, count);
      }
      await suite.both.deleteTwo(streams, mirror, turn);
      if (turn === 0) await suite.both.replay(accepted, digests);
      tally.count('sequences and pushes', 'sequences');
    });
  },
  60 * 60_000,
);

test(
  'a push that is applied in parts leaves what the mirror expects as well',
  async () => {
    const inParts = await startService({ transactionRows: 80 });
    const comparison = new Comparison(suite.driver, inParts, new Tally(fullPushTopics), false);
    await fc.assert(
      fc.asyncProperty(pushSequence, async (pushes) => {
        const streams = await comparison.emptyStreams();
        const mirror = new Mirror();
        for (const sent of pushes) {
          await comparison.push(sent, streamOf(streams, sent), mirror);
          await comparison.expectSameGraph(mirror);
        }
      }),
      suite.parameters(IN_PARTS),
    );
    await inParts.close();
    const told = inParts.logged.filter(
      ({ message }) => message === 'the service applies a chunked push',
    );
    expect(new Set(told.map(({ push_id }) => push_id)).size).toBeGreaterThan(IN_PARTS);
  },
  60 * 60_000,
);
