import fc from 'fast-check';

import { lookAlikeNames } from '../arbitrary/look-alike-names';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { streamOf } from './comparison';
import { PropertySuite } from './property-suite';
import { fullPushTopics, Tally } from './tally';

/*
 * Random pushes of people whose names look alike: the warnings must be those that the mirror finds by comparing each
 * name with each other (docs/rules.md: Look-alikes).
 */

const kinds = ['user', 'group', 'employee'];

const tally = new Tally({
  'warnings of full pushes': [...kinds, 'with letters', 'without letters'],
  'warnings of increments': kinds,
});

const suite = new PropertySuite({
  runs: sized(16, 500),
  seed: 38,
  tally,
  compared: new Tally(fullPushTopics),
});

test('names that look alike are reported as the mirror finds them', async () => {
  const property = fc.asyncProperty(lookAlikeNames, async (pushes) => {
    const streams = await suite.both.emptyStreams();
    const mirror = new Mirror();
    for (const sent of pushes) {
      const answer = await suite.both.push(sent, streamOf(streams, sent), mirror);
      const way = 'incremental_change' in (sent.payload ?? {}) ? 'increments' : 'full pushes';
      tally.count(way, answer.accepted ? 'accepted' : 'refused');
      if (!answer.accepted) continue;
      for (const { code, message } of answer.warnings) {
        if (code !== 'LOOK_ALIKE') continue;
        const kind = kinds.find((one) => message.includes(`(${one} `)) ?? '';
        tally.count(`warnings of ${way}`, kind);
        if (way === 'increments') continue;
        const letters = message.includes('U+') ? 'with letters' : 'without letters';
        tally.count('warnings of full pushes', letters);
      }
    }
    tally.count('sequences', 'any');
  });
  await fc.assert(property, suite.parameters(suite.runs));
  expect(tally.holes()).toEqual([]);
}, 3_600_000);
