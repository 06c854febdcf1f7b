import type { Plan } from 'neo4j-driver';

import { catalog } from '../../src/translate/catalog';
import { BINDING_LOCK } from '../../src/translate/schema';
import { type FilledGraph, filledGraph } from '../support/push';

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
const plans = new Map<string, readonly string[]>();
const texts = new Map([
  ...catalog().map(({ title, text }) => [title, text] as const),
  ['The binding lock', BINDING_LOCK],
]);

const operators = ({ operatorType, children }: Plan): readonly string[] => [
  operatorType.replace(/@.*$/, ''),
  ...children.flatMap(operators),
];

beforeAll(async () => {
  filled = await filledGraph();
  const { driver, database } = filled.graph;
  const explain = async (all: readonly (readonly [string, string])[]): Promise<void> => {
    const session = driver.session({ database });
    // On an empty graph: a plan must not wait for statistics to become good.
    for (const [title, text] of all) {
      const names = [...text.matchAll(/\$(\w+)/g)].map(([, name]) => [name as string, null]);
      const parameters = Object.fromEntries(names) as Record<string, unknown>;
      const { summary } = await session.run(`EXPLAIN ${text}`, parameters);
      plans.set(title, operators(summary.plan as Plan));
    }
    await session.close();
  };
  const all = [...texts];
  await Promise.all([0, 1, 2].map((part) => explain(all.filter((_, at) => at % 3 === part))));
}, 300_000);
afterAll(() => filled.close());

const failing = (
  offends: (operator: string) => boolean,
  among: (title: string) => boolean = () => true,
): readonly string[] =>
  [...plans]
    .filter(([title, plan]) => among(title) && plan.some(offends))
    .map(([title, plan]) => `${title}: ${plan.filter(offends).join(', ')}`);

test('every statement of the write path is in the catalogue once', () => {
  expect(plans.size).toBe(catalog().length + 1);
});

/** What was changed by hand may be anywhere: verifying alone looks for it everywhere. */
const SCANNING =
  /^Verify: (nodes that are not where rows are looked for|\w+: what nothing states)$/;

test('statements seek what they work on: no label, type or store is scanned', () => {
  const scans = (operator: string): boolean => IS_SOURCE.test(operator) && !SOURCES.has(operator);
  expect(failing(scans, (title) => !SCANNING.test(title))).toEqual([]);
  expect(failing(scans, (title) => SCANNING.test(title))).toHaveLength(5);
});

test('statements that match something begin with a seek', () => {
  const aimless = [...plans].filter(
    ([title, plan]) =>
      /\b(MATCH|MERGE)\b/.test(texts.get(title) as string) &&
      !SCANNING.test(title) &&
      !plan.some((operator) => operator !== 'Argument' && SOURCES.has(operator)),
  );
  expect(aimless).toEqual([]);
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
  expect(plans.get('Events, newest first')).toContain('PartialTop');
});

test('creating streams its rows', () => {
  const isCreate = (title: string): boolean => title.endsWith(': create');
  expect(failing((operator) => operator.includes('Eager'), isCreate)).toEqual([]);
  expect([...plans.keys()].filter(isCreate).length).toBeGreaterThan(80);
});
