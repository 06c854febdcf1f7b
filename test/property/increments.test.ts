import fc from 'fast-check';

import { incrementSequence } from '../arbitrary/increment-sequence';
import type { Push } from '../arbitrary/push-sequence';
import { toldOperations } from '../arbitrary/told-operations';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { streamOf, type Stream } from './comparison';
import { type Answer } from './service-driver';
import { PropertySuite } from './property-suite';
import { incrementTopics, Tally } from './tally';

const tally = new Tally(incrementTopics);

const suite = new PropertySuite({
  corpus: 'increments',
  runs: sized(0, 300),
  seed: 6,
  tally,
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
  for (const { message } of answer.warnings) {
    const operation = /(\w+)\)$/.exec(message)?.[1] ?? '';
    if (incrementTopics['operations of warnings']?.includes(operation) === true) {
      tally.count('operations of warnings', operation);
    }
  }
}

/** The same push again, which the mirror judges like any other. */
async function repeat(sent: Push, stream: Stream, mirror: Mirror): Promise<Answer> {
  tally.count('sequences and pushes', 'repeated');
  const answer = await suite.both.push(sent, stream, mirror);
  await suite.both.expectSameGraph(mirror);
  return answer;
}

test(
  'after every full or incremental push the graph is what the mirror expects',
  async () => {
    await suite.holds(fc.tuple(incrementSequence, fc.nat({ max: 15 })), async ([pushes, turn]) => {
      // By day every second sequence of the corpus asks again about instants.
      const asksAgain = turn % sized(3, 1) === 0;
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      for (const [at, sent] of pushes.entries()) {
        const stream = streamOf(streams, sent);
        const answer = await suite.both.push(sent, stream, mirror);
        count(sent, answer);
        // Two deletions end each sequence, after which all is compared.
        await suite.both.expectSameGraph(mirror, (at + turn) % sized(4, 1) === 0);
        if (answer.accepted && asksAgain && (at + turn) % sized(4, 2) === 0) {
          await suite.both.rememberAnswers(answer, mirror);
        }
        if (at === turn) count(sent, await repeat(sent, stream, mirror));
      }
      await suite.both.deleteTwo(streams, mirror, turn);
      tally.count('sequences and pushes', 'sequences');
    });
  },
  60 * 60_000,
);
