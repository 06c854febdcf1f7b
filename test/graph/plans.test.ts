/** @more bounds */

import type { Plan } from 'neo4j-driver';

import { listStatements } from '../../src/features';
import { nodeKinds } from '../../src/templates/graph/nodes';
import { relationshipKinds } from '../../src/templates/graph/relationships';
import { BINDING_LOCK } from '../../src/graph/statements/schema';
import { type FilledGraph, filledGraph } from '../support/push';
import { shapeOf } from '../support/statement-shape';
import { sized } from '../support/test-size';

/** How a statement may find what it works on: through indexes, the count store, or from what it holds already. */
const SOURCES = new Set([
  'NodeUniqueIndexSeek',
  'NodeUniqueIndexSeek(Locking)',
  'NodeIndexSeek',
  'NodeUniqueIndexSeekByRange',
  'NodeIndexSeekByRange',
  'NodeByElementIdSeek',
  'NodeCountFromCountStore',
  'MergeUniqueNode',
  'Argument',
]);

const IS_SOURCE = /Seek|Scan|CountStore|ById|^MergeUniqueNode$|^Argument$/;

/** Joins that hold whole inputs; a product of two seeks for one row is none. */
const HEAVY = /HashJoin|Triadic/;

let filled: FilledGraph;
const texts = new Map([
  ...listStatements().map(({ title, text }) => [title, text] as const),
  ['The binding lock', BINDING_LOCK],
]);

/** What statements are planned on: plans are kept, so each must be good on any. */
const GRAPHS = ['an empty graph', 'a graph whose indexes are not sampled yet'] as const;
type Planned = ReadonlyMap<string, readonly string[]>;
const planned = new Map<string, Planned>();

const operators = ({ operatorType, children }: Plan): readonly string[] => [
  operatorType.replace(/@.*$/, ''),
  ...children.flatMap(operators),
];

const explainAll = async (all: readonly (readonly [string, string])[]): Promise<Planned> => {
  const { driver, database } = filled.graph;
  const plans = new Map<string, readonly string[]>();
  const explain = async (some: readonly (readonly [string, string])[]): Promise<void> => {
    const session = driver.session({ database });
    for (const [title, text] of some) {
      const names = [...text.matchAll(/\$(\w+)/g)].map(([, name]) => [name as string, null]);
      const parameters = Object.fromEntries(names) as Record<string, unknown>;
      const { summary } = await session.run(`CYPHER replan=force EXPLAIN ${text}`, parameters);
      plans.set(title, operators(summary.plan as Plan));
    }
    await session.close();
  };
  await Promise.all([0, 1, 2].map((part) => explain(all.filter((_, at) => at % 3 === part))));
  return plans;
};

/** One statement of each shape: statements of one shape are planned alike where all labels have as many nodes. */
const oneOfEachShape = (): readonly (readonly [string, string])[] => [
  ...new Map([...texts].map((each) => [shapeOf(each[1]), each])).values(),
];

/** Whether a statement reads a page of what follows a row. */
const isPage = (text: string): boolean => /> \$after\b.*LIMIT /s.test(text);

/** The short run plans one of each shape, on the two graphs in turn. Statements of events, of pages and those that create have tests of their own. */
const toPlanOn = (graph: number): readonly (readonly [string, string])[] =>
  sized(
    oneOfEachShape().filter(
      ([title, text], at) => at % 2 === graph || isPage(text) || /^Events|: create$/.test(title),
    ),
    [...texts],
  );

/** As a first push does: Neo4j counts nodes and relationships at once, but samples indexes some seconds later. */
const fill = async (): Promise<void> => {
  const { driver, database } = filled.graph;
  const run = (text: string): Promise<unknown> => driver.executeQuery(text, {}, { database });
  const kinds = nodeKinds.filter(({ keeper }) => keeper === 'row' || keeper === 'shared');
  for (const { label, also } of kinds) {
    await run(
      `UNWIND range(1, 300) AS at CREATE (:${[label, ...also].join(':')} {key: '${label}|' + at})`,
    );
  }
  for (const { from, type, to } of relationshipKinds.filter(({ to }) => kinds.includes(to))) {
    await run(
      `MATCH (a:${from.label}), (b:${to.label} {key: '${to.label}|1'}) CREATE (a)-[:${type}]->(b)`,
    );
  }
};

beforeAll(async () => {
  filled = await filledGraph();
  // What other tests left may have been sampled: its counts are not those of an empty graph.
  await filled.ask('CALL db.resampleOutdatedIndexes()');
  planned.set(GRAPHS[0], await explainAll(toPlanOn(0)));
  await fill();
  planned.set(GRAPHS[1], await explainAll(toPlanOn(1)));
});
afterAll(() => filled.close());

/** What was changed by hand may be anywhere, so verifying looks for it everywhere. All data sources are few, and are asked for a new name alone. */
const SCANNING =
  /^(Verify: (nodes that are not where rows are looked for|shared nodes that lack a label|\w+: what nothing states)|Names of properties that data sources have brought|Read what providers may claim|Restore: what waits|Read what is tagged as privileged|Read applications and their sources|List reviews|Find openings of reviews that did not end)$/;

/** More than how many of the planned statements create. */
const CREATING = 20;
/** It sorts numbers that an index gives for each list of marks. In the order of numbers it would read all items. */
const BY_MARKS = 'List items of a review with some marks';
/** More than how many of them read pages. */
const MANY_PAGES = 4;

describe.each(GRAPHS.map((graph, at) => [graph, toPlanOn(at)] as const))('on %s', (graph, all) => {
  const plans = (): Planned => planned.get(graph) as Planned;

  const failing = (
    offends: (operator: string) => boolean,
    among: (title: string) => boolean = () => true,
  ): readonly string[] =>
    [...plans()]
      .filter(([title, plan]) => among(title) && plan.some(offends))
      .map(([title, plan]) => `${title}: ${plan.filter(offends).join(', ')}`);

  test('every statement of the catalogue has a plan; in the short run one of each shape', () => {
    expect(plans().size).toBe(sized(all.length, listStatements().length + 1));
  });

  test('statements seek what they work on: no label, type or store is scanned', () => {
    const scans = (operator: string): boolean => IS_SOURCE.test(operator) && !SOURCES.has(operator);
    expect(failing(scans, (title) => !SCANNING.test(title))).toEqual([]);
    expect(failing(scans, (title) => SCANNING.test(title))).toHaveLength(
      all.filter(([title]) => SCANNING.test(title)).length,
    );
  });

  test('statements that match something begin with a seek', () => {
    const aimless = [...plans()].filter(
      ([title, plan]) =>
        /\b(MATCH|MERGE)\b/.test(texts.get(title) as string) &&
        !SCANNING.test(title) &&
        !plan.some((operator) => operator !== 'Argument' && SOURCES.has(operator)),
    );
    expect(aimless).toEqual([]);
  });

  test('statements that go through a list seek all that it names: none walks from one end along a dense node', () => {
    // What is created, or asked for below something that was found, is not sought.
    const sought = (text: string): number =>
      [...text.replace(/CREATE .*|EXISTS \{[^}]*\}/g, '').matchAll(/\(\w*:\w+ \{\w+:/g)].length;
    const walking = [...plans()].filter(
      ([title, plan]) =>
        (texts.get(title) as string).startsWith('UNWIND $') &&
        plan.filter((operator) => /Seek|^MergeUniqueNode$/.test(operator)).length <
          sought(texts.get(title) as string),
    );
    expect(walking.map(([title]) => title)).toEqual([]);
  });

  test('no statement joins whole inputs', () => {
    expect(failing((operator) => HEAVY.test(operator))).toEqual([]);
  });

  test('pages of events come from the index in their order: only events of one moment are sorted', () => {
    const sorts = failing(
      (operator) => /^(Sort|Top|Top1WithTies|EagerAggregation)$/.test(operator),
      (title) => title.startsWith('Events'),
    );
    expect(sorts).toEqual([]);
    expect(plans().get('Events, newest first')).toContain('PartialTop');
  });

  // Each page of a review of 100,000 items read and sorted all that followed: two minutes of Neo4j for one file.
  test('pages of what follows a row come from an index in its order', () => {
    const isOfPages = (title: string): boolean =>
      isPage(texts.get(title) as string) && title !== BY_MARKS;
    expect(failing((operator) => /^(Sort|Top|PartialTop)$/.test(operator), isOfPages)).toEqual([]);
    expect([...plans().keys()].filter(isOfPages).length).toBeGreaterThan(MANY_PAGES);
  });

  test('creating streams its rows', () => {
    const isCreate = (title: string): boolean => title.endsWith(': create');
    // A batch's rows may be gathered to one list; what holds that one row back holds no rows.
    const holdsRows = (plan: readonly string[]): boolean =>
      plan.some((operator, at) => {
        const before = plan.slice(at + 1);
        const gathered = before.findIndex((source) => /^EagerAggregation$|^Unwind$/.test(source));
        return operator === 'Eager' && before[gathered] !== 'EagerAggregation';
      });
    const holding = [...plans()].filter(([title, plan]) => isCreate(title) && holdsRows(plan));
    expect(holding).toEqual([]);
    expect([...plans().keys()].filter(isCreate).length).toBeGreaterThan(CREATING);
  });
});
