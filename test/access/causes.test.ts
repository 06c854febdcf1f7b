import fc from 'fast-check';

import type { AccessGraph } from '../../src/access/access-graph';
import { Causes, type CauseThing } from '../../src/access/comparison/causes';
import type { MomentAt } from '../../src/access/comparison/changed-lines';
import { compareAccess } from '../../src/access/comparison/comparison';
import { EffectiveAccess } from '../../src/access/effective-access';
import { atOnce } from '../../src/access/pieces';
import { effectiveAccess } from '../mirror/access';
import type { Graph, Relationship } from '../mirror/graph';
import { sized } from '../support/test-size';
import { filled, histories, instantOf, MOMENTS } from './random-history';

/** Whether a relationship is, or belongs to, a thing of a cause. */
const isOf =
  (graph: AccessGraph, { type, isOther, from, to, held }: CauseThing) =>
  (one: Relationship): boolean => {
    const keyOf = (node: number | null): string => (node === null ? '' : graph.key(node));
    if (type === null) {
      const isGiven = one.type === 'ALLOWS' || one.type === 'INCLUDES';
      return !isOther && isGiven && one.from.key === keyOf(from);
    }
    return held === null
      ? one.type === type && one.from.key === keyOf(from) && one.to.key === keyOf(to)
      : one.from.key === keyOf(held) || one.to.key === keyOf(held);
  };

/** A graph without a thing: in place of a node that decides otherwise it has that of the other graph. */
const without = (graph: AccessGraph, here: Graph, other: Graph, thing: CauseThing): Graph => {
  const key = graph.key(thing.from);
  const then = other.nodes.find((node) => node.key === key);
  return thing.isOther
    ? { ...here, nodes: here.nodes.map((node) => (node.key === key ? (then ?? node) : node)) }
    : {
        ...here,
        relationships: here.relationships.filter((one) => !isOf(graph, thing)(one)),
      };
};

/** A graph with the things of a cause as well, which another graph has. */
const withAll = (
  graph: AccessGraph,
  here: Graph,
  other: Graph,
  things: readonly CauseThing[],
): Graph => {
  const changed = new Set(
    things.filter(({ isOther }) => isOther).map(({ from }) => graph.key(from)),
  );
  const known = new Set(here.nodes.map(({ key }) => key));
  const lineOf = ({ type, from, to }: Relationship): string => `${type} ${from.key} ${to.key}`;
  const held = new Set(here.relationships.map(lineOf));
  const added = other.relationships.filter(
    (one) => !held.has(lineOf(one)) && things.some((thing) => isOf(graph, thing)(one)),
  );
  return {
    nodes: [
      ...here.nodes.filter(({ key }) => !changed.has(key)),
      ...other.nodes.filter(({ key }) => changed.has(key) || !known.has(key)),
    ],
    relationships: [...here.relationships, ...added],
  };
};

test('a cause is enough by itself, and nothing of it may be left out', () => {
  const seen = { one: 0, several: 0, none: 0, nodes: 0, roles: 0, places: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      const momentAt = (moment: number): MomentAt => ({
        moment: graph.instants.moment(instantOf(moment)),
        nanos: instantOf(moment) ?? BigInt(MOMENTS) * 1_000_000_000n,
      });
      for (let from = 0; from < MOMENTS - 1; from += 1) {
        const to = from + 1;
        const times = [momentAt(from), momentAt(to)] as const;
        const comparison = atOnce(
          compareAccess(access, [times[0].moment, times[1].moment], {
            target: null,
            isCounted: () => true,
            change: null,
          }),
        );
        const causes = new Causes(access, times);
        const pairs = atOnce(comparison.pairs(Infinity, null));
        // Each needs a graph of its own, so a few of them tell.
        for (const { principal, target, gained, lost } of pairs.slice(order % 5).slice(0, 12)) {
          for (const [change, natives] of [['gained', gained] as const, ['lost', lost] as const]) {
            if (natives.length === 0) continue;
            const found = atOnce(causes.of(change, principal, target, natives));
            // Each permission is told once.
            expect(found.flatMap(({ permissions }) => permissions).length).toBe(natives.length);
            expect(new Set(found.flatMap(({ permissions }) => permissions))).toEqual(
              new Set(natives),
            );
            const [having, lacking] = (change === 'gained' ? [to, from] : [from, to]).map(
              (moment) => history.graphs[moment] as Graph,
            ) as [Graph, Graph];
            for (const { permissions, things } of found) {
              const isIn = (then: Graph, { name, types }: (typeof permissions)[number]): boolean =>
                effectiveAccess(then)
                  .get(graph.key(principal))
                  ?.get(graph.key(target))
                  ?.has(`[${JSON.stringify(name)},${types}]`) === true;
              if (things === null) {
                seen.none += 1;
                continue;
              }
              seen[things.length === 1 ? 'one' : 'several'] += 1;
              if (things.some(({ isOther }) => isOther)) seen.nodes += 1;
              if (things.some(({ type, isOther }) => type === null && !isOther)) seen.roles += 1;
              expect(things.length).toBeGreaterThan(0);
              for (const { held, on } of things) {
                if (on === null) continue;
                const scope = { from: graph.key(held as number), to: graph.key(on) };
                const isOn = having.relationships.some(
                  (one) =>
                    one.type === 'ON' && one.from.key === scope.from && one.to.key === scope.to,
                );
                expect([scope, isOn]).toEqual([scope, true]);
                seen.places += 1;
              }
              // Facts begin at the moments, and of shared nodes nobody knows when.
              for (const { isOther, instant } of things) {
                if (!isOther || instant !== null) {
                  expect(instant).toBe(BigInt(to) * 1_000_000_000n + 1n);
                }
              }
              const all = withAll(graph, lacking, having, things);
              for (const permission of permissions) {
                expect([permission.name, isIn(all, permission)]).toEqual([permission.name, true]);
                for (const thing of things) {
                  const less = without(graph, having, lacking, thing);
                  expect([thing, isIn(less, permission)]).toEqual([thing, false]);
                }
              }
            }
          }
        }
      }
    }),
    { numRuns: sized(60, 1_000) },
  );
  expect(Object.entries(seen).filter(([, count]) => count < 3)).toEqual([]);
});
