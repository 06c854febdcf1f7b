import fc from 'fast-check';

import { NONE } from '../../src/access/access-graph';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { factText, type View } from '../../src/features/reviews/rules/facts';
import {
  type EarlierItem,
  type Knowledge,
  type Population,
  type PopulationItem,
  populationOf,
} from '../../src/features/reviews/rules/population';
import { Reviewers, type Suggested } from '../../src/features/reviews/rules/reviewer';
import type { Scope as RuleScope } from '../../src/features/reviews/rules/scope';
import { MARKS } from '../../src/features/reviews/rules/words';
import { filled, type History, histories, instantOf, MOMENTS } from '../access/random-history';
import { type Graph, node } from '../mirror/graph';
import {
  type Candidate,
  type Earlier,
  type Item,
  type OtherReview,
  ReviewedGraph,
  type Scope,
  textOf,
} from '../mirror/review';
import { byCodeUnits } from '../mirror/text';
import { Luck } from '../property/luck';
import { sized } from '../support/test-size';

/*
 * What a review of a random graph is about, who reviews it and what it covers, beside the mirror
 * (docs/rules.md: Access reviews).
 */

const PRIVILEGED = ['DataWrite'];

const counts = new Map<string, number>();
const count = (what: string, times = 1): unknown =>
  counts.set(what, (counts.get(what) ?? 0) + times);
afterAll(() => {
  const wanted = [
    ...MARKS.filter((mark) => mark !== 'guest'),
    'items',
    'carried',
    'avoided',
    'changes nothing',
    'reviewed',
    'elsewhere',
    'not reviewed',
  ];
  expect(wanted.filter((what) => (counts.get(what) ?? 0) < 10)).toEqual([]);
});

const scopeIn = (graph: ReviewedGraph, luck: Luck): Scope => {
  const some = (often: number, ...labels: readonly string[]): readonly string[] =>
    luck.chance(often) ? luck.some(graph.keysOf(...labels), 2) : [];
  const often = luck.chance(0.5) ? 0.4 : 0;
  return {
    applications: some(0.25, 'Application'),
    resources: some(0.25, 'Resource'),
    roles: some(often, 'LocalRole', 'CloudRole'),
    groups: some(often, 'IdpGroup', 'LocalGroup'),
    people: some(often, 'IdpUser', 'Employee', 'LocalUser', 'Identity'),
    marks: luck.chance(often) ? luck.some(MARKS, 3) : [],
  };
};

/** The graph for the mirror, in which some nodes have the tag. */
const withTags = (graph: Graph, tagged: readonly string[]): Graph => ({
  nodes: [...graph.nodes, node('Tag', 'Tag|privileged|', { name: 'Privileged' })],
  relationships: [
    ...graph.relationships,
    ...graph.nodes
      .filter(({ key }) => tagged.includes(key))
      .map(({ label, key }) => ({
        type: 'TAGGED',
        properties: {},
        from: { label, key },
        to: { label: 'Tag' as const, key: 'Tag|privileged|' },
      })),
  ],
});

/** Places that contain each other in a circle have no nearest one, and no payload has any. */
const withoutCircles = ({ nodes, relationships, graphs }: History): History => ({
  nodes,
  relationships: relationships.filter(({ type, from, to }) => type !== 'CONTAINS' || from < to),
  graphs: graphs.map((then) => ({
    nodes: then.nodes,
    relationships: then.relationships.filter(
      ({ type, from, to }) => type !== 'CONTAINS' || from.key < to.key,
    ),
  })),
});

const suggestedBy = (
  keys: readonly string[],
  of: (key: string) => readonly Candidate[],
): ReadonlyMap<string, readonly Suggested[]> =>
  new Map(keys.map((key) => [key, of(key).map(({ key: reviewer, why }) => ({ reviewer, why }))]));

const lineOf = (
  { graph }: View,
  item: PopulationItem,
  chosen: ReturnType<Reviewers['choose']>,
): object => ({
  fact: factText(item.fact),
  human: item.human === NONE ? null : graph.key(item.human),
  marks: [...item.marks, ...(chosen?.gains === true ? ['conflict'] : [])].toSorted(),
  permissions: item.effect.permissions,
  targets: item.effect.resources,
  people: item.people,
  changesNothing: item.changesNothing,
  isCarried: item.isCarried,
  reviewer: chosen === null ? null : graph.key(chosen.human),
  avoided: (chosen?.avoided ?? []).map((human) => graph.key(human)),
});

const expectedLine = (item: Item): object => ({
  fact: textOf(item.fact),
  human: item.human,
  marks: item.marks.toSorted(),
  permissions: item.permissions,
  targets: item.targets.size,
  people: item.people,
  changesNothing: item.changesNothing,
  isCarried: item.isCarried,
  reviewer: item.reviewer,
  avoided: item.reviewer === null ? [] : item.avoided,
});

test('what a review is about, who reviews it and what it covers is what the mirror expects', () => {
  fc.assert(
    fc.property(histories.map(withoutCircles), fc.nat(), (history, order) => {
      const luck = new Luck(order);
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      let scope: Scope | null = null;
      let before: ReadonlyMap<string, EarlierItem> | null = null;
      let earlier: ReadonlyMap<string, Earlier> | null = null;
      const others: OtherReview[] = [];
      const theirs: OtherReview[] = [];
      for (let at = 0; at < MOMENTS; at += 1) {
        const then = history.graphs[at] as Graph;
        const view: View = {
          graph,
          access,
          humans: new Humans(graph),
          clock: 0n,
          moment: graph.instants.moment(instantOf(at)),
        };
        const tagged = luck.some(
          then.nodes.map(({ key }) => key),
          3,
        );
        const mirror = new ReviewedGraph(withTags(then, tagged));
        const keys = then.nodes.map(({ key }) => key);
        if (scope === null || luck.chance(0.4)) scope = scopeIn(mirror, luck);
        const people = mirror
          .keysOf('IdpUser', 'Employee')
          .flatMap((key) => mirror.person(key, 0)?.slice(0, 1) ?? []);
        const fallback = luck.one(people) ?? '';
        const known: Omit<Knowledge, 'others' | 'hasMoreOthers'> = {
          privilegedTypes: PRIVILEGED,
          tagged: new Set(tagged),
          before,
        };
        const population: Population = atOnce(
          populationOf(view, scope as RuleScope, {
            ...known,
            hasMoreOthers: false,
            others: others.toReversed(),
          }),
        );
        const planned = mirror.planned({
          scope,
          privilegedTypes: PRIVILEGED,
          fallback,
          before: earlier,
          clock: 0,
          others: theirs.toReversed(),
        });
        const responsible = {
          ofPlace: suggestedBy(keys, (key) => mirror.responsibleFor(key)),
          ofHolder: suggestedBy(keys, (key) => mirror.responsibleFor(key)),
          ofPerson: suggestedBy(keys, (key) => mirror.managersOf(key)),
        };
        const reviewers = new Reviewers(
          view,
          responsible,
          fallback === '' ? NONE : graph.find(fallback),
        );
        const chosen = population.items.map((item) => reviewers.choose(item));
        const order_ = (a: object, b: object): number =>
          byCodeUnits(JSON.stringify(a), JSON.stringify(b));
        const found = population.items.map((item, place) =>
          lineOf(view, item, chosen[place] ?? null),
        );
        expect([at, scope, found.toSorted(order_)]).toEqual([
          at,
          scope,
          planned.items.map(expectedLine).toSorted(order_),
        ]);
        const { coverage } = population;
        expect([at, scope, coverage]).toEqual([
          at,
          scope,
          {
            pairs: planned.coverage.pairs,
            reviewed: planned.coverage.reviewed,
            elsewhere: planned.coverage.elsewhere,
            notReviewed: coverage.notReviewed.map((each) => ({
              ...each,
              pairs: planned.coverage.notReviewed,
            })),
          },
        ]);
        expect(coverage.notReviewed.length).toBe(planned.coverage.notReviewed === 0 ? 0 : 1);
        count('items', found.length);
        for (const item of planned.items) for (const mark of item.marks) count(mark);
        for (const item of planned.items) {
          if (item.isCarried) count('carried');
          if (item.changesNothing) count('changes nothing');
          if (item.avoided.length > 0) count('avoided');
        }
        count('reviewed', coverage.reviewed);
        for (const { pairs } of coverage.elsewhere) count('elsewhere', pairs);
        for (const { pairs } of coverage.notReviewed) count('not reviewed', pairs);
        // The same review follows at the next instant, or stands beside another one.
        const facts = new Map(
          population.items.map((item) => [factText(item.fact), item.effect.digest]),
        );
        const expectedFacts = new Map(planned.items.map((item) => [textOf(item.fact), item.gives]));
        const isKept = (fact: string): boolean => fact.length % 4 !== 0;
        before = new Map(
          population.items.map((item) => {
            const fact = factText(item.fact);
            const earlierItem = { effect: item.effect.digest, wasKept: isKept(fact) };
            return [fact, { ...earlierItem, marks: item.marks }];
          }),
        );
        earlier = new Map(
          planned.items.map((item) => {
            const fact = textOf(item.fact);
            return [
              fact,
              {
                gave: item.gives,
                wasKept: isKept(fact),
                marks: item.marks.filter((mark) => mark !== 'conflict'),
              },
            ];
          }),
        );
        others.push({ id: `R${at}`, scope, facts });
        theirs.push({ id: `R${at}`, scope, facts: expectedFacts });
      }
    }),
    { numRuns: sized(60, 1_000), endOnFailure: true },
  );
});
