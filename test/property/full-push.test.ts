import fc from 'fast-check';

import { pushSequence, type Push } from '../arbitrary/push-sequence';
import { answersThatChange } from '../mirror/access';
import { Mirror } from '../mirror/mirror';
import { Comparison, streamOf } from './comparison';
import { startService } from './service-driver';
import { PropertySuite } from './property-suite';
import { fullPushTopics, Tally } from './tally';

const tally = new Tally(fullPushTopics);

const suite = new PropertySuite({ runs: 200, seed: 4, tally });

test(
  'after every full push the graph is what the mirror expects',
  async () => {
    await fc.assert(
      fc.asyncProperty(pushSequence, fc.nat({ max: 7 }), async (pushes, turn) => {
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
        if (turn === 0) await suite.both.replay(accepted, digests);
        tally.count('sequences and pushes', 'sequences');
      }),
      suite.parameters,
    );
    suite.expectNoHoles();
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
      { ...suite.parameters, numRuns: Math.ceil(suite.runs / 50) },
    );
    await inParts.close();
    const told = inParts.logged.filter(({ message }) => message === 'a push is applied in parts');
    expect(new Set(told.map(({ push_id }) => push_id)).size).toBeGreaterThan(suite.runs / 50);
  },
  60 * 60_000,
);
