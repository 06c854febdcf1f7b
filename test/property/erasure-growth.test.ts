/** @more erasure */

import fc from 'fast-check';

import { clash } from '../arbitrary/clashing-people';
import { type SourceName, SOURCES } from '../arbitrary/erasure-world';
import { sized } from '../support/test-size';
import { ErasureStage, type Streams, type Told } from './erasure-stage';
import { PropertySuite } from './property-suite';
import { push } from './service-driver';
import { Tally } from './tally';

/*
 * Whatever somebody with a small key pushes to a data source of their own provider, an erasure removes nothing more of
 * others: no row, no property and no past fact, be it the erasure of their own people or of those of others.
 */

const NAMES = Object.keys(SOURCES) as readonly SourceName[];

const tally = new Tally({
  attackers: NAMES,
  erased: ['people of the attacker', 'people of others'],
  believed: ['nobody', 'a directory'],
  removed: ['rows of others'],
});

const suite = new PropertySuite({
  runs: sized(8, 300),
  seed: 52,
  tally,
  compared: new Tally({}),
});

let stage: ErasureStage;
beforeAll(async () => {
  stage = await ErasureStage.open(suite.driver);
});
afterAll(() => stage.close());

/** What an erasure would remove of others: rows, and properties of rows. */
const removedOf = ({ entities }: Told, source: string): readonly string[] =>
  entities.values
    .filter(({ id }) => !id.startsWith(source))
    .flatMap(({ id, change, loses }) =>
      change === 'removed'
        ? [id]
        : // A relationship to a row that is gone ends with it.
          loses.filter((what) => what !== what.toUpperCase()).map((what) => `${id} ${what}`),
    );

const pushAll = async (
  streams: Streams,
  all: readonly { source: SourceName; payload: object }[],
) => {
  for (const { source, payload } of all) {
    const answer = await push(stage.service, streams[source].registered, JSON.stringify(payload));
    if (!answer.accepted) throw new Error(JSON.stringify([source, answer.problems]));
  }
};

const people = async (): Promise<readonly string[]> => {
  const { records } = await suite.driver.executeQuery(
    'MATCH (n:IdpUser|Employee|LocalUser) RETURN n.key AS key ORDER BY key',
    {},
    { database: stage.service.graph.database },
  );
  return records.map((record) => String(record.get('key')));
};

test(
  'what an erasure removes of others does not grow, whatever another provider pushes',
  async () => {
    const cases = fc.tuple(clash, fc.constantFrom(...NAMES), fc.boolean());
    await suite.holds(cases, async ([{ pushes }, attacker, isTrusting]) => {
      const streams = await stage.emptyStreams();
      const believed = isTrusting && attacker !== 'corp' ? [streams.corp.registered.provider] : [];
      const plan = (principal: string): Promise<Told> =>
        stage.plan({ principal, also: [], except: [], trusted_providers: believed });
      const { id } = streams[attacker].source;
      await pushAll(
        streams,
        pushes.filter(({ source }) => source !== attacker),
      );
      const before = new Map<string, ReadonlySet<string>>();
      for (const principal of await people()) {
        before.set(principal, new Set(removedOf(await plan(principal), id)));
      }
      await pushAll(
        streams,
        pushes.filter(({ source }) => source === attacker),
      );
      for (const principal of await people()) {
        const known = before.get(principal) ?? new Set();
        const removed = removedOf(await plan(principal), id);
        expect([principal, removed.filter((one) => !known.has(one))]).toEqual([principal, []]);
        tally.count(
          'erased',
          principal.startsWith(id) ? 'people of the attacker' : 'people of others',
        );
        tally.count('removed', 'rows of others', removed.length);
      }
      tally.count('attackers', attacker);
      tally.count('believed', believed.length === 0 ? 'nobody' : 'a directory');
    });
  },
  60 * 60_000,
);
