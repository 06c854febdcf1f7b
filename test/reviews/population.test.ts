import fc from 'fast-check';

import { NONE } from '../../src/access/access-graph';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import type { Coverage, OtherReview } from '../../src/features/reviews/rules/coverage';
import { factText, type View } from '../../src/features/reviews/rules/facts';
import { type Knowledge, populationOf } from '../../src/features/reviews/rules/population';
import type { Scope } from '../../src/features/reviews/rules/scope';
import { isFact, leftThrough } from '../../src/features/reviews/rules/left-access';
import { Reviewers } from '../../src/features/reviews/rules/reviewer';
import { filled, type History, histories, instantOf } from '../access/random-history';
import { effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { People } from '../mirror/people';
import { sized } from '../support/test-size';

const ALL: Scope = {
  applications: [],
  resources: [],
  roles: [],
  groups: [],
  people: [],
  marks: [],
};
const NOTHING: Knowledge = {
  privilegedTypes: [],
  tagged: new Set(),
  before: null,
  others: [],
  hasMoreOthers: false,
};
const REMOVABLE = ['HOLDS', 'MEMBER_OF', 'ASSIGNED_TO', 'ASSUMES_ROLE'];

const viewsOf = (history: History, order: number): readonly (readonly [View, Graph])[] => {
  const graph = filled(history, order);
  const access = new EffectiveAccess(graph);
  return history.graphs.map((then, at) => [
    {
      graph,
      access,
      humans: new Humans(graph),
      moment: graph.instants.moment(instantOf(at)),
      clock: 0n,
    },
    then,
  ]);
};

/** All pairs of the mirror, as lines. */
const pairsOf = (graph: Graph): ReadonlySet<string> =>
  new Set(
    [...effectiveAccess(graph)].flatMap(([who, reached]) =>
      [...reached].flatMap(([what, permissions]) =>
        permissions.size === 0 ? [] : [`${who} → ${what}`],
      ),
    ),
  );

const without = (graph: Graph, [type, from, to]: readonly [string, string, string]): Graph => ({
  ...graph,
  relationships: graph.relationships.filter(
    (each) => each.type !== type || each.from.key !== from || each.to.key !== to,
  ),
});

test('items are the facts without which the mirror shows less, or others give the same', () => {
  let [items, changing] = [0, 0];
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      for (const [view, then] of viewsOf(history, order).slice(-2)) {
        const population = atOnce(populationOf(view, ALL, NOTHING));
        const pairs = pairsOf(then);
        expect(population.coverage).toEqual({
          pairs: pairs.size,
          reviewed: pairs.size,
          elsewhere: [],
          notReviewed: [],
        });
        const reviewed = new Set(population.items.map(({ fact }) => factText(fact)));
        for (const { type, from, to } of then.relationships) {
          if (!REMOVABLE.includes(type)) continue;
          const fact = [type, from.key, to.key] as const;
          const left = pairsOf(without(then, fact));
          // What nobody reviews changes nobody's access.
          if (left.size < pairs.size) expect(reviewed).toContain(JSON.stringify(fact));
        }
        for (const { fact, changesNothing, holder, human } of population.items) {
          items += 1;
          const left = effectiveAccess(without(then, [fact.type, fact.from, fact.to]));
          const before = effectiveAccess(then);
          const who = view.graph.key(human === NONE ? holder : human);
          if (!before.has(who)) continue;
          const lines = (access: typeof left): readonly string[] =>
            [...(access.get(who) ?? [])]
              .flatMap(([what, some]) => [...some].map((p) => `${what} ${p}`))
              .sort();
          if (view.graph.kind(view.graph.find(who))?.isPrincipal !== true) continue;
          const isSame = lines(left).join() === lines(before).join();
          expect([fact, changesNothing]).toEqual([fact, isSame]);
          if (!isSame) changing += 1;
        }
      }
    }),
    { numRuns: sized(40, 600) },
  );
  expect(items).toBeGreaterThan(200);
  expect(changing).toBeGreaterThan(50);
});

test('what filters leave out is counted, so that the sum is all pairs of the mirror', () => {
  let left = 0;
  fc.assert(
    fc.property(histories, fc.nat(), fc.nat(), (history, order, chosen) => {
      const [found] = viewsOf(history, order).slice(-1);
      if (found === undefined) return;
      const [view, then] = found;
      const all = atOnce(populationOf(view, ALL, NOTHING));
      const item = all.items[chosen % Math.max(1, all.items.length)];
      if (item === undefined) return;
      const some = atOnce(populationOf(view, { ...ALL, people: [item.fact.from] }, NOTHING));
      expect(some.items.map(({ fact }) => fact)).toContainEqual(item.fact);
      expect(some.items.length).toBeLessThanOrEqual(all.items.length);
      const { pairs, reviewed, notReviewed } = some.coverage;
      expect(pairs).toBe(pairsOf(then).size);
      expect(reviewed + notReviewed.reduce((sum, each) => sum + each.pairs, 0)).toBe(pairs);
      left += pairs - reviewed;
    }),
    { numRuns: sized(40, 600) },
  );
  expect(left).toBeGreaterThan(0);
});

test('a pair that filters leave out belongs to another review that shows what it gives, or to none', () => {
  let [elsewhere, left] = [0, 0];
  fc.assert(
    fc.property(histories, fc.nat(), fc.nat(), fc.nat(), (history, order, one, two) => {
      const [found] = viewsOf(history, order).slice(-1);
      if (found === undefined) return;
      const [view, then] = found;
      const populated = (scope: Scope, more: Partial<Knowledge> = {}) =>
        atOnce(populationOf(view, scope, { ...NOTHING, ...more }));
      const { items } = populated(ALL);
      const nameOf = (chosen: number): string =>
        items[chosen % Math.max(1, items.length)]?.fact.from ?? '';
      const [mine, theirs] = [nameOf(one), nameOf(two)];
      if (mine === '') return;
      const place = then.nodes.find(({ key }) => view.graph.kind(view.graph.find(key))?.isResource);
      const limited = place === undefined ? ALL : { ...ALL, resources: [place.key] };
      const otherOf = (id: string, scope: Scope, digest?: string): OtherReview => ({
        id,
        scope,
        facts: new Map(
          populated(scope).items.map(({ fact, effect }) => [
            factText(fact),
            digest ?? effect.digest,
          ]),
        ),
      });
      const scope = { ...ALL, people: [mine] };
      const hers = otherOf('hers', { ...ALL, people: [theirs] });
      const sumOf = ({ reviewed, elsewhere: others, notReviewed }: Coverage): number =>
        [...others, ...notReviewed].reduce((sum, { pairs }) => sum + pairs, reviewed);
      // Whatever the other reviews are, the sum is all pairs of the mirror.
      const { coverage } = populated(scope, {
        others: [otherOf('limited', limited), hers, otherOf('all', ALL)],
      });
      expect(sumOf(coverage)).toBe(pairsOf(then).size);
      expect([coverage.pairs, coverage.notReviewed]).toEqual([pairsOf(then).size, []]);
      // Two reviews together have what one with both filters has.
      const both = populated(scope, { others: [hers] }).coverage;
      const together = populated({ ...ALL, people: [mine, theirs] }).coverage;
      expect(both.reviewed + both.elsewhere.reduce((sum, { pairs }) => sum + pairs, 0)).toBe(
        together.reviewed,
      );
      expect(sumOf(both)).toBe(both.pairs);
      // A review that shows something else covers nothing.
      const changed = populated(scope, { others: [otherOf('old', ALL, 'another')] }).coverage;
      expect(changed.elsewhere).toEqual([]);
      expect(sumOf(changed)).toBe(changed.pairs);
      elsewhere += both.elsewhere.length;
      left += both.notReviewed.length;
    }),
    { numRuns: sized(40, 300) },
  );
  expect(elsewhere).toBeGreaterThan(5);
  expect(left).toBeGreaterThan(5);
});

test('nobody reviews themselves, by no account, and nobody inactive reviews', () => {
  let [chosen, avoided] = [0, 0];
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const [found] = viewsOf(history, order).slice(-1);
      if (found === undefined) return;
      const [view, then] = found;
      const { graph, humans, moment, clock } = view;
      const people = new People(then);
      const keys = then.nodes.map(({ key }) => key);
      const users = keys.filter((key) => humans.canBeHuman(graph.find(key)));
      // Everybody manages and owns everything.
      const everybody = users.map((reviewer) => ({ reviewer, why: 'owns' }));
      const of = new Map(keys.map((key) => [key, everybody]));
      const responsible = { ofPlace: of, ofHolder: of, ofPerson: of };
      const reviewers = new Reviewers(view, responsible, NONE);
      for (const item of atOnce(populationOf(view, ALL, NOTHING)).items) {
        const reviewer = reviewers.choose(item);
        if (reviewer === null) continue;
        chosen += 1;
        avoided += reviewer.avoided.length;
        const human = graph.key(reviewer.human);
        expect(people.human(item.fact.from)?.key).not.toBe(human);
        expect(human).not.toBe(item.fact.from);
        expect(graph.summary(reviewer.human, moment, clock).inactive).toBe(false);
        expect(people.human(human)?.key).toBe(human);
        expect(graph.kind(reviewer.human)?.label).toMatch(/^(IdpUser|Employee)$/);
      }
    }),
    { numRuns: sized(40, 600) },
  );
  expect(chosen).toBeGreaterThan(100);
  expect(avoided).toBeGreaterThan(0);
});

const nameOf = (permission: string): string => String((JSON.parse(permission) as unknown[])[0]);
const namesOf = (permissions: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
  new Set([...permissions].map(nameOf));

test('a fact that is gone is confirmed only if the mirror shows nothing more of what it gave', () => {
  let [gone, left] = [0, 0];
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const views = viewsOf(history, order);
      const [last] = views.slice(-1);
      if (last === undefined) return;
      const [now, graphNow] = last;
      const access = effectiveAccess(graphNow);
      const relationships = new Set(
        graphNow.relationships.map(({ type, from, to }) =>
          JSON.stringify([type, from.key, to.key]),
        ),
      );
      for (const [then, graphThen] of views.slice(0, -1)) {
        const before = effectiveAccess(graphThen);
        for (const { type, from, to } of graphThen.relationships) {
          if (type !== 'MEMBER_OF') continue;
          const fact = [type, from.key, to.key] as const;
          expect([fact, isFact(then, fact)]).toEqual([fact, true]);
          expect([fact, isFact(now, fact)]).toEqual([
            fact,
            relationships.has(JSON.stringify(fact)),
          ]);
          if (isFact(now, fact)) continue;
          gone += 1;
          const holder = now.graph.find(from.key);
          const whose = [then, now].map(({ humans, moment }) => humans.humanOf(holder, moment));
          const keys = [holder, ...whose]
            .filter((node) => node !== NONE)
            .map((node) => now.graph.key(node));
          const given = before.get(to.key) ?? new Map<string, ReadonlySet<string>>();
          const isLeft = [...new Set(keys)].some((who) =>
            [...(access.get(who) ?? [])].some(([what, permissions]) =>
              [...permissions].some((permission) =>
                namesOf(given.get(what)).has(nameOf(permission)),
              ),
            ),
          );
          if (isLeft) left += 1;
          const through = atOnce(leftThrough(then, now, fact));
          expect([fact, through.length > 0]).toEqual([fact, isLeft]);
        }
      }
    }),
    { numRuns: sized(40, 600) },
  );
  expect(gone).toBeGreaterThan(100);
  expect(left).toBeGreaterThan(5);
});
