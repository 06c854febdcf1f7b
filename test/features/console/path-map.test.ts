import fc from 'fast-check';

import type { ExplanationAnswer } from '../../../src/contract/answers/questions/access';
import { waysOfRows } from '../../../src/features/console/map/answer-ways';
import { BOX, pathMap } from '../../../src/features/console/map/layout';
import { remains, waysOf } from '../../../src/features/console/map/ways';

const hop = (label: string, name: string, relationship: string | null, since = '2026-01-01') => ({
  id: `s|${label}|${name}`,
  label,
  name,
  relationship,
  from: null,
  since: `${since}T00:00:00Z`,
  data_source: 's',
  push: `push of ${since}`,
});

const path = (permission: string, hops: readonly ReturnType<typeof hop>[]) => ({
  permission: { name: permission, permission_type: ['DataWrite'] },
  hops: [...hops, hop('Permission', permission, 'OF')],
  scope: [hop('Application', 'Forge', 'ON'), hop('Resource', 'motor', 'CONTAINS')],
});

const ann = hop('IdpUser', 'Ann', null);

const explained = (...paths: readonly ReturnType<typeof path>[]): ExplanationAnswer => ({
  paths,
  truncated: false,
});

test('a grant is part of a step, and the step is as old as its newest part', () => {
  const [way] = waysOf(explained(path('Push', [ann, hop('Grant', '', 'HOLDS', '2026-03-01')])));
  expect(way?.steps.map(({ from, words, to }) => [from.name, words, to.name])).toEqual([
    ['Ann', 'is granted', 'Push'],
    ['Push', 'holds on', 'Forge'],
    ['Forge', 'contains', 'motor'],
  ]);
  expect(way).toMatchObject({ since: '2026-03-01T00:00:00Z', push: 'push of 2026-03-01' });
});

test('columns are in their order, and stops of one column that lead to each other are apart', () => {
  const { columns, boxes } = pathMap(
    waysOf(
      explained(
        path('Push', [
          ann,
          hop('IdpGroup', 'Team', 'MEMBER_OF'),
          hop('IdpGroup', 'All', 'MEMBER_OF'),
          hop('LocalUser', 'ann', 'IDENTITY_OF'),
        ]),
      ),
    ),
  );
  expect(columns.map(({ name }) => name)).toEqual([
    'Who',
    'Directory',
    'Account',
    'Permission',
    'Resource',
  ]);
  const at = new Map(boxes.map(({ stops, x }) => [stops[0]?.name, x]));
  expect(at.get('Team')).toBeLessThan(at.get('All') ?? 0);
});

test('equal stops become one box with their number', () => {
  const accounts = ['a', 'b', 'c', 'd'].map((name) =>
    path('Push', [ann, hop('LocalUser', name, 'IDENTITY_OF')]),
  );
  const { boxes } = pathMap(waysOf(explained(...accounts)));
  expect(boxes.map(({ stops }) => stops.length).toSorted()).toEqual([1, 1, 1, 1, 4]);
});

test('a cut leaves the ways that do not pass it', () => {
  const ways = waysOf(
    explained(
      path('Push', [ann, hop('IdpGroup', 'Team', 'MEMBER_OF')]),
      path('Push', [ann, hop('LocalUser', 'ann', 'IDENTITY_OF')]),
    ),
  );
  const cut = new Set([ways[0]?.steps[0]?.cut ?? '']);
  expect(ways.map((way) => remains(way, cut))).toEqual([false, true]);
});

const LABELS = ['IdpGroup', 'Identity', 'LocalUser', 'LocalGroup', 'LocalRole'];

const paths = fc.array(
  fc.tuple(
    fc.subarray(LABELS),
    fc.array(fc.nat(60), { minLength: 5, maxLength: 5 }),
    fc.constantFrom('Push', 'Read', 'Merge'),
  ),
  { minLength: 1, maxLength: 100 },
);

test('a map has at most 60 boxes, none over another one, and says how many ways it shows', () => {
  fc.assert(
    fc.property(paths, (all) => {
      const ways = waysOf(
        explained(
          ...all.map(([labels, names, permission]) =>
            path(permission, [
              ann,
              ...labels.map((label, at) => hop(label, `n${names[at]}`, 'MEMBER_OF')),
            ]),
          ),
        ),
      );
      const { boxes, lines, shown, width, height } = pathMap(ways);
      expect(boxes.length).toBeLessThanOrEqual(60);
      expect(shown).toBeGreaterThan(0);
      const numbers = new Set(lines.flatMap((line) => [...line.ways]));
      expect(numbers.size).toBe(shown);
      const drawn = ways.filter(({ number }) => numbers.has(number));
      const seen = new Set(drawn.flatMap(({ steps }) => steps.map(({ cut }) => cut)));
      expect(new Set(lines.flatMap(({ cuts }) => cuts))).toEqual(seen);
      for (const { x, y } of boxes) {
        expect(x + BOX.width).toBeLessThanOrEqual(width);
        expect(y + BOX.height).toBeLessThanOrEqual(height);
      }
      for (const left of new Set(boxes.map(({ x }) => x))) {
        const sorted = boxes
          .filter(({ x }) => x === left)
          .map(({ y }) => y)
          .toSorted((a, b) => a - b);
        sorted.slice(1).forEach((y, at) => {
          expect(y - (sorted[at] ?? 0)).toBeGreaterThanOrEqual(BOX.height);
        });
      }
    }),
    { numRuns: 60 },
  );
});

describe('rows of an answer', () => {
  const node = (label: string, name: string) => ({
    id: `4:${name}`,
    labels: ['Entity', label],
    properties: { key: `s|${label}|${name}`, name },
  });
  const relationship = (type: string, from: object, to: object) => ({
    id: `5:${type}`,
    type,
    properties: {},
    from: (from as { id: string }).id,
    to: (to as { id: string }).id,
  });
  const [bob, team, push, repo] = [
    node('IdpUser', 'Bob'),
    node('IdpGroup', 'Team'),
    node('Permission', 'Push'),
    node('Resource', 'repo'),
  ] as const;
  const linesOf = (rows: readonly (readonly unknown[])[]) =>
    pathMap(waysOfRows(rows))
      .lines.map(({ from, to }) => [from.stops[0]?.name, to.stops[0]?.name])
      .toSorted();

  test('have a step for each relationship of their paths, in its direction', () => {
    const member = relationship('MEMBER_OF', bob, team);
    const on = relationship('ON', push, repo);
    const forwards = { nodes: [bob, team], relationships: [member] };
    const backwards = { nodes: [repo, push], relationships: [on] };
    expect(
      linesOf([
        [forwards, 7],
        ['text', [backwards]],
      ]),
    ).toEqual([
      ['Bob', 'Team'],
      ['Push', 'repo'],
    ]);
    // A row of two paths that have no stop in common.
    expect(linesOf([[forwards, backwards]])).toEqual([
      ['Bob', 'Team'],
      ['Push', 'repo'],
    ]);
  });

  test('may have nodes and relationships alone; what no column is for is left out', () => {
    const member = relationship('MEMBER_OF', bob, team);
    const tag = node('Tag', 'x');
    expect(linesOf([[bob, member, team]])).toEqual([['Bob', 'Team']]);
    expect(linesOf([[bob, member], [team], [tag, relationship('TAGGED', team, tag)]])).toEqual([
      ['Bob', 'Team'],
    ]);
    expect(waysOfRows([[bob, team], [member], ['x']])).toHaveLength(1);
    expect(waysOfRows([[bob, 'x', { nodes: 1 }], [null]])).toEqual([]);
  });

  test('are shown in part if all of them need more than 60 boxes', () => {
    const rows = Array.from({ length: 80 }, (_, at) => {
      const one = node('IdpUser', `u${at}`);
      const to = node('IdpGroup', `g${at}`);
      return [{ nodes: [one, to], relationships: [relationship('MEMBER_OF', one, to)] }];
    });
    const { boxes, shown } = pathMap(waysOfRows(rows));
    expect(boxes.length).toBeLessThanOrEqual(60);
    expect(shown).toBeGreaterThan(20);
  });
});
