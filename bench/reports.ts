import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import neo4j, { type ProfiledPlan, type QueryResult } from 'neo4j-driver';

import { company } from '../src/demo/company';
import { parseSavedQuery } from '../src/kit/parse-saved-query';
import { savedQueries } from '../src/kit/saved-queries';
import { fileOf, type SavedQuery } from '../src/kit/saved-query';
import { hrPayload, STAFF_DOMAIN, staffPayload, workshopPayload } from './estate-payload';
import { fillGraph, pushOnce } from './large-graph';
import { load, processorSeconds } from './machine';
import type { Options } from './options';
import { hitsOf } from './profiled-graph';
import { median } from './report';
import type { RoundTools } from './round';

type Say = (text: string) => void;

/** One person of the staff for so many elements. */
const ELEMENTS_OF_A_PERSON = 100;
const COMPANY = join(__dirname, '../../../examples/company');
/** How often a report is timed after a run that warms up. The median counts. */
const TIMES = 3;
/** Slow reports are timed once. */
const SLOW_SECONDS = 20;
const MOST_SECONDS = 120;

/**
 * Values of parameters that fit the graph of the bench, beside the examples, which are about the
 * company of the demo. Everything in the graph came lately, unless only the last push counts.
 */
const MORE_VALUES: Readonly<
  Record<string, readonly (readonly [parameter: string, value: string])[]>
> = {
  'resources-everybody-can-reach': [
    ['domain', `'${STAFF_DOMAIN}'`],
    ['domain', "'example.com'"],
  ],
  'access-that-came-lately': [['since', 'COLLECT { MATCH (push:Push) RETURN max(push.at) }[0]']],
};

/** What one run of a query gave. */
interface Run {
  readonly seconds: number;
  /** The seconds that processors worked for Neo4j; other load on the machine hardly changes them. */
  readonly worked: number;
  /** Each row as a text, sorted: equal texts are equal rows. */
  readonly rows: readonly string[];
}

/** What all runs of a query gave; `problem` if it could not be answered. */
interface Measured {
  readonly seconds: number;
  readonly worked: number;
  readonly hits: number;
  readonly rows: readonly string[];
  readonly problem?: string;
}

/** Fills the graph, and adds the company of the demo and an estate with what reports look for. */
const fill = async (tools: RoundTools, options: Options, say: Say): Promise<void> => {
  const people = Math.ceil(options.elements / ELEMENTS_OF_A_PERSON);
  await pushOnce(tools, 'Staff', 'identity_provider', () => staffPayload(people), say);
  await pushOnce(tools, 'People', 'hris', () => hrPayload(people), say);
  await pushOnce(tools, 'Workshop', 'application', () => workshopPayload(people), say);
  for (const { file, provider, template } of company) {
    const read = (): object => JSON.parse(readFileSync(join(COMPANY, file), 'utf8')) as object;
    await pushOnce(tools, provider, template, read, say);
  }
  await fillGraph(tools, options, say);
  await tools.driver.executeQuery('CALL db.awaitIndexes(600)');
  await tools.driver.executeQuery('CALL db.prepareForReplanning(600)');
};

const ask = (
  { driver, database }: RoundTools,
  cypher: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<QueryResult> =>
  driver.executeQuery(cypher, parameters, {
    database,
    routing: neo4j.routing.READ,
    transactionConfig: { timeout: MOST_SECONDS * 1000 },
  });

const parametersOf = async (
  tools: RoundTools,
  { parameters }: SavedQuery,
  [asked, value]: readonly [string, string] = ['', ''],
): Promise<Readonly<Record<string, unknown>>> => {
  const values = parameters.map(
    ({ name, example }) => `${name === asked ? value : example} AS ${name}`,
  );
  const { records } = await ask(tools, `RETURN ${[...values, 'true AS asked'].join(', ')}`, {});
  return records[0]?.toObject() ?? {};
};

const runOnce = async (
  tools: RoundTools,
  { cypher }: SavedQuery,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Run> => {
  const [start, before] = [performance.now(), await processorSeconds(tools.neo4jPid)];
  const { records } = await ask(tools, cypher, parameters);
  const seconds = (performance.now() - start) / 1000;
  const worked = ((await processorSeconds(tools.neo4jPid)) ?? NaN) - (before ?? NaN);
  return {
    seconds,
    worked,
    rows: records.map((record) => JSON.stringify(record.toObject())).sort(),
  };
};

/** Runs the versions of a query by turns, so that a machine that grows slower meets them alike. */
const measured = async (
  tools: RoundTools,
  versions: readonly SavedQuery[],
  value: readonly [string, string] | undefined,
): Promise<readonly Measured[]> => {
  const runs = versions.map((): Run[] => []);
  const problems = versions.map((): string | undefined => undefined);
  const parameters = await Promise.all(
    versions.map((version) => parametersOf(tools, version, value)),
  );
  for (let time = 0; time <= TIMES; time += 1) {
    for (const [at, version] of versions.entries()) {
      const isDone = problems[at] !== undefined || (runs[at]?.[0]?.seconds ?? 0) > SLOW_SECONDS;
      if (isDone) continue;
      try {
        runs[at]?.push(await runOnce(tools, version, parameters[at] ?? {}));
      } catch (error) {
        problems[at] = error instanceof Error ? error.message : String(error);
      }
    }
  }
  const all: Measured[] = [];
  for (const [at, version] of versions.entries()) {
    const done = runs[at] ?? [];
    const counted = done.length > 1 ? done.slice(1) : done;
    const hits =
      problems[at] === undefined ? await countHits(tools, version, parameters[at] ?? {}) : NaN;
    all.push({
      seconds: median(counted.map(({ seconds }) => seconds)),
      worked: median(counted.map(({ worked }) => worked)),
      hits,
      rows: done[0]?.rows ?? [],
      ...(problems[at] === undefined ? {} : { problem: problems[at] }),
    });
  }
  return all;
};

const countHits = async (
  tools: RoundTools,
  { cypher }: SavedQuery,
  parameters: Readonly<Record<string, unknown>>,
): Promise<number> => {
  const { summary } = await ask(tools, `PROFILE ${cypher}`, parameters);
  return hitsOf(summary.profile as ProfiledPlan);
};

const told = ({ seconds, worked, hits, rows, problem }: Measured): string =>
  problem === undefined
    ? `${seconds.toFixed(2)} (${worked.toFixed(2)}) | ${hits.toLocaleString('en-US')} | ${rows.length}`
    : `failed: ${problem.slice(0, 80)} | – | –`;

const verdict = (most: number, isReport: boolean, { seconds, problem }: Measured): string => {
  if (!isReport) return '';
  return problem === undefined && seconds <= most ? 'reached' : 'MISSED';
};

/** The seconds that a report may take on a graph of so many elements (docs/performance.md: Reports). */
const mostSeconds = (elements: number): number => (elements <= 150_000 ? 2 : 10);

const otherOf = (folder: string, query: SavedQuery): SavedQuery =>
  parseSavedQuery(fileOf(query), readFileSync(join(folder, fileOf(query)), 'utf8'));

const areEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((row, at) => row === b[at]);

/** The line of a query in the table: its other version if there is one, and itself. */
const line = (
  query: SavedQuery,
  value: readonly [string, string] | undefined,
  all: readonly Measured[],
  most: number,
): string => {
  const [present, other] = all.toReversed();
  if (present === undefined) throw new Error('Nothing was measured.');
  const differs =
    other !== undefined && other.problem === undefined && !areEqual(other.rows, present.rows);
  return `| ${[
    fileOf(query).replace('.cypher', '') + (value === undefined ? '' : `, ${value.join(' ')}`),
    ...(other === undefined ? [] : [told(other)]),
    told(present),
    `${verdict(most, query.whole !== undefined, present)}${differs ? ' OTHER ROWS' : ''}`,
  ].join(' | ')} |`;
};

/**
 * Times every saved query on a graph of so many elements. With a folder of other versions of the
 * queries, it runs both by turns, and compares their rows.
 */
export const measureReports = async (
  tools: RoundTools,
  options: Options,
  say: Say,
): Promise<void> => {
  await fill(tools, options, say);
  const { nodes, relationships } = await tools.graph.size();
  const most = mostSeconds(options.elements);
  const { against } = options;
  const before = against === undefined ? '' : ' before: seconds (worked) | store accesses | rows |';
  say('');
  say(`${nodes} nodes and ${relationships} relationships; a report may take ${most} s`);
  say(`| query |${before} seconds (worked) | store accesses | rows | ${most} s at most |`);
  say(`| --- |${before.replace(/[^|]+/g, ' --- ')} --- | --- | --- | --- |`);
  const asked = savedQueries().filter((query) => fileOf(query).includes(options.only));
  for (const query of asked) {
    for (const value of [undefined, ...(MORE_VALUES[query.name] ?? [])]) {
      const versions = [...(against === undefined ? [] : [otherOf(against, query)]), query];
      say(line(query, value, await measured(tools, versions, value), most));
    }
  }
  say(`Load ${load()}`);
};
