/** @more access */

import * as E from 'fp-ts/Either';
import type { Plan } from 'neo4j-driver';

import { parseSearchFilter } from '../../src/contract/filters/search-filter';
import { searchMeanings } from '../../src/questions/search/search-meaning';
import {} from '../../src/questions/statements/access-graph-statements';
import {
  pageOfAccess,
  pageOfPeople,
  pageOfPeopleFirst,
  pageOfWho,
  type PageShape,
} from '../../src/questions/statements/access-pages';
import {
  APPLICATIONS_ASKED,
  EXPLAIN_ACCESS,
  FIRST_HOP,
  PERMISSIONS_ASKED,
  PERMISSIONS_NAMED,
} from '../../src/questions/statements/access-statements';
import { savedQueries } from '../../src/kit/saved-queries';
import {
  COMMIT_AND_PUSHES,
  FIND_ENTITY,
  MENTIONED_BY,
  SOURCES,
  TAGS_AND_OWNERS,
} from '../../src/questions/statements/entity-statements';
import { EMAILS, reviewersOf } from '../../src/questions/statements/reviewer-statements';
import { countOf, pageOfNodes } from '../../src/questions/statements/search-statements';
import { entityKinds } from '../../src/templates/graph/searched';
import { type FilledGraph, filledGraph } from '../support/push';

const entities: PageShape = { isByPermission: false, form: 'entities', contents: false };

const statements: readonly (readonly [string, string])[] = [
  ['what a principal can reach', pageOfAccess(entities)],
  ['who can reach a resource', pageOfWho(entities)],
  ['the same by permission', pageOfWho({ ...entities, isByPermission: true })],
  ['people who can reach a resource', pageOfPeople({ ...entities, form: 'people' })],
  ['people before others', pageOfPeopleFirst({ ...entities, form: 'people first' })],
  ['who can reach a resource or what is in it', pageOfWho({ ...entities, contents: true })],
  ['an explanation', EXPLAIN_ACCESS],
  ['its first hop', FIRST_HOP],
  ['permissions of a name', PERMISSIONS_NAMED],
  ['permissions asked for', PERMISSIONS_ASKED],
  ['applications asked for', APPLICATIONS_ASKED],
  ['an entity', FIND_ENTITY],
  ['the tags and owners of an entity', TAGS_AND_OWNERS],
  ['who mentions a shared node', MENTIONED_BY],
  ['the sources of an entity', SOURCES],
  ['the pushes of an entity', COMMIT_AND_PUSHES],
  ['reviewers of a principal', reviewersOf('principal')],
  ['reviewers of a resource', reviewersOf('resource')],
  ['emails of reviewers', EMAILS],
  ...savedQueries()
    .filter(({ title }) => /\(by keys?\b/.test(title))
    .map(({ name, cypher }) => [name, cypher] as const),
];

/** A search by a filter on all entities: of each kind, what it is found by. */
const searches = (filter: string): readonly (readonly [string, string])[] => {
  const meanings = searchMeanings(E.getOrElseW(() => null)(parseSearchFilter(filter)), entityKinds);
  if (E.isLeft(meanings)) throw new Error(JSON.stringify(meanings.left));
  return meanings.right.flatMap(({ on }, at) => {
    const conditions = entityKinds.flatMap((kind) => {
      const condition = on(kind);
      return typeof condition === 'string' ? [[kind, condition] as const] : [];
    });
    return [
      [`${filter}: count ${at}`, countOf(conditions)] as const,
      [
        `${filter}: page ${at}`,
        pageOfNodes(conditions, { field: 'name', type: 'text' }, false),
      ] as const,
    ];
  });
};

let filled: FilledGraph;
beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());

/** The steps of a plan: each is its operator, and what that works on. */
const operators = ({ operatorType, arguments: { Details }, children }: Plan): readonly string[] => [
  `${operatorType.replace(/@.*$/, '')} ${String(Details ?? '')}`,
  ...children.flatMap(operators),
];

/** The plans of statements that were planned already. */
const plans = new Map<string, Promise<readonly string[]>>();

const planned = (text: string): Promise<readonly string[]> => {
  const known = plans.get(text) ?? explained(text);
  plans.set(text, known);
  return known;
};

const explained = async (text: string): Promise<readonly string[]> => {
  const { driver, database } = filled.graph;
  const names = [...text.matchAll(/\$(\w+)/g)].map(([, name]) => [
    name as string,
    // What is a list must be one to be planned for.
    ['ids', 'only', 'keys'].includes(name ?? '') ? [] : null,
  ]);
  const { summary } = await driver.executeQuery(
    // A plan that other tests left may be better than what Neo4j chooses for this graph.
    `CYPHER replan=force EXPLAIN ${text}`,
    Object.fromEntries(names) as Record<string, null | []>,
    { database },
  );
  return operators(summary.plan as Plan);
};

const kindOf = (step: string): string => step.split(' ')[0] as string;

const scansIn = (plan: readonly string[]): readonly string[] =>
  plan.map(kindOf).filter((operator) => operator.includes('Scan'));

test.each(statements)('%s is found without a scan', async (_name, text) => {
  const plan = await planned(text);
  expect(scansIn(plan)).toEqual([]);
  expect(plan.some((step) => kindOf(step).includes('Seek'))).toBe(true);
});

// A group in two groups, and these in two, has more ways up than anybody can list. A resource has one.
test.each(statements)('%s goes on from each node once', async (_name, text) => {
  const plan = await planned(text);
  const lists = (step: string): boolean => /^(VarLengthExpand\((All|Into)|Repeat)/.test(step);
  expect(plan.filter((step) => lists(step) && !/\[\w*:CONTAINS\*/.test(step))).toEqual([]);
});

test.each([
  'key eq "x"',
  'email eq "x" and label ne "y"',
  'identity eq "x"',
  'path eq "x"',
  'path sw "x" and resource_type eq "y"',
  'arn eq "x"',
  'source_identity eq "x" or source_identity eq "y"',
])('a search by %s goes by indexes where there are some', async (filter) => {
  const [name = ''] = filter.split(' ');
  for (const [, text] of searches(filter.replace(' and label ne "y"', ''))) {
    const scans = scansIn(await planned(text));
    // Accounts have an email without an index.
    expect(scans).toEqual(name === 'email' ? ['NodeByLabelScan'] : []);
  }
});
