/** @more access */

import fc from 'fast-check';

import { humanWorlds } from '../arbitrary/human-worlds';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { HumansBetween, momentsOf } from './humans-between';
import { PropertySuite } from './property-suite';
import { humanTopics, Tally } from './tally';

const tally = new Tally(humanTopics);
const suite = new PropertySuite({ corpus: 'humans', runs: sized(2, 60), seed: 51, tally });

test(
  'what humans could do at instants, and gained and lost between them, is what the mirror expects',
  async () => {
    const humans = new HumansBetween(suite.service, tally);
    await suite.holds(fc.tuple(humanWorlds, fc.nat()), async ([pushes, seed]) => {
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      for (const { source, payload } of pushes) {
        const stream = streams[source];
        if (stream === undefined) throw new Error(`There is no data source ${source}.`);
        const sent = { source, text: JSON.stringify(payload), payload, shapeProblems: [] };
        await suite.both.push(sent, stream, mirror);
      }
      await suite.both.expectSameGraph(mirror);
      await tally.time('questions', () =>
        humans.compare(
          momentsOf(mirror.pastGraphs()),
          seed,
          sized(80, 200),
          streams.map(({ source }) => source.id),
        ),
      );
      tally.count('sequences and pushes', 'sequences');
    });
  },
  60 * 60_000,
);
