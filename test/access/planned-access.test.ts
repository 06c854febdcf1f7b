import { setImmediate as nextTurn } from 'node:timers/promises';

import { AccessGraph, type Pair } from '../../src/access/access-graph';
import { EffectiveAccess } from '../../src/access/effective-access';
import { NOW } from '../../src/access/instants';
import { bounded } from '../../src/access/memory';
import { grouped } from '../../src/model/grouped';
import { AccessChangesPacker } from '../../src/graph/records/access-commit';
import { Instant, nanosOf } from '../../src/model/instant';
import type { Runner } from '../../src/neo4j/transaction';
import { accessAfter, plannedAccess } from '../../src/questions/changes/planned-access';
import type { CopiedAccess } from '../../src/questions/memory/access-copy';
import { inPieces } from '../../src/questions/memory/in-pieces';
import {
  COMMITS_AFTER,
  ENDED_FROM,
  NEWEST_COMMIT,
  NODES_NOW,
} from '../../src/questions/statements/access-feed-statements';
import { inQuiet } from '../support/quiet-time';

const BYTES = 2 ** 30;
/** As many as the largest directory of docs/performance.md has. */
const PEOPLE = 50_000;
const AT = new Instant('2026-11-01T12:00:00Z');
const LASTING = { since: nanosOf(new Instant('2026-10-01T12:00:00Z')), until: null };

const GROUP = 'directory|IdpGroup|all';
const GRANT = 'wiki|Grant|of all';
const PAGES = ['one', 'two'].map((name) => `wiki|Resource|${name}`);

const person = (at: number): string => `directory|IdpUser|${String(at).padStart(6, '0')}`;
const member = (at: number): Pair => ({ type: 'MEMBER_OF', from: person(at), to: GROUP });
const HOLDS: Pair = { type: 'HOLDS', from: GROUP, to: GRANT };

/** All people may read two pages, as members of one group. */
const company = (people: number): AccessGraph => {
  const graph = new AccessGraph(bounded(BYTES));
  const add = (key: string, ...also: readonly string[]): void => {
    const [, label = '', name = ''] = key.split('|');
    const labels = ['Entity', label, ...also];
    graph.addNode({ key, label, labels, facts: { name, permission_type: [] }, ...LASTING });
  };
  add(GROUP, 'Principal');
  add(GRANT, 'Entitlement');
  add('wiki|Permission|read');
  for (const page of PAGES) add(page);
  for (let at = 0; at < people; at += 1) add(person(at), 'Principal');
  const pairs: readonly Pair[] = [
    HOLDS,
    { type: 'OF', from: GRANT, to: 'wiki|Permission|read' },
    ...PAGES.map((to): Pair => ({ type: 'ON', from: GRANT, to })),
  ];
  for (const pair of pairs) graph.addRelationship({ ...pair, ...LASTING });
  for (let at = 0; at < people; at += 1) graph.addRelationship({ ...member(at), ...LASTING });
  return graph;
};

/** What a transaction has ended, with all that is at nodes that it has removed. */
interface Written {
  readonly ended: readonly Pair[];
  readonly removed: readonly string[];
}

const TURNS = 7;

/** A transaction of a plan: it answers what the copy reads. */
const transaction = ({ ended, removed }: Written, all: readonly Pair[]): Runner => {
  const packer = new AccessChangesPacker();
  for (const { type, from, to } of ended) packer.relationship('ended', [type, from, to]);
  for (const key of removed) packer.node('removed', key);
  const gone = new Set(removed);
  const over = [...ended, ...all.filter(({ from, to }) => gone.has(from) || gone.has(to))];
  const byStart = grouped(over, ({ from }) => from);
  const since = '2026-10-01T12:00:00Z';
  const rowsOf = (statement: string, keys: readonly string[]): readonly object[] => {
    if (statement === NEWEST_COMMIT) {
      const turns = { before: TURNS + 1, turns: TURNS + 1 };
      return [{ ...turns, epoch: null, restored: null, history_since: null, push: null, at: null }];
    }
    if (statement === COMMITS_AFTER) {
      return [{ turn: TURNS + 1, at: AT.utc, changes: packer.packed }];
    }
    if (statement.endsWith(ENDED_FROM)) {
      return keys.flatMap((key) =>
        (byStart.get(key) ?? []).map((pair) => ({ ...pair, since, until: AT.utc })),
      );
    }
    if (!statement.endsWith(NODES_NOW)) return [];
    return keys.map((key) => ({ key, row: null, past: [[[key, since, key], AT.utc]] }));
  };
  let answered: Promise<unknown> = Promise.resolve();
  const run = async (
    statement: string,
    parameters: Readonly<Record<string, readonly (readonly string[])[]>> = {},
  ): Promise<unknown> => {
    // Neo4j answers one statement after the other.
    await (answered = answered.then(() => nextTurn()));
    const found = rowsOf(statement, parameters.keys?.[0] ?? []);
    const get = (row: object) => (name: string) => (row as Record<string, unknown>)[name];
    return { records: found.map((row) => ({ get: get(row), toObject: () => row })) };
  };
  return { run } as unknown as Runner;
};

const copyOf = async (graph: AccessGraph): Promise<CopiedAccess> => {
  const opened = await inPieces(graph.copy(bounded(BYTES)), () => true, Infinity);
  if (opened === null) throw new Error('it is always valid');
  return { opened, turns: TURNS, epoch: JSON.stringify([null, null]), memoryBytes: BYTES };
};

const plans: readonly (readonly [string, Written])[] = [
  ['ends the grant of a group', { ended: [HOLDS], removed: [] }],
  ['removes a group', { ended: [], removed: [GROUP] }],
];

const members = (people: number): readonly Pair[] =>
  Array.from({ length: people }, (_, at) => member(at));

test.each(plans)(
  'a plan that %s counts all who lose by it, and lists the first',
  async (_, written) => {
    const graph = company(100);
    const after = await accessAfter(
      transaction(written, [HOLDS, ...members(100)]),
      await copyOf(graph),
    );
    if (after === null) throw new Error('there is memory');
    const planned = await plannedAccess(after, AT, 3, 60);
    // The group itself is one of them, and people come first.
    expect(planned).toMatchObject({ total: 202, truncated: true });
    expect(
      planned?.values.map(({ principal, resource, gained, lost }) => {
        return [principal.id, resource.id, gained, lost.map(({ name }) => name)];
      }),
    ).toEqual([
      [person(0), PAGES[0], [], ['read']],
      [person(0), PAGES[1], [], ['read']],
      [person(1), PAGES[0], [], ['read']],
    ]);
    // Everybody else reads the graph that was copied.
    const access = new EffectiveAccess(graph);
    expect(access.reachedBy(graph.find(person(99)), NOW).size).toBe(2);
  },
);

test('a plan without enough memory, of another graph, or out of time says nothing about access', async () => {
  const graph = company(3_000);
  const tx = transaction({ ended: [], removed: [GROUP] }, [HOLDS, ...members(3_000)]);
  const copy = await copyOf(graph);
  expect(await accessAfter(tx, { ...copy, epoch: 'of another graph' })).toBeNull();
  const after = await accessAfter(tx, copy);
  if (after === null) throw new Error('there is memory');
  expect(await plannedAccess(after, AT, 3, 0)).toBeNull();
  const tight = await accessAfter(tx, { ...(await copyOf(graph)), memoryBytes: 0 });
  expect(tight === null ? null : await plannedAccess(tight, AT, 3, 60)).toBeNull();
});

/** Other requests get the thread as soon as this (issue 52). */
const MOST_MILLISECONDS = 100;
const TRIES = 5;

/** Processor milliseconds, on a quiet machine, of the longest turn of the thread while something is done. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let [isDone, longest, last] = [false, 0, process.cpuUsage()];
  const watching = (async () => {
    while (!isDone) {
      await nextTurn();
      const { user, system } = process.cpuUsage(last);
      [longest, last] = [Math.max(longest, (user + system) / 1000), process.cpuUsage()];
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await watching;
  }
  return inQuiet(longest);
};

test.each(plans)(
  'a plan that %s of 50,000 people holds the thread in pieces',
  async (_, written) => {
    const graph = company(PEOPLE);
    void graph.adjacency;
    const tx = transaction(written, [HOLDS, ...members(PEOPLE)]);
    const blocks: number[] = [];
    // V8 may tidy up at any time.
    while (blocks.length < TRIES && blocks.every((block) => block >= MOST_MILLISECONDS)) {
      const block = await longestTurn(async () => {
        const after = await accessAfter(tx, await copyOf(graph));
        const planned = after && (await plannedAccess(after, AT, 100, 60));
        expect(planned).toMatchObject({ total: 2 * (PEOPLE + 1), truncated: true });
      });
      blocks.push(block);
    }
    expect(Math.min(...blocks)).toBeLessThan(MOST_MILLISECONDS);
  },
);
