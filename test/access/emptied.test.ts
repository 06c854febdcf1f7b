import fc from 'fast-check';

import type { AccessGraph } from '../../src/access/access-graph';
import { emptied } from '../../src/access/comparison/emptied';
import { EffectiveAccess, type NativePermission } from '../../src/access/effective-access';
import { lossesOf } from '../../src/access/gateways';
import { reachingRows } from '../../src/access/lists/lists';
import { atOnce } from '../../src/access/pieces';
import { effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { sized } from '../support/test-size';
import { filled, histories, instantOf, MOMENTS } from './random-history';

const ALL = { label: null, applications: null, permissions: null, permissionTypes: null };

const without = ({ nodes, relationships }: Graph, key: string): Graph => ({
  nodes: nodes.filter((node) => node.key !== key),
  relationships: relationships.filter(({ from, to }) => from.key !== key && to.key !== key),
});

const textOf = ({ name, types }: NativePermission): string => `[${JSON.stringify(name)},${types}]`;

const textsOf = (some: readonly NativePermission[]): readonly string[] =>
  some.map(textOf).toSorted();

const isGroup = (graph: AccessGraph, node: number): boolean =>
  ['IdpGroup', 'LocalGroup'].includes(graph.kind(node)?.label ?? '');

/** Whether an identity is a human of a list depends on who else is in it. */
const isIdentity = (key: string): boolean => key.startsWith('Identity');

test('what people lose without a group is what the mirror expects, and the sum of all resources', () => {
  let compared = 0;
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const at of [0, MOMENTS - 1]) {
        const moment = graph.instants.moment(instantOf(at));
        const then = history.graphs[at] ?? { nodes: [], relationships: [] };
        const now = effectiveAccess(then);
        const nodes = then.nodes.map(({ key }) => graph.find(key));
        for (const group of nodes.filter((node) => isGroup(graph, node))) {
          const left = effectiveAccess(without(then, graph.key(group)));
          const { losers, people } = atOnce(emptied(access, group, moment, () => true));
          expect(losers.length).toBeLessThanOrEqual(people);
          const found = losers.flatMap(({ node, losses }) =>
            losses.map(({ target, ...sides }) => {
              const [who, what] = [graph.key(node), graph.key(target)];
              const before = [...(now.get(who)?.get(what) ?? [])];
              const after = left.get(who)?.get(what) ?? new Set<string>();
              expect([who, what, textsOf(sides.lost)]).toEqual([
                ...[who, what, before.filter((each) => !after.has(each)).toSorted()],
              ]);
              expect([who, what, textsOf(sides.left)]).toEqual([
                ...[who, what, before.filter((each) => after.has(each)).toSorted()],
              ]);
              return `${who} ${what}`;
            }),
          );
          const summed = nodes.flatMap((target) => {
            const kind = graph.kind(target);
            if (kind?.isResource !== true && kind?.isApplication !== true) return [];
            const { nodes: humans, permissions } = atOnce(
              reachingRows(access, target, { ...ALL, form: 'people', contents: false }, moment),
            );
            const rest = atOnce(access.reaching(target, false, moment, group));
            return lossesOf(
              humans.map((node) => [node, permissions.get(node) ?? []] as const),
              rest,
            ).map(({ node }) => `${graph.key(node)} ${graph.key(target)}`);
          });
          const plain = (all: readonly string[]): readonly string[] =>
            all.filter((each) => !isIdentity(each)).toSorted();
          expect([graph.key(group), plain(found)]).toEqual([graph.key(group), plain(summed)]);
          compared += found.length;
        }
      }
    }),
    { numRuns: sized(240, 2_000) },
  );
  expect(compared).toBeGreaterThan(50);
});

test('only what counts is lost', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      const moment = graph.instants.moment(null);
      for (const { key } of history.graphs.at(-1)?.nodes ?? []) {
        const node = graph.find(key);
        if (!isGroup(graph, node)) continue;
        const { losers } = atOnce(emptied(access, node, moment, () => false));
        expect(losers).toEqual([]);
      }
    }),
    { numRuns: 20 },
  );
});
