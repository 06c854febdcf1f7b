import fc from 'fast-check';

import { atOnce } from '../../src/access/pieces';
import {
  shortestWays,
  type Step,
  type Terrain,
  type WayLimits,
} from '../../src/questions/access/explanation/shortest-ways';

const waysIn = (terrain: Terrain<string>, limits: WayLimits) =>
  atOnce(shortestWays(terrain, limits));

type Lines = readonly (readonly [from: number, to: number])[];

const stepsOf = (lines: Lines, place: string): readonly Step<string>[] =>
  lines.flatMap(([from, to], at) =>
    String(from) === place ? [{ step: String(at), to: String(to) }] : [],
  );

const told = (lines: Lines, limits = { most: 1_000, longest: 16, effort: 100_000 }) =>
  waysIn(
    {
      start: '0',
      stepsFrom: (place) => stepsOf(lines, place),
      isGoal: (place) => place === '9',
    },
    limits,
  );

/** Every way that comes by no place twice, by trying all. */
const allWays = (lines: Lines, place = '0', visited = ['0']): readonly (readonly string[])[] =>
  place === '9'
    ? [[]]
    : stepsOf(lines, place)
        .filter(({ to }) => !visited.includes(to))
        .flatMap(({ step, to }) =>
          allWays(lines, to, [...visited, to]).map((rest) => [step, ...rest]),
        );

const place = fc.oneof(fc.nat({ max: 6 }), fc.constant(9));
const anyLines = fc.array(fc.tuple(fc.nat({ max: 6 }), place), { maxLength: 14 });

test('all ways are found, shortest first, each once', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const { ways, truncated } = told(lines);
      const found = ways.map(({ steps }) => steps.join(' '));
      expect(found.toSorted()).toEqual(
        allWays(lines)
          .map((way) => way.join(' '))
          .sort(),
      );
      const lengths = ways.map(({ steps }) => steps.length);
      expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
      expect(truncated).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('what is cut is the longest, and it is told', () => {
  fc.assert(
    fc.property(
      anyLines,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      (lines, most, longest) => {
        const { ways, truncated } = told(lines, { most, longest, effort: 100_000 });
        const lengths = allWays(lines)
          .map((way) => way.length)
          .sort((a, b) => a - b);
        // The shortest ways are found however long they are.
        const furthest = Math.max(longest, lengths[0] ?? 0);
        const expected = lengths.filter((length) => length <= furthest).slice(0, most);
        expect(ways.map(({ steps }) => steps.length)).toEqual(expected);
        expect(truncated).toBe(lengths.length > expected.length);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the shortest way is found, however long it is and however little the search may cost', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 0, max: 20 }),
      (length, effort) => {
        const names = (at: number): string => (at === length ? 'end' : String(at));
        const { ways, truncated } = waysIn(
          {
            start: '0',
            // Beside each step there is a longer way around.
            stepsFrom: (place) =>
              place.startsWith('around')
                ? [{ step: `${place}>`, to: names(Number(place.slice(7)) + 1) }]
                : place === 'end'
                  ? []
                  : [
                      { step: place, to: names(Number(place) + 1) },
                      { step: `${place}<`, to: `around ${place}` },
                    ],
            isGoal: (place) => place === 'end',
          },
          { most: 1, longest: 16, effort },
        );
        expect(ways.map(({ steps }) => steps.length)).toEqual([length]);
        expect(truncated).toBe(true);
      },
    ),
  );
});

test('a search that costs too much ends, and tells so', () => {
  const crowd = Array.from({ length: 12 }, (_, at) => at).filter((at) => at !== 9);
  const lines = crowd.flatMap((from) => crowd.map((to) => [from, to] as const));
  const { ways, truncated } = told([...lines, [11, 9]], { most: 1e9, longest: 16, effort: 5_000 });
  expect(ways.length).toBeGreaterThan(0);
  expect(truncated).toBe(true);
});

test('where many ways branch, those that are told are found at once', () => {
  const floors = 13;
  const place = (floor: number, room: number): string => `${floor} ${room}`;
  const { ways, truncated } = waysIn(
    {
      start: place(0, 0),
      stepsFrom: (at) => {
        const floor = Number(at.split(' ')[0]) + 1;
        return floor > floors
          ? []
          : [0, 1, 2].map((room) => ({ step: place(floor, room), to: place(floor, room) }));
      },
      isGoal: (at) => at.startsWith(`${floors} `),
    },
    { most: 100, longest: 16, effort: 5_000 },
  );
  expect(ways).toHaveLength(100);
  expect(truncated).toBe(true);
});
