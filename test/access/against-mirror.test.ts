import fc from 'fast-check';

import { AccessGraph, NONE } from '../../src/access/access-graph';
import { EffectiveAccess, type Permissions } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { bounded } from '../../src/access/memory';
import { accessWithContents, effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { People } from '../mirror/people';
import { sized } from '../support/test-size';
import { histories, type History, instantOf, MOMENTS } from './random-history';

type Held = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Each pair with access as a line, in order. */
const linesOf = (held: Held): readonly string[] =>
  [...held]
    .flatMap(([who, reached]) =>
      [...reached].flatMap(([what, permissions]) =>
        permissions.size === 0 ? [] : [`${who} → ${what}: ${[...permissions].sort().join(' ')}`],
      ),
    )
    .sort();

const textsOf = (permissions: Permissions): ReadonlySet<string> =>
  new Set(permissions.map(({ name, types }) => `[${JSON.stringify(name)},${types}]`));

/** All access as lines, by what a function finds for each of some nodes. */
const foundBy = (
  graph: AccessGraph,
  keys: readonly string[],
  find: (node: number) => ReadonlyMap<number, Permissions>,
): Held =>
  new Map(
    keys.map((key) => [
      key,
      new Map([...find(graph.find(key))].map(([node, held]) => [graph.key(node), textsOf(held)])),
    ]),
  );

const turned = (held: Held): Held => {
  const all = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [one, others] of held) {
    for (const [other, permissions] of others) {
      all.set(
        other,
        (all.get(other) ?? new Map<string, ReadonlySet<string>>()).set(one, permissions),
      );
    }
  }
  return all;
};

const keysOf = ({ nodes }: Graph, labels: readonly string[]): readonly string[] =>
  nodes.filter((node) => node.labels.some((label) => labels.includes(label))).map(({ key }) => key);

const PRIME = 7_919;

const filled = ({ nodes, relationships }: History, order: number): AccessGraph => {
  const graph = new AccessGraph(bounded(2 ** 30));
  const rows = [
    ...nodes.map((row) => () => graph.addNode(row)),
    ...relationships.map((row) => () => graph.addRelationship(row)),
  ];
  // Multiplying by a prime brings rows into another order, of which none is the first or the last.
  const shuffled = rows
    .map((row, at) => [((at + 1) * PRIME + order) % rows.length, row] as const)
    .sort(([a], [b]) => a - b);
  for (const [at, [, add]] of shuffled.entries()) {
    add();
    // What is added after a question counts in the next one.
    if (at === order % 7) new EffectiveAccess(graph).reachedBy(0, graph.instants.moment(null));
  }
  return graph;
};

/** How many pairs were compared, so that the test knows that its graphs have access. */
let compared = 0;
afterAll(() => expect(compared).toBeGreaterThan(1_000));

test('who can do what in memory is what the mirror expects, now and at instants', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const expected = effectiveAccess(then);
        const who = keysOf(then, ['Principal', 'Resource']);
        const what = keysOf(then, ['Application', 'Resource']);
        const reached = foundBy(graph, who, (node) => access.reachedBy(node, moment));
        expect([at, linesOf(reached)]).toEqual([at, linesOf(expected)]);
        const reaching = foundBy(graph, what, (node) => access.reaching(node, false, moment));
        expect([at, linesOf(turned(reaching))]).toEqual([at, linesOf(expected)]);
        const within = foundBy(graph, what, (node) => access.reaching(node, true, moment));
        expect([at, linesOf(turned(within))]).toEqual([
          at,
          linesOf(accessWithContents(then, expected)),
        ]);
        const between = new Map(
          who.map((one) => [
            one,
            new Map(
              what.map((other) => [
                other,
                textsOf(access.between(graph.find(one), graph.find(other), moment)),
              ]),
            ),
          ]),
        );
        expect([at, linesOf(between)]).toEqual([at, linesOf(expected)]);
        compared += linesOf(expected).length;
      }
    }),
    { numRuns: sized(80, 2_000) },
  );
});

test('whose account a node is in memory is what the mirror expects, now and at instants', () => {
  let humans = 0;
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const of = new Humans(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const people = new People(then);
        for (const key of keysOf(then, ['Principal'])) {
          const node = of.humanOf(graph.find(key), moment);
          const human = node === null || node === NONE ? null : graph.key(node);
          const isOfHuman = /^(Employee|IdpUser|Identity|LocalUser)/.test(key);
          expect([at, key, human]).toEqual([
            at,
            key,
            isOfHuman ? (people.human(key)?.key ?? null) : null,
          ]);
          if (human !== null && human !== key) humans += 1;
        }
      }
    }),
    { numRuns: sized(40, 2_000) },
  );
  expect(humans).toBeGreaterThan(100);
  expect(MOMENTS).toBeGreaterThan(1);
});
