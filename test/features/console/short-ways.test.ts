import fc from 'fast-check';

import type { ExplanationAnswer } from '../../../src/contract/answers/questions/access';
import { pathMap, textAtLine } from '../../../src/features/console/map/layout';
import { routesOf, shortWays } from '../../../src/features/console/map/short-ways';
import { remains, waysOf } from '../../../src/features/console/map/ways';

const hop = (label: string, name: string, relationship: string | null = 'MEMBER_OF') => ({
  id: `s|${label}|${name}`,
  label,
  name,
  relationship,
  from: null,
  since: '2026-01-01T00:00:00Z',
  data_source: 's',
  push: 'p',
});

type Hop = ReturnType<typeof hop>;

const path = (permission: string, type: string, hops: readonly Hop[], scope: readonly Hop[]) => ({
  permission: { name: permission, permission_type: [type] },
  hops: [...hops, hop('Permission', permission, 'ALLOWS')],
  scope: [...scope],
});

const explained = (...paths: readonly ReturnType<typeof path>[]): ExplanationAnswer => ({
  paths,
  truncated: false,
});

const summary = (id: string, label: string, name: string) => ({
  id,
  label,
  name,
  path: null,
  resource_type: null,
  application: null,
  domain: null,
  provider: null,
  inactive: false,
});

const ann = hop('IdpUser', 'Ann', null);
const own = [ann, hop('Identity', 'ann@x.example'), hop('LocalUser', 'ann')];
const motor = hop('Resource', 'motor', 'ON');
const human = {
  principal: summary(ann.id, 'IdpUser', 'Ann'),
  accounts: own.map(({ id, label, name }) => summary(id, label, name)),
};

const inWords = (paths: ExplanationAnswer, answer: Parameters<typeof shortWays>[1]) =>
  shortWays(waysOf(paths), answer).map(({ start, account, steps }) => [
    `${start.name}${account === null ? '' : ` as ${account.name}`}`,
    ...steps.map(({ to, label }) =>
      [to.name, label?.name, label?.on && `on ${label.on.name}`].filter(Boolean).join(', '),
    ),
  ]);

test('one human is one stop, and permission and scope are written at the last step', () => {
  const role = hop('LocalRole', 'Developer');
  const scope = [hop('Application', 'Forge', 'ON'), hop('Resource', 'motor', 'CONTAINS')];
  const answer = explained(
    path('Push', 'DataWrite', [...own, hop('LocalGroup', 'Team'), role], scope),
  );
  expect(inWords(answer, human)).toEqual([
    ['Ann as ann', 'Team', 'Developer', 'motor, write, on Forge'],
  ]);
  // Of a principal of which it is not certain whose it is, each stop is one.
  expect(inWords(answer, {})[0]).toEqual([
    'Ann',
    'ann, as ann@x.example',
    'Team',
    'Developer',
    'motor, write, on Forge',
  ]);
});

test('an identity that only carries the name of its group is written at the step', () => {
  const to = (name: string, identity: string) => [
    ann,
    hop('IdpGroup', 'Staff'),
    hop('Identity', identity),
    hop('LocalGroup', name),
  ];
  const push = (hops: readonly Hop[]) => path('Push', 'DataWrite', hops, [motor]);
  expect(inWords(explained(push(to('Team', 'staff@x'))), {})).toEqual([
    ['Ann', 'Staff', 'Team, as staff@x', 'motor, write'],
  ]);
  expect(inWords(explained(push(to('Team', 'Team'))), {})).toEqual([
    ['Ann', 'Staff', 'Team', 'motor, write'],
  ]);
  // One that leads to two groups does more, and stays a stop.
  expect(inWords(explained(push(to('A', 'staff@x')), push(to('B', 'staff@x'))), {})).toEqual([
    ['Ann', 'Staff', 'staff@x', 'A', 'motor, write'],
    ['Ann', 'Staff', 'staff@x', 'B', 'motor, write'],
  ]);
});

test('ways that differ in their permissions only share a line, unless one of them is gone', () => {
  const team = [...own, hop('LocalGroup', 'Team')];
  const ways = waysOf(
    explained(path('Push', 'DataWrite', team, [motor]), path('Pull', 'DataRead', team, [motor])),
  );
  const short = shortWays(ways, human);
  expect(routesOf(short, new Set([1, 2])).map(({ numbers }) => numbers)).toEqual([[1, 2]]);
  expect(routesOf(short, new Set([2])).map(({ numbers }) => numbers)).toEqual([[1], [2]]);
});

// Before, such a line had "write, write, create".
test('a line for ways with several permissions has each word once', () => {
  const team = [...own, hop('LocalGroup', 'Team')];
  const push = path('Push', 'DataWrite', team, [motor]);
  const owning = { name: 'Own', permission_type: ['DataWrite', 'DataCreate'] };
  const ways = waysOf(explained(push, { ...path('Own', '', team, [motor]), permission: owning }));
  const { lines } = pathMap(shortWays(ways, human));
  expect(lines.map(({ names }) => names)).toEqual([[], ['write', 'create']]);
});

const LABELS = ['Identity', 'LocalUser', 'IdpGroup', 'Identity', 'LocalGroup', 'LocalRole'];

const paths = fc.array(
  fc.tuple(
    fc.subarray(LABELS),
    fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
    fc.constantFrom('Push', 'Read'),
    fc.boolean(),
  ),
  { minLength: 1, maxLength: 12 },
);

/** Each line of the map and the list stands for a step of the graph: what it cuts, the interface cuts too. */
test('a line that is cut cuts at least one way, and each way once', () => {
  fc.assert(
    fc.property(paths, fc.boolean(), (all, isHuman) => {
      const ways = waysOf(
        explained(
          ...all.map(([labels, names, permission, isDeep]) =>
            path(
              permission,
              'DataRead',
              [ann, ...labels.map((label, at) => hop(label, `n${names[at]}`))],
              isDeep ? [hop('Application', 'Forge', 'ON'), { ...motor }] : [motor],
            ),
          ),
        ),
      );
      const short = shortWays(ways, isHuman ? human : {});
      const cuts = new Set(ways.flatMap(({ steps }) => steps.map(({ cut }) => cut)));
      for (const { steps, number, way } of short) {
        expect(way.number).toBe(number);
        expect(steps.at(-1)?.to.name).toBe('motor');
        steps.slice(1).forEach(({ from }, at) => {
          expect(from.id).toBe(steps[at]?.to.id);
        });
        for (const { cut } of steps) {
          expect(cuts.has(cut)).toBe(true);
          expect(remains(way, new Set([cut]))).toBe(false);
        }
      }
      const routes = routesOf(short, new Set(ways.map(({ number }) => number)));
      expect(routes.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual(
        ways.map(({ number }) => number),
      );
      const { lines, shown } = pathMap(short, 'few');
      expect(new Set(lines.flatMap((line) => [...line.ways])).size).toBe(shown);
    }),
    { numRuns: 200 },
  );
});

test('a map of usual ways fits a window of 1,280, with what is written at its lines', () => {
  const team = [
    ...own,
    hop('IdpGroup', 'Firmware Maintainers'),
    hop('Identity', 'firmware-team@x'),
  ];
  const role = [hop('LocalGroup', 'firmware-team'), hop('LocalRole', 'Developer')];
  const scope = [hop('Application', 'Firmware', 'ON'), hop('Resource', 'motor', 'CONTAINS')];
  const { width, boxes } = pathMap(
    shortWays(
      waysOf(
        explained(
          path('Push', 'DataWrite', [...team, ...role], scope),
          path('Comment on everything', 'Uncategorized', [...team, ...role], scope),
        ),
      ),
      human,
    ),
    'few',
  );
  expect(boxes.map(({ stops }) => stops[0]?.name)).toEqual([
    'Ann',
    'Firmware Maintainers',
    'firmware-team',
    'Developer',
    'motor',
  ]);
  expect(width).toBeLessThanOrEqual(1_225);
});

test('what is written at a line has a bound, and says how much more there is', () => {
  expect(textAtLine(['write', 'read'])).toBe('write, read');
  expect(textAtLine(['x'.repeat(100)], 'on ')).toBe(`on ${'x'.repeat(18)}…`);
  expect(textAtLine(['write', 'a very long permission', 'read'])).toBe('write +2');
  expect(textAtLine(['write', 'create', 'Run pipeline'])).toBe('write, create +1');
  expect(textAtLine(['x'.repeat(100), 'read'])).toBe(`${'x'.repeat(18)}… +1`);
});

// Each number of texts was tried, from all of them on.
test('what a line leaves out of very many texts is not looked at', () => {
  const looked = jest.spyOn(Array, 'from');
  const texts = Array.from({ length: 2_000 }, (_, at) => `permission ${at}`);
  looked.mockClear();
  expect(textAtLine(texts)).toBe('permission 0 +1999');
  expect(looked.mock.calls.length).toBeLessThan(50);
  looked.mockRestore();
  expect(textAtLine(new Array(2_000).fill('x'))).toBe('x, x, x, x, x, x +1994');
});
