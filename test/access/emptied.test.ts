import fc from 'fast-check';
import * as E from 'fp-ts/Either';

import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { emptied, type EmptiedNode } from '../../src/access/comparison/emptied';
import { EffectiveAccess, type NativePermission } from '../../src/access/effective-access';
import { lossesOf } from '../../src/access/gateways';
import { type Moment, NOW } from '../../src/access/instants';
import { ANY_ROW, reachingRows } from '../../src/access/lists/lists';
import { bounded } from '../../src/access/memory';
import { atOnce, type Pieces } from '../../src/access/pieces';
import { gatewayQuestions } from '../../src/questions/access/gateways';
import type { Asked, AskMemory } from '../../src/questions/memory/asked-in-memory';
import { effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { sized } from '../support/test-size';
import { filled, histories, instantOf, MOMENTS } from './random-history';

const ALL = { ...ANY_ROW, permissions: null, permissionTypes: null };

const without = ({ nodes, relationships }: Graph, key: string): Graph => ({
  nodes: nodes.filter((node) => node.key !== key),
  relationships: relationships.filter(({ from, to }) => from.key !== key && to.key !== key),
});

const textOf = ({ name, types }: NativePermission): string => `[${JSON.stringify(name)},${types}]`;

const textsOf = (some: readonly NativePermission[]): readonly string[] =>
  some.map(textOf).toSorted();

const isGroup = (graph: AccessGraph, node: number): boolean =>
  ['IdpGroup', 'LocalGroup'].includes(graph.kind(node)?.label ?? '');

/** What everybody would lose, however many they are. */
const allEmptied = (
  access: EffectiveAccess,
  node: number,
  moment: Moment,
  isCounted: (permission: NativePermission, target: number) => boolean,
): EmptiedNode => {
  const found = atOnce(emptied(access, node, moment, isCounted, Infinity));
  if (found === null) throw new Error('nobody stops it');
  return found;
};

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
          const { losers, people, targets } = allEmptied(access, group, moment, () => true);
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
                who,
                what,
                before.filter((each) => !after.has(each)).toSorted(),
              ]);
              expect([who, what, textsOf(sides.left)]).toEqual([
                who,
                what,
                before.filter((each) => after.has(each)).toSorted(),
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
        const { losers } = allEmptied(access, node, moment, () => false);
        expect(losers).toEqual([]);
        const isOdd = ({ name }: NativePermission, target: number): boolean =>
          (name.length + target) % 2 === 1;
        for (const { losses } of allEmptied(access, node, moment, isOdd).losers) {
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

/** A graph, and what adds to it a node, a relationship, and what somebody is granted on something. */
const built = () => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, label: string, ...also: string[]): void =>
    graph.addNode({
      key,
      label,
      labels: [label, ...also],
      since: 1n,
      until: null,
      facts: { name: key },
    });
  const line = (type: RelationshipRow['type'], from: string, to: string): void =>
    graph.addRelationship({ type, from, to, since: 2n, until: null });
  const grant = (who: string, permissions: readonly string[], on: string): void => {
    const held = `${who} ${permissions.join(' ')} ${on}`;
    node(held, 'Grant', 'Entitlement');
    line('HOLDS', who, held);
    for (const permission of permissions) line('OF', held, permission);
    line('ON', held, on);
  };
  return { graph, node, line, grant };
};

// Everybody has something else besides the group, so nobody loses exactly the same as another one:
// 3,000 people who each lose something on 3,000 resources needed 2.5 GB.
test('what each of many people loses in their own way is counted, and not held', () => {
  const { graph, node, line, grant } = built();
  for (const permission of ['read', 'write']) node(permission, 'Permission');
  node('team', 'IdpGroup', 'Principal');
  const COUNT = 100;
  for (let nth = 0; nth < COUNT; nth += 1) {
    node(`page${nth}`, 'Resource');
    grant('team', ['read'], `page${nth}`);
    node(`who${nth}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `who${nth}`, 'team');
    grant(`who${nth}`, ['write'], `page${nth}`);
  }
  const access = new EffectiveAccess(graph);
  const found = allEmptied(access, graph.find('team'), NOW, () => true);
  const counts = found.losers.map(({ losses: { count, gone } }) => [count, gone]);
  expect(counts).toEqual(new Array(COUNT).fill([COUNT, COUNT - 1]));
  expect(JSON.stringify(found).length).toBeLessThan((COUNT * COUNT) / 2);
  expect(found.losers.map(({ losses }) => atOnce(losses.all()).length)).toEqual(
    new Array(COUNT).fill(COUNT),
  );
  // Before, everybody was compared before the answer was that they are too many.
  const stoppedAt = (most: number): readonly [isNull: boolean, asked: number] => {
    let asked = 0;
    const isCounted = (): boolean => (asked += 1) > 0;
    const stopped = atOnce(emptied(access, graph.find('team'), NOW, isCounted, most));
    return [stopped === null, asked];
  };
  const [isNull, all] = stoppedAt(COUNT);
  expect([isNull, stoppedAt(COUNT - 1)]).toEqual([false, [true, all]]);
  expect(stoppedAt(0)).toEqual([true, all / COUNT]);
});

// People who lose the same share a list, but an answer had all of it for each of them.
test('an answer has room for 200,000 permissions, however many people lose the same', async () => {
  const { graph, node, line, grant } = built();
  const permissions = Array.from({ length: 300 }, (_, nth) => `permission${nth}`);
  for (const permission of permissions) node(permission, 'Permission');
  node('team', 'IdpGroup', 'Principal');
  for (let nth = 0; nth < 20; nth += 1) {
    node(`page${nth}`, 'Resource');
    grant('team', permissions, `page${nth}`);
  }
  for (let nth = 0; nth < 50; nth += 1) {
    node(`who${nth}`, 'IdpUser', 'Principal');
    line('MEMBER_OF', `who${nth}`, 'team');
  }
  const asked = {
    then: { graph, access: new EffectiveAccess(graph), moment: NOW },
    principal: (key: string) => ({ node: graph.find(key), about: key }),
    summary: (found: number) => graph.key(found),
  } as unknown as Asked;
  const ask = ((_at: unknown, _ids: unknown, work: (of: Asked) => Pieces<unknown>) => async () =>
    Promise.resolve(E.right({ answer: atOnce(work(asked)) }))) as unknown as AskMemory;
  const counted = { permissions: null, permissionTypes: null };
  const found = await gatewayQuestions(ask).emptied('team', counted, null)();
  if (E.isLeft(found)) throw new Error(found.left.message);
  const { losers, resources } = found.right.answer;
  expect([resources, losers.length]).toEqual([20, 50]);
  expect(losers.every(({ resources: on, gone }) => on === 20 && gone === 20)).toBe(true);
  const held = losers.map(({ losses }) => losses.reduce((sum, { lost }) => sum + lost.length, 0));
  // 33 people with 6,000 each, and 6 resources of the next one.
  expect(held.slice(0, 35)).toEqual([...new Array<number>(33).fill(6_000), 1_800, 0]);
  expect(held.reduce((sum, each) => sum + each)).toBe(199_800);
});
