import fc from 'fast-check';

import { type AccessPush, accessPushes } from '../arbitrary/access-payloads';
import { answersThatChange } from '../mirror/access';
import { Mirror } from '../mirror/mirror';
import { sized } from '../support/test-size';
import { AccessComparison } from './access-comparison';
import { PropertySuite } from './property-suite';
import { ReportComparison } from './report-comparison';
import { accessTopics, Tally } from './tally';

const tally = new Tally(accessTopics);

// Five graphs each.
const suite = new PropertySuite({ corpus: 'access', runs: sized(0, 100), seed: 8, tally });
let answers: AccessComparison;
let reports: ReportComparison;

beforeAll(() => {
  answers = new AccessComparison(suite.driver, suite.service, tally);
  reports = new ReportComparison(suite.driver, tally);
});

test(
  'every answer about who can do what is what the mirror expects, and reports give what plain ones do',
  async () => {
    await suite.holds(fc.tuple(accessPushes, fc.nat()), async ([{ first, then }, pick]) => {
      const streams = await suite.both.emptyStreams();
      const mirror = new Mirror();
      const push = async ({ source, payload }: AccessPush): Promise<void> => {
        const stream = streams[source];
        if (stream === undefined) throw new Error(`There is no data source ${source}.`);
        const sent = { source, text: JSON.stringify(payload), payload, shapeProblems: [] };
        await suite.both.push(sent, stream, mirror);
      };
      const compare = async (overHttp: boolean): Promise<void> => {
        const graph = mirror.graph();
        tally.count('compared', 'graphs');
        await answers.compare(graph, pick, overHttp);
        await tally.time('reports', () => reports.compare());
        for (const [rule, count] of await tally.time('mirror', () => answersThatChange(graph))) {
          tally.count('access answers that change without the rule', rule, count);
        }
      };
      for (const each of first) await push(each);
      await compare(true);
      for (const each of then) {
        await push(each);
        await compare(false);
      }
    });
  },
  60 * 60_000,
);
