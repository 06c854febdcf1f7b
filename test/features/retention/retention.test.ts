import neo4j from 'neo4j-driver';

import { records } from '../../../src/features';
import { graphRetention, removeWhatIsOld } from '../../../src/features/retention/retention';
import { runTransaction } from '../../../src/neo4j/transaction';
import { type FilledGraph, filledGraph } from '../../support/push';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

const keep = (eventDays: number, pushDays: number, atOnce?: number): Promise<void> =>
  removeWhatIsOld(
    graphRetention(filled.graph, records, atOnce),
    { eventDays, pushDays },
    () => false,
  );

/** Makes everything that has happened so many days older; facts keep leading to their pushes. */
const age = (days: number): Promise<void> =>
  runTransaction(filled.graph, { mode: 'write' }, async (tx) => {
    const older = async (match: string, time: string): Promise<void> => {
      await tx.run(`MATCH ${match} SET ${time} = ${time} - duration({days: $days})`, {
        days: neo4j.int(days),
      });
    };
    await older('(n:Event)', 'n.timestamp');
    await older('(n:Push)', 'n.at');
    await older('(n:DataSource)', 'n.last_push_at');
    await older('(n) WHERE n.row_hash IS NOT NULL', 'n.since');
    await older('(n) WHERE n.row_hash IS NOT NULL', 'n.changed');
  });

const outcomes = async (): Promise<readonly unknown[]> =>
  (await filled.ask('MATCH (n:Push) RETURN n.outcome AS outcome ORDER BY n.at')).map(
    ({ outcome }) => outcome,
  );

const count = async (cypher: string): Promise<number> =>
  Number((await filled.ask(`${cypher} RETURN count(*) AS count`))[0]?.count);

const directory = (users: readonly string[]): object => ({
  domains: [{ name: 'corp.example' }],
  users: users.map((name) => ({ name })),
});

test('old records go, but those of pushes that facts lead to and of the last push', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  await filled.accept(corp, directory(['ann']));
  await filled.accept(corp, directory(['ann']));
  await filled.push(corp, directory(['']));
  await filled.accept(corp, directory(['ann', 'bob']));
  await filled.push(corp, directory(['']));
  await filled.accept(corp, directory(['ann', 'bob']));
  await age(91);
  await keep(90, 90);
  expect(await outcomes()).toEqual(['accepted', 'accepted', 'unchanged']);
  expect(await count('MATCH (n:Event)')).toBe(0);
  expect(
    await count(
      `MATCH (n) WHERE n.row_hash IS NOT NULL AND (NOT EXISTS { MATCH (:Push {at: n.since}) } OR NOT EXISTS { MATCH (:Push {at: n.changed}) })`,
    ),
  ).toBe(0);
  expect(await count(`MATCH (source:DataSource) MATCH (:Push {key: source.last_push})`)).toBe(1);
});

test('what is younger stays, and 0 days keep everything', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  await filled.push(corp, directory(['']));
  await age(10);
  await filled.push(corp, directory(['']));
  const events = await count('MATCH (n:Event)');
  await keep(0, 0);
  await keep(11, 11);
  expect(await outcomes()).toEqual(['refused', 'refused']);
  expect(await count('MATCH (n:Event)')).toBe(events);
  await keep(9, 9);
  expect(await outcomes()).toEqual(['refused']);
  expect(await count('MATCH (n:Event)')).toBe(1);
});

test('much goes in small steps, and two processes at once do not harm each other', async () => {
  const sources = [
    await filled.register('corp', 'identity_provider'),
    await filled.register('wiki', 'application'),
  ];
  for (const source of sources) {
    for (let at = 0; at < 12; at += 1) await filled.push(source, directory(['']));
  }
  await age(100);
  const pushed = filled.accept(sources[0] as (typeof sources)[0], directory(['ann']));
  await Promise.all([keep(90, 90, 5), keep(90, 90, 5)]);
  await pushed;
  expect(await outcomes()).toEqual(['accepted']);
  expect(await count('MATCH (n:Event)')).toBe(1);
});
