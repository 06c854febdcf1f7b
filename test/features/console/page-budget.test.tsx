/** @more pages */

import type { VNode } from 'preact';

import type { QueryAnswer } from '../../../src/questions/endpoints';
import { PAGE_BUDGET } from '../../../src/features/console/rendering/budget';
import { documentOf } from '../../../src/features/console/frame/document';
import { waysOfRows } from '../../../src/features/console/map/answer-ways';
import { MOST, pathMap } from '../../../src/features/console/map/layout';
import { Picture } from '../../../src/features/console/map/path-map';
import { shortWays } from '../../../src/features/console/map/short-ways';
import { stepsIn, StepTable, WayTable } from '../../../src/features/console/map/tables';
import { type Way, waysOf } from '../../../src/features/console/map/ways';
import { RowTable, SHOWN_ROWS } from '../../../src/features/console/tables/row-table';
import { inQuiet, spentOn } from '../../support/quiet-time';

/** Milliseconds for which a page may hold the service. */
const MOST_MILLISECONDS = 100;

const page = (body: VNode): string =>
  documentOf(
    { places: [], path: '/console', aside: null, sought: '', mayFind: true },
    { title: 'Hostile', moment: null, body },
  );

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const MOST_TRIES = 30;

/** Processor time of some work on a quiet machine; the best of several tries. */
const leastSpentOn = (work: () => unknown): number => {
  let least = Infinity;
  for (let tried = 0; tried < MOST_TRIES && least >= MOST_MILLISECONDS; tried += 1) {
    least = Math.min(least, inQuiet(spentOn(work)));
  }
  return least;
};

const node = (label: string, name: string) => ({
  id: `4:${label}:${name}`,
  labels: ['Entity', label],
  properties: { key: `s|${label}|${name}`, name },
});
type Node = ReturnType<typeof node>;

const pathOf = (nodes: readonly Node[]) => ({
  nodes,
  relationships: nodes.slice(1).map((to, at) => {
    const from = nodes[at]?.id ?? '';
    return { id: `${from} ${to.id}`, type: 'LEADS', properties: {}, from, to: to.id };
  }),
});

/** An account in so many groups with a grant each, as `explain-access` gives its paths. */
const groups = (count: number) =>
  upTo(count).map((at) => [
    pathOf([
      node('IdpUser', 'Ann'),
      node('LocalUser', 'ann'),
      node('LocalGroup', `g${at}`),
      node('Grant', `x${at}`),
      node('Permission', `p${at % 50}`),
      node('Resource', 'safe'),
    ]),
  ]);

type Rows = readonly (readonly unknown[])[];

/** What *Ask* shows of an answer with these rows. */
const asks = (rows: Rows): string => {
  const columns = rows[0]?.map((_, at) => `c${at}`) ?? [];
  const of: QueryAnswer = { columns, rows, truncated: false, notices: [] };
  return page(
    <>
      <Picture of={pathMap(waysOfRows(rows.slice(0, SHOWN_ROWS)))} />
      <RowTable of={of} />
    </>,
  );
};

const HOSTILE: Readonly<Record<string, () => Rows>> = {
  'an account in 450 groups with a grant each': () => groups(450),
  'an account in 10,000 groups': () => groups(10_000),
  'everybody leads to everything': () =>
    upTo(10_000).map((at) => [
      pathOf([
        node('IdpUser', `u${at % 40}`),
        node('LocalGroup', `g${at % 37}`),
        node('LocalRole', `r${at % 33}`),
        node('Resource', `s${at % 31}`),
      ]),
    ]),
  'groups in groups in groups': () =>
    upTo(300).map((at) => [
      pathOf(upTo(60).map((deep) => node('LocalGroup', `g${(at * 7 + deep * 13) % 500}`))),
    ]),
  '120 people with 1,000 permissions each in a list': () =>
    upTo(120).map((at) => [`p${at}`, upTo(1_000).map((each) => `permission ${each}`)]),
  'one row with a million values': () => [['all', upTo(1_000_000)]],
  'one value of a megabyte': () => [['x', '"'.repeat(1_000_000)]],
  'maps in lists in maps': () =>
    upTo(500).map((at) => [at, { a: upTo(300).map((each) => ({ b: [each] })) }]),
  'lists in lists in lists': () => {
    const list = upTo(60).map(() => upTo(60).map(() => upTo(60)));
    return upTo(500).map((at) => [at, list]);
  },
  'names of a thousand letters': () =>
    upTo(500).map((at) => upTo(8).map((each) => `${at}${each}"`.repeat(250))),
};

test.each(Object.keys(HOSTILE))('a page has its budget: %s', (name) => {
  const rows = HOSTILE[name]?.() ?? [];
  const html = asks(rows);
  expect(Buffer.byteLength(html)).toBeLessThan(1.5 * PAGE_BUDGET.bytes);
  expect(leastSpentOn(() => asks(rows))).toBeLessThan(MOST_MILLISECONDS);
});

/** As many ways of an explanation, each through a group and a grant of its own. */
const explained = (count: number): readonly Way[] => {
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
  const paths = upTo(count).map((at) => ({
    permission: { name: `p${at}`, permission_type: ['DataRead'] },
    hops: [
      hop('IdpUser', 'Ann', null),
      hop('LocalGroup', `g${at}`),
      hop('Grant', `x${at}`),
      hop('Permission', `p${at}`, 'OF'),
    ],
    scope: [hop('Resource', 'safe', 'ON')],
  }));
  return waysOf({ paths, truncated: false });
};

test('the picture and the tables of Why have the budget of a page', () => {
  const ways = explained(1_000);
  const short = shortWays(ways, {});
  const lights = { isCut: false, cuts: new Set<string>(), remaining: new Set<number>() };
  const made = (): string =>
    page(
      <>
        <Picture
          of={pathMap(short, 'few')}
          lights={lights}
          cutAddress={(cut) => `/why?cut=${cut.join()}`}
        />
        <StepTable
          {...{
            of: stepsIn(ways),
            path: '/',
            names: new Map(),
            keeping: {},
            parameters: {},
            lights,
          }}
        />
        <WayTable
          {...{ of: short, keeping: {}, lights }}
          addressWith={(cut) => `/why?cut=${cut}`}
        />
      </>,
    );
  const html = made();
  expect(Buffer.byteLength(html)).toBeLessThan(1.5 * PAGE_BUDGET.bytes);
  expect(leastSpentOn(made)).toBeLessThan(MOST_MILLISECONDS);
  // Both tables say what they leave out, and so the page has room for what it shows.
  const said = [...html.matchAll(/The table has the first 150 of (\d+ \w+)\./g)];
  expect(said.map(([, what]) => what)).toEqual(['3000 steps', '1000 lines']);
  expect(html.includes('too large')).toBe(false);
});

test('a picture has at most its boxes, lines and steps, whatever the ways are', () => {
  for (const name of Object.keys(HOSTILE)) {
    const { boxes, lines } = pathMap(waysOfRows(HOSTILE[name]?.() ?? []));
    expect([name, boxes.length <= MOST.boxes, lines.length <= MOST.lines]).toEqual([
      name,
      true,
      true,
    ]);
    expect(lines.flatMap(({ cuts }) => cuts).length).toBeLessThanOrEqual(MOST.steps);
  }
});

test('a page says how many entries it leaves out', () => {
  const list = (count: number): string =>
    page(
      <ul>
        {upTo(count).map((at) => (
          <li key={at}>
            <b>{at}</b>
          </li>
        ))}
      </ul>,
    );
  const items = (html: string): number => html.split('<li>').length - 1;
  expect(list(1_000).includes('too large')).toBe(false);
  const html = list(100_000);
  const left = Number(/leaves out (\d+) entries/.exec(html)?.[1]);
  expect(left).toBeGreaterThan(0);
  expect(items(html) + left).toBe(100_000);
});
