import fc from 'fast-check';

import { AccessGraph, type RelationshipRow } from '../../src/access/access-graph';
import { Causes, type CauseThing } from '../../src/access/comparison/causes';
import type { MomentAt } from '../../src/access/comparison/changed-lines';
import { compareAccess } from '../../src/access/comparison/comparison';
import { Looks } from '../../src/access/comparison/losses';
import { EffectiveAccess, type NativePermission } from '../../src/access/effective-access';
import { bounded } from '../../src/access/memory';
import { atOnce } from '../../src/access/pieces';
import { type Access, effectiveAccess } from '../mirror/access';
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

/** The instant at which facts of a moment begin or end. */
const turnOf = (moment: number): bigint => BigInt(moment) * 1_000_000_000n + 1n;

test('a cause is enough by itself, and nothing of it may be left out', () => {
  const seen = { one: 0, several: 0, none: 0, nodes: 0, roles: 0, places: 0, early: 0, later: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      const momentAt = (moment: number): MomentAt => ({
        moment: graph.instants.moment(instantOf(moment)),
        nanos: instantOf(moment) ?? BigInt(MOMENTS) * 1_000_000_000n,
      });
      const graphAt = (moment: number): Graph => history.graphs[moment] as Graph;
      const accessAt = history.graphs.map((each) => effectiveAccess(each));
      for (let from = 0; from < MOMENTS - 1; from += 1) {
        // Between the ends of some periods lie other moments.
        const to = from + 1 + (order % (MOMENTS - 1 - from));
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
          const isHeld = (then: Access, { name, types }: NativePermission): boolean =>
            then
              .get(graph.key(principal))
              ?.get(graph.key(target))
              ?.has(`[${JSON.stringify(name)},${types}]`) === true;
          /** The last moment at which it was lost. */
          const lostAt = (permission: NativePermission): number => {
            const wasHeld = accessAt.slice(from, to).map((then) => isHeld(then, permission));
            return from + wasHeld.lastIndexOf(true) + 1;
          };
          for (const [change, natives] of [['gained', gained] as const, ['lost', lost] as const]) {
            if (natives.length === 0) continue;
            const found = atOnce(causes.of(change, principal, target, natives));
            // Each permission is told once.
            expect(found.flatMap(({ permissions }) => permissions).length).toBe(natives.length);
            expect(new Set(found.flatMap(({ permissions }) => permissions))).toEqual(
              new Set(natives),
            );
            for (const { permissions, things } of found) {
              if (things === null) {
                seen.none += 1;
                continue;
              }
              const ends = new Set(permissions.map(lostAt));
              const [end = to] = ends;
              const [having, lacking] =
                change === 'gained'
                  ? [graphAt(to), graphAt(from)]
                  : [graphAt(end - 1), graphAt(end)];
              const isIn = (then: Graph, permission: NativePermission): boolean =>
                isHeld(effectiveAccess(then), permission);
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
              if (change === 'lost') {
                // All of it ended at the moment at which the permissions were lost. Of a node that changed
                // nobody may know when.
                expect([...ends]).toEqual([end]);
                for (const { isOther, instant } of things) {
                  if (!isOther || instant !== null) expect(instant).toBe(turnOf(end));
                }
                if (end < to) seen.early += 1;
                if (end > from + 1) seen.later += 1;
              } else {
                for (const thing of things) {
                  const { type, isOther, held, instant } = thing;
                  if (isOther && instant === null) continue;
                  const moments = Array.from({ length: to - from }, (_, nth) => to - nth);
                  expect(moments.map(turnOf)).toContain(instant);
                  // The parts of what is new may have begun one after the other.
                  if (type === null || held !== null) continue;
                  const isThere = (moment: number): boolean =>
                    graphAt(moment).relationships.some(isOf(graph, thing));
                  const began = moments.find((each) => isThere(each) && !isThere(each - 1));
                  expect(instant).toBe(turnOf(began ?? -1));
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

/** When something holds, in nanoseconds. */
type Lasting = readonly [since: bigint, until: bigint | null];

/**
 * Somebody who is in two groups at times, each of which may read a page at times. The user has changed
 * at the instant 2.
 */
const inGroups = (
  first: Lasting,
  second: Lasting,
  grant: Lasting = [1n, null],
): readonly unknown[] => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (
    key: string,
    label: string,
    also: string[] = [],
    until: bigint | null = null,
  ): void =>
    graph.addNode({
      key,
      label,
      labels: [label, ...also],
      since: 1n,
      until,
      facts: { name: key },
    });
  const line = (
    type: RelationshipRow['type'],
    from: string,
    to: string,
    [since, until]: Lasting = [1n, null],
  ): void => graph.addRelationship({ type, from, to, since, until });
  // Of what exists, nobody stored when it changed last.
  node('who', 'IdpUser', ['Principal']);
  node('who', 'IdpUser', ['Principal'], 2n);
  node('page', 'Resource');
  node('read', 'Permission');
  for (const [name, times] of [['first', first] as const, ['second', second] as const]) {
    node(name, 'IdpGroup', ['Principal']);
    node(`grant of ${name}`, 'Grant', ['Entitlement']);
    line('MEMBER_OF', 'who', name, times);
    line('HOLDS', name, `grant of ${name}`, grant);
    line('OF', `grant of ${name}`, 'read');
    line('ON', `grant of ${name}`, 'page');
  }
  const access = new EffectiveAccess(graph);
  const [who, page] = [graph.find('who'), graph.find('page')];
  const momentAt = (nanos: bigint): MomentAt => ({ moment: graph.instants.moment(nanos), nanos });
  const [from, to] = [momentAt(1n), momentAt(9n)];
  expect(access.between(who, page, to.moment)).toEqual([]);
  const causes = new Causes(access, [from, to]);
  return atOnce(causes.of('lost', who, page, access.between(who, page, from.moment))).map(
    ({ things }) =>
      things?.map((thing) => [
        thing.type,
        graph.key(thing.from),
        graph.key(thing.to ?? thing.from),
        thing.instant,
      ]) ?? null,
  );
};

const NOT: Lasting = [9n, 9n];

test.each<[string, readonly Lasting[], readonly unknown[] | null]>([
  [
    'the end of a membership, although its user changed before',
    [[1n, 4n], NOT],
    [['MEMBER_OF', 'who', 'first', 4n]],
  ],
  [
    'the end of another way, which outlived that of the beginning',
    [
      [1n, 3n],
      [2n, 5n],
    ],
    [['MEMBER_OF', 'who', 'second', 5n]],
  ],
  [
    'the last of two losses',
    [
      [1n, 3n],
      [4n, 6n],
    ],
    [['MEMBER_OF', 'who', 'second', 6n]],
  ],
  ['the first end on the only way', [[1n, 4n], NOT, [1n, 6n]], [['MEMBER_OF', 'who', 'first', 4n]]],
  [
    'nothing certain where two ways ended at once',
    [
      [1n, 4n],
      [1n, 4n],
    ],
    null,
  ],
])('the cause of a loss is %s', (_, [first = NOT, second = NOT, grant], things) => {
  expect(inGroups(first, second, grant)).toEqual([things]);
});

test('a look that is too wide leaves room for others', () => {
  const looks = new Looks();
  expect([looks.hasRoom(2_000_000), looks.hasRoom(999_999)]).toEqual([false, true]);
  expect([looks.hasRoom(2), looks.hasRoom(1)]).toEqual([false, true]);
});

test.each([
  [100, ['MEMBER_OF']],
  [12_000, null],
])('a look for a loss along %d groups ends before it has met a million nodes', (groups, things) => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const node = (key: string, label: string, also: string[] = [], until: bigint | null = null) =>
    graph.addNode({ key, label, labels: [label, ...also], since: 1n, until, facts: { name: key } });
  const line = (
    type: RelationshipRow['type'],
    from: string,
    to: string,
    until: bigint | null = null,
  ): void => graph.addRelationship({ type, from, to, since: 1n, until });
  node('who', 'IdpUser', ['Principal']);
  // The user changed at 98 instants after the loss.
  for (let at = 3n; at <= 100n; at += 1n) node('who', 'IdpUser', ['Principal'], at);
  for (let at = 0; at < groups; at += 1) {
    node(`g${at}`, 'IdpGroup', ['Principal']);
    if (at > 0) line('MEMBER_OF', `g${at - 1}`, `g${at}`);
  }
  node('grant', 'Grant', ['Entitlement']);
  node('read', 'Permission');
  node('page', 'Resource');
  line('MEMBER_OF', 'who', 'g0', 2n);
  line('HOLDS', `g${groups - 1}`, 'grant');
  line('OF', 'grant', 'read');
  line('ON', 'grant', 'page');
  const access = new EffectiveAccess(graph);
  const [who, page] = [graph.find('who'), graph.find('page')];
  const momentAt = (nanos: bigint): MomentAt => ({ moment: graph.instants.moment(nanos), nanos });
  const [from, to] = [momentAt(1n), momentAt(200n)];
  const lost = access.between(who, page, from.moment);
  const causes = atOnce(new Causes(access, [from, to]).of('lost', who, page, lost));
  expect(causes.map((each) => each.things?.map(({ type }) => type) ?? null)).toEqual([things]);
});
