import fc from 'fast-check';

import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { emptied } from '../../src/access/comparison/emptied';
import { EffectiveAccess, type NativePermission } from '../../src/access/effective-access';
import { lossesOf } from '../../src/access/gateways';
import { NOW } from '../../src/access/instants';
import { reachingRows } from '../../src/access/lists/lists';
import { bounded } from '../../src/access/memory';
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
          const { losers, people, targets } = atOnce(emptied(access, group, moment, () => true));
          expect(losers.length).toBeLessThanOrEqual(people);
          const all = losers.map(({ node, losses }) => ({ node, losses: atOnce(losses.all()) }));
          expect(losers.map(({ losses: { count, gone } }) => [count, gone])).toEqual(
            all.map(({ losses }) => [
              losses.length,
              losses.filter(({ left: rest }) => rest.length === 0).length,
            ]),
          );
          expect(targets).toBe(
            new Set(all.flatMap(({ losses }) => losses.map(({ target }) => target))).size,
          );
          const found = all.flatMap(({ node, losses }) =>
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
          const plain = (some: readonly string[]): readonly string[] =>
            some.filter((each) => !isIdentity(each)).toSorted();
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
        const isOdd = ({ name }: NativePermission, target: number): boolean =>
          (name.length + target) % 2 === 1;
        for (const { losses } of atOnce(emptied(access, node, moment, isOdd)).losers) {
          const all = atOnce(losses.all());
          const gone = all.filter(({ left }) => left.length === 0).length;
          expect([losses.count, losses.gone]).toEqual([all.length, gone]);
          for (const { target, lost, left } of all) {
            expect([...lost, ...left].every((native) => isOdd(native, target))).toBe(true);
          }
        }
      }
    }),
    { numRuns: 20 },
  );
});

// Everybody has something else besides the group, so nobody loses exactly the same as another one:
// 3,000 people who each lose something on 3,000 resources needed 2.5 GB.
test('what each of many people loses in their own way is counted, and not held', () => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, label: string, ...also: string[]): void =>
    graph.addNode({
      ...{ key, label, labels: [label, ...also], since: 1n, until: null, facts: { name: key } },
    });
  const line = (type: RelationshipRow['type'], from: string, to: string): void =>
    graph.addRelationship({ type, from, to, since: 2n, until: null });
  const grant = (who: string, permission: string, on: string): void => {
    const held = `${who} ${permission} ${on}`;
    node(held, 'Grant', 'Entitlement');
    line('HOLDS', who, held);
    line('OF', held, permission);
    line('ON', held, on);
  };
  for (const permission of ['read', 'write']) node(permission, 'Permission');
  node('team', 'IdpGroup', 'Principal');
  const COUNT = 100;
  for (let nth = 0; nth < COUNT; nth += 1) {
    node(`page${nth}`, 'Resource');
    grant('team', 'read', `page${nth}`);
    node(`who${nth}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `who${nth}`, 'team');
    grant(`who${nth}`, 'write', `page${nth}`);
  }
  const found = atOnce(emptied(new EffectiveAccess(graph), graph.find('team'), NOW, () => true));
  const counts = found.losers.map(({ losses: { count, gone } }) => [count, gone]);
  expect(counts).toEqual(new Array(COUNT).fill([COUNT, COUNT - 1]));
  expect(JSON.stringify(found).length).toBeLessThan((COUNT * COUNT) / 2);
  expect(found.losers.map(({ losses }) => atOnce(losses.all()).length)).toEqual(
    new Array(COUNT).fill(COUNT),
  );
});
