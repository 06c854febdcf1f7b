import { types } from 'node:util';

import fc from 'fast-check';

import {
  AccessGraph,
  type NodeRow,
  NONE,
  type RelationshipRow,
} from '../../src/access/access-graph';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess } from '../../src/access/effective-access';
import type { Moment } from '../../src/access/instants';
import { at, bounded, Growing, NoMemory } from '../../src/access/memory';
import { HELD_TYPES } from '../../src/access/relationship-types';
import { inOneGo } from '../../src/access/columns/relationships';
import { buffersOf } from '../../src/questions/memory/access-copy';
import { inQuiet, spentOn } from '../support/quiet-time';
import { sized } from '../support/test-size';
import { histories, type History, instantOf, MOMENTS } from './random-history';

const BYTES = 2 ** 30;

const pairOf = ({ type, from, to }: RelationshipRow): string => `${type} ${from} ${to}`;

const groupedBy = <R>(rows: readonly R[], name: (row: R) => string): Map<string, R[]> => {
  const groups = new Map<string, R[]>();
  for (const row of rows) groups.set(name(row), [...(groups.get(name(row)) ?? []), row]);
  return groups;
};

const loaded = ({ nodes, relationships }: History): AccessGraph => {
  const graph = new AccessGraph(bounded(BYTES));
  for (const row of nodes) graph.addNode(row);
  for (const row of relationships) graph.addRelationship(row);
  return graph;
};

/** Changes a graph of one history into that of another one, and asks it in between. */
const changed = (
  before: History,
  after: History,
  order: number,
  graph = loaded(before),
): AccessGraph => {
  const access = new EffectiveAccess(graph);
  const nodes = groupedBy(after.nodes, ({ key }) => key);
  const pairs = groupedBy([...before.relationships, ...after.relationships], pairOf);
  const wanted = groupedBy(after.relationships, pairOf);
  const setNode = (key: string, rows: readonly NodeRow[]) => () => {
    graph.setVersions(key, rows, 0n);
  };
  const steps = [
    ...[...new Set(before.nodes.map(({ key }) => key)), ...nodes.keys()].map((key) =>
      setNode(key, nodes.get(key) ?? []),
    ),
    ...[...pairs].map(([name, [pair]]) => () => {
      if (pair !== undefined) graph.setBetween(pair, 0n, wanted.get(name) ?? []);
    }),
  ];
  const ordering: Iterator<void>[] = [];
  for (const [count, step] of steps.entries()) {
    step();
    if (count % 11 === order % 11) access.reachedBy(count % graph.nodeCount, momentOf(graph, 1));
    // The graph changes between the steps of an ordering.
    if (count % 40 === order % 40) ordering.push(graph.order());
    const [first] = ordering;
    if (first?.next().done === true) ordering.shift();
  }
  return graph;
};

const momentOf = (graph: AccessGraph, moment: number): Moment =>
  graph.instants.moment(instantOf(moment));

const relationshipsOf = (graph: AccessGraph): readonly string[] => {
  const { from, to, type, since, until } = graph.adjacency;
  const { instants } = graph;
  return Array.from({ length: graph.placeCount }, (_, place) => place)
    .filter((place) => HELD_TYPES[at(type, place)] !== undefined)
    .map((place) =>
      [
        HELD_TYPES[at(type, place)],
        graph.key(at(from, place)),
        graph.key(at(to, place)),
        instants.nanosOf(at(since, place)),
        instants.nanosOf(at(until, place)),
      ].join(' '),
    )
    .sort();
};

/** Everything that everybody reaches, and by whom everything is reached, at all moments. */
const accessOf = (graph: AccessGraph): readonly string[] => {
  const access = new EffectiveAccess(graph);
  const keys = Array.from({ length: graph.nodeCount }, (_, node) => graph.key(node)).sort();
  const lines: string[] = [];
  for (let number = 0; number < MOMENTS; number += 1) {
    const moment = momentOf(graph, number);
    for (const key of keys) {
      const node = graph.find(key);
      for (const found of [
        access.reachedBy(node, moment),
        atOnce(access.reaching(node, true, moment)),
      ]) {
        lines.push(
          ...[...found].map(([far, held]) => {
            const permissions = held.map(({ name, types }) => `${name} ${types}`).join(', ');
            return `${number} ${key} ${graph.key(far)} ${permissions}`;
          }),
        );
      }
    }
  }
  return lines.sort();
};

test('a graph that changed in memory answers as one that was loaded', () => {
  let compared = 0;
  fc.assert(
    fc.property(histories, histories, fc.nat(), (before, after, order) => {
      const [one, other] = [changed(before, after, order), loaded(after)];
      expect(relationshipsOf(one)).toEqual(relationshipsOf(other));
      expect(one.relationshipCount).toBe(other.relationshipCount);
      expect(one.versionCount).toBe(other.versionCount);
      const lines = accessOf(other);
      expect(accessOf(one)).toEqual(lines);
      compared += lines.length;
    }),
    { numRuns: sized(15, 300) },
  );
  expect(compared).toBeGreaterThan(1_000);
});

/** Copies a graph while an ordering goes on. */
const copied = (graph: AccessGraph, order: number): AccessGraph => {
  const memory = bounded(BYTES);
  const ordering = graph.order();
  const copying = graph.copy(memory);
  for (let count = order; ; count += 1) {
    if (count % 3 === 0) ordering.next();
    const step = copying.next();
    if (step.done === true) return new AccessGraph(memory, step.value);
  }
};

// A plan changes a copy, and nobody may see what was not committed.
test('a copy that changes answers as a graph that was loaded, and the first stays as it is', () => {
  let compared = 0;
  fc.assert(
    fc.property(histories, histories, histories, fc.nat(), (before, after, later, order) => {
      // What was appended since the last ordering is copied too.
      const graph = changed(before, after, order);
      const [lines, relationships] = [accessOf(graph), relationshipsOf(graph)];
      const copy = copied(graph, order);
      expect([accessOf(copy), relationshipsOf(copy)]).toEqual([lines, relationships]);
      changed(after, later, order, copy);
      expect([accessOf(graph), relationshipsOf(graph)]).toEqual([lines, relationships]);
      const other = loaded(later);
      expect([accessOf(copy), relationshipsOf(copy)]).toEqual([
        accessOf(other),
        relationshipsOf(other),
      ]);
      // Nor does the copy see what changes in the first.
      changed(after, before, order, graph);
      inOneGo(graph.order());
      expect(relationshipsOf(copy)).toEqual(relationshipsOf(other));
      compared += lines.length;
    }),
    { numRuns: sized(10, 200) },
  );
  expect(compared).toBeGreaterThan(100);
});

test.each(['shared', 'own'] as const)('a column that grows stays in %s memory', (kind) => {
  const column = new Growing(bounded(BYTES, kind), Int32Array);
  for (const more of [1, 1_000]) {
    column.extend(more);
    expect(types.isSharedArrayBuffer(column.values.buffer)).toBe(kind === 'shared');
  }
});

// Before, one step copied a whole column: with very long texts the thread had no pause.
test('a long column is copied in several steps', () => {
  const column = new Growing(bounded(BYTES), Uint8Array);
  column.extend(5_000_000);
  for (const place of [0, 2_000_000, 4_999_999]) column.values[place] = 1 + (place % 7);
  const copying = column.copy(bounded(BYTES));
  let steps = 0;
  let step = copying.next();
  for (; step.done !== true; step = copying.next()) steps += 1;
  expect(steps).toBeGreaterThan(1);
  const { values, length } = step.value;
  expect(Buffer.compare(values.subarray(0, length), column.values.subarray(0, length))).toBe(0);
});

// Before, a copy was in shared memory: V8 does not count that, so copies stayed after their end.
test('a thread takes over the memory of a copy, and answers as the first', () => {
  const [history] = fc.sample(histories, 1);
  if (history === undefined) throw new Error('there is no history');
  const graph = loaded(history);
  const opened = inOneGo(graph.copy(bounded(BYTES, 'own')));
  const buffers = buffersOf(opened);
  // Only the orders are those of the first.
  const views = Object.values(opened.relationships.ordered ?? {}).filter((value) =>
    ArrayBuffer.isView(value),
  );
  expect(views.map(({ buffer }) => types.isSharedArrayBuffer(buffer))).toEqual(
    [1, 2, 3, 4].map(() => true),
  );
  const moved = structuredClone(opened, { transfer: [...buffers] });
  expect(buffers.map(({ byteLength }) => byteLength)).toEqual(buffers.map(() => 0));
  expect(opened.nodes.key.values).toHaveLength(0);
  const copy = new AccessGraph(bounded(BYTES, 'own'), moved);
  expect([accessOf(copy), relationshipsOf(copy)]).toEqual([
    accessOf(graph),
    relationshipsOf(graph),
  ]);
});

test('a copy without memory says so, and leaves the graph as it is', () => {
  const graph = new AccessGraph(bounded(BYTES));
  for (let number = 0; number < 1_000; number += 1) graph.begin(member('ann', `${number}`), 1n);
  const relationships = relationshipsOf(graph);
  expect(() => inOneGo(graph.copy(bounded(20_000)))).toThrow(NoMemory);
  expect(relationshipsOf(graph)).toEqual(relationships);
});

const second = (number: number): bigint => BigInt(number) * 1_000_000_000n;

const member = (user: string, group: string) =>
  ({ type: 'MEMBER_OF', from: `IdpUser|${user}`, to: `IdpGroup|${group}` }) as const;

// Before, each change of a node left its whole history behind, and a node with a long one soon made
// the process load everything again.
test('a node with a long history that changes often leaves nothing behind', () => {
  const graph = new AccessGraph(bounded(BYTES));
  const rows: NodeRow[] = [];
  const version = (number: number, until: bigint | null): NodeRow => ({
    key: 'k',
    label: 'IdpUser',
    labels: ['IdpUser', 'Principal'],
    since: BigInt(number),
    until,
    facts: { name: `name ${number % 3}` },
  });
  for (let number = 0; number < 200; number += 1) {
    rows.unshift(version(number, null));
    if (rows[1] !== undefined) rows[1] = version(number - 1, BigInt(number));
    graph.setVersions('k', rows, 0n);
    expect([graph.versionCount, graph.leftCount]).toEqual([number + 1, 0]);
  }
  const node = graph.find('k');
  for (const number of [0, 1, 77, 198]) {
    const moment = graph.instants.moment(BigInt(number));
    expect(graph.name(graph.version(node, moment))).toBe(`name ${number % 3}`);
  }
  graph.setVersions('k', [], 0n);
  expect([graph.versionCount, graph.leftCount]).toEqual([0, 200]);
});

// Before, the whole history of each node that changed was read again, longer with each push.
test('versions that ended before a change stay, although nobody gives them again', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (history, number) => {
      const graph = loaded(history);
      const [lines, count] = [accessOf(graph), graph.versionCount];
      const from = instantOf(number % (MOMENTS - 1)) ?? 0n;
      for (const [key, rows] of groupedBy(history.nodes, (row) => row.key)) {
        const later = rows.filter(({ until }) => until === null || until >= from);
        graph.setVersions(key, later, from);
      }
      expect([graph.versionCount, graph.leftCount]).toEqual([count, 0]);
      expect(accessOf(graph)).toEqual(lines);
    }),
    { numRuns: sized(15, 300) },
  );
});

test('what begins twice is there once', () => {
  const graph = new AccessGraph(bounded(BYTES));
  graph.begin(member('ann', 'all'), second(1));
  graph.begin(member('ann', 'all'), second(1));
  expect(graph.relationshipCount).toBe(1);
  graph.begin(member('ann', 'all'), second(2));
  expect(graph.relationshipCount).toBe(2);
});

test('what ended before stays when a relationship is set from an instant on', () => {
  const graph = new AccessGraph(bounded(BYTES));
  const pair = member('ann', 'all');
  graph.addRelationship({ ...pair, since: second(1), until: second(2) });
  graph.begin(pair, second(3));
  graph.setBetween(pair, second(5), [{ since: second(3), until: second(5) }]);
  expect(relationshipsOf(graph)).toEqual([
    `MEMBER_OF ${pair.from} ${pair.to} ${second(1)} ${second(2)}`,
    `MEMBER_OF ${pair.from} ${pair.to} ${second(3)} ${second(5)}`,
  ]);
});

test('relationships that join the same nodes at the same time are as many as there are', () => {
  const graph = new AccessGraph(bounded(BYTES));
  const pair = { type: 'ASSIGNED_TO', from: 'IdpUser|ann', to: 'IdpApp|mail' } as const;
  const one = { since: second(1), until: null };
  graph.setBetween(pair, second(1), [one, one]);
  expect(graph.relationshipCount).toBe(2);
  graph.setBetween(pair, second(2), [one]);
  expect(graph.relationshipCount).toBe(1);
});

test('moments count instants that come later, earlier and in between', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(500), { minLength: 1, maxLength: 60 }),
      fc.nat(500),
      (all, when) => {
        const { instants } = new AccessGraph(bounded(BYTES));
        for (const [count, one] of all.entries()) {
          instants.add(second(one));
          if (count % 3 === 0) instants.moment(second(when));
        }
        const moment = instants.moment(second(when));
        for (const one of all) {
          expect(instants.isWithin(instants.add(second(one)), -1, moment)).toBe(one <= when);
        }
      },
    ),
  );
});

/** Appends many relationships, and orders them while further ones come. Gives the longest step. */
const ordered = (count: number): { readonly graph: AccessGraph; readonly longest: number } => {
  const graph = new AccessGraph(bounded(BYTES));
  const add = (from: number, to: number): void => {
    for (let number = from; number < to; number += 1) {
      graph.addRelationship({
        ...member(String(number % 50_000), String(number % 1_000)),
        since: null,
        until: null,
      });
    }
  };
  add(0, 1_000);
  inOneGo(graph.order());
  add(1_000, count);
  let longest = 0;
  const steps = graph.order();
  let isDone = false;
  for (let more = 0; !isDone; more += 1) {
    const spent = spentOn(() => (isDone = steps.next().done === true));
    longest = Math.max(longest, spent);
    if (!isDone) add(count + more, count + more + 1);
  }
  return { graph, longest: inQuiet(longest) };
};

test('an ordering of many relationships goes on in short steps, also while others are appended', () => {
  let { graph, longest } = ordered(300_000);
  // V8 may tidy up at any time. The bound is the one of issue 52: no request holds the main thread for more than this.
  for (let again = 1; again < 5 && longest >= 100; again += 1)
    ({ graph, longest } = ordered(300_000));
  expect(longest).toBeLessThan(100);
  expect(graph.appendedCount).toBeLessThan(20);
  const walk = new EffectiveAccess(graph).walk;
  const types = new Uint8Array(32).fill(1);
  expect(walk.next(graph.find('IdpUser|7'), types, momentOf(graph, MOMENTS - 1))).toHaveLength(6);
});

test('a graph without memory says so and stays as it is', () => {
  const graph = new AccessGraph(bounded(200_000));
  expect(() => {
    for (let number = 0; number < 100_000; number += 1) graph.begin(member('ann', `${number}`), 1n);
  }).toThrow(NoMemory);
  expect(graph.find('IdpUser|ann')).not.toBe(NONE);
});

test('an answer about an instant stays right until something by then changes', () => {
  const graph = new AccessGraph(bounded(BYTES));
  const addNode = (key: string): void => {
    const lasting = { since: null, until: null };
    graph.addNode({
      key,
      label: 'IdpUser',
      labels: ['IdpUser', 'Principal'],
      facts: {},
      ...lasting,
    });
  };
  addNode('a');
  const { changes } = graph;
  expect(graph.isSameUntil(100n, changes)).toBe(true);
  for (const instant of [300n, 200n, 400n]) {
    graph.touch(instant);
    addNode(String(instant));
  }
  expect([199n, 200n, 300n].map((at) => graph.isSameUntil(at, changes))).toEqual([
    true,
    false,
    false,
  ]);
  const later = graph.changes - 1;
  expect([399n, 400n].map((at) => graph.isSameUntil(at, later))).toEqual([true, false]);
  // Nobody said what a change touched.
  addNode('b');
  expect(graph.isSameUntil(0n, graph.changes - 1)).toBe(false);
  // Of more commits than it remembers, it says no.
  for (let at = 1_000n; at < 3_000n; at += 1n) {
    graph.touch(at);
    addNode(`later ${at}`);
  }
  expect(graph.isSameUntil(0n, changes)).toBe(false);
});

// Before, each was ordered with the instants of all pushes: half a million of them held the thread for a second.
test('when accounts are deactivated is no instant of the graph', () => {
  const graph = new AccessGraph(bounded(BYTES));
  graph.addNode({
    key: 'a',
    label: 'LocalUser',
    labels: ['LocalUser', 'Principal'],
    since: 5n,
    until: null,
    facts: { deactivated_at: 7n },
  });
  expect([5n, 7n].map((at) => graph.instants.knows(at))).toEqual([true, false]);
  const inactive = (clock: bigint): boolean =>
    graph.summary(graph.find('a'), graph.instants.moment(null), clock).inactive;
  expect([6n, 7n].map(inactive)).toEqual([false, true]);
});
