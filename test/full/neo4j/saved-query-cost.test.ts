import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ProfiledPlan } from 'neo4j-driver';

import { directoryPayload } from '../../../bench/access-payload';
import { applicationPayload } from '../../../bench/application-payload';
import { hitsOf } from '../../../bench/profiled-graph';
import { company } from '../../../src/demo/company';
import { savedQueries } from '../../../src/kit/saved-queries';
import { fileOf, type SavedQuery } from '../../../src/kit/saved-query';
import { type FilledGraph, filledGraph } from '../../support/push';

const FOLDER = join(__dirname, '../../../examples/company');

/** How large the application is that stands beside the company, which no parameter names. */
const BESIDE = [2_000, 12_000] as const;

/** Whose accounts most of the application's are. */
const PEOPLE_BESIDE = 200;

interface Cost {
  readonly hits: number;
  /** Nodes and relationships that stood. */
  readonly elements: number;
  /** Facts that had ended. */
  readonly ended: number;
}

let filled: FilledGraph;
const costs = new Map<string, Cost[]>();

const countOf = async (cypher: string): Promise<number> =>
  Number((await filled.ask(cypher))[0]?.count);

const costOf = async (query: SavedQuery): Promise<number> => {
  const { driver, database } = filled.graph;
  const run = (text: string, parameters = {}) =>
    driver.executeQuery(text, parameters, { database });
  const examples = query.parameters.map(({ name, example }) => `${example} AS ${name}`);
  const { records } = await run(`RETURN ${[...examples, 'true AS asked'].join(', ')}`);
  const { summary } = await run(`PROFILE ${query.text}`, records[0]?.toObject());
  return hitsOf(summary.profile as ProfiledPlan);
};

beforeAll(async () => {
  filled = await filledGraph();
  for (const { file, dataSource, template } of company) {
    const source = await filled.register(dataSource, template);
    await filled.accept(source, readFileSync(join(FOLDER, file), 'utf8'));
  }
  const people = await filled.register('people beside', 'identity_provider');
  await filled.accept(people, directoryPayload(PEOPLE_BESIDE));
  const beside = await filled.register('beside', 'application');
  for (const elements of BESIDE) {
    await filled.accept(beside, applicationPayload(elements, 1));
    await filled.ask('CALL db.prepareForReplanning(60)');
    const standing =
      (await countOf('MATCH (n) RETURN count(n) AS count')) +
      (await countOf('MATCH ()-[r]->() RETURN count(r) AS count'));
    const ended = await countOf('MATCH (past:Past) RETURN count(past) AS count');
    for (const query of savedQueries()) {
      const cost = { hits: await costOf(query), elements: standing, ended };
      costs.set(query.name, [...(costs.get(query.name) ?? []), cost]);
    }
  }
});
afterAll(() => filled.close());

const costsOf = ({ name }: SavedQuery): readonly [Cost, Cost] =>
  costs.get(name) as unknown as readonly [Cost, Cost];

/** What a report may look at for each node and relationship that comes, and what another question may for all of them. */
const HITS_OF_AN_ELEMENT = 40;
const HITS_OF_A_PUSH = 50;
/** What a query about what was may look at for each fact that ended. */
const HITS_OF_AN_END = 100;

const isAboutWhatWas = ({ topic }: SavedQuery): boolean => topic === 'history';

/** Whether a query asks what came since a time. All that stands here came lately. */
const isAboutWhatCame = ({ parameters }: SavedQuery): boolean =>
  parameters.some(({ name }) => name === 'since');

const growsWithAll = (query: SavedQuery): boolean =>
  query.whole !== undefined || isAboutWhatCame(query);

const cases = (isReport: boolean): readonly (readonly [string, SavedQuery])[] =>
  savedQueries()
    .filter((query) => !isAboutWhatWas(query) && growsWithAll(query) === isReport)
    .map((query) => [fileOf(query), query] as const);

test.each(cases(false))('%s costs the same on a larger graph', (_file, query) => {
  const [small, large] = costsOf(query);
  expect(large.elements).toBeGreaterThan(2 * small.elements);
  expect(large.hits).toBeLessThan(small.hits * 1.05 + HITS_OF_A_PUSH);
});

test.each(cases(true))('%s costs in proportion to what stands', (_file, query) => {
  const [small, large] = costsOf(query);
  const came = large.elements - small.elements;
  expect((large.hits - small.hits) / came).toBeLessThan(HITS_OF_AN_ELEMENT);
});

test.each(
  savedQueries()
    .filter(isAboutWhatWas)
    .map((query) => [fileOf(query), query] as const),
)('%s costs in proportion to what ended', (_file, query) => {
  const [small, large] = costsOf(query);
  const ended = large.ended - small.ended;
  expect(ended).toBeGreaterThan(100);
  expect((large.hits - small.hits) / ended).toBeLessThan(HITS_OF_AN_END);
});
