import fc from 'fast-check';

import {
  ANY_ROW,
  type ListedRows,
  type ListFilter,
  pageOf,
  reachedRows,
  reachingRows,
  type RowForm,
  type RowPlace,
} from '../../src/access/lists/lists';
import { LIST_ORDERS } from '../../src/model/access-narrowing';
import { type AccessGraph, NONE } from '../../src/access/access-graph';
import { atOnce } from '../../src/access/pieces';
import { EffectiveAccess, type Permissions } from '../../src/access/effective-access';
import { Humans } from '../../src/access/human';
import { type AccessFilter, filteredList } from '../mirror/access-filter';
import { accessWithContents, effectiveAccess } from '../mirror/access';
import type { Graph } from '../mirror/graph';
import { People } from '../mirror/people';
import { sized } from '../support/test-size';
import { filled, histories, instantOf, MOMENTS } from './random-history';

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
        const reaching = foundBy(graph, what, (node) =>
          atOnce(access.reaching(node, false, moment)),
        );
        expect([at, linesOf(turned(reaching))]).toEqual([at, linesOf(expected)]);
        const within = foundBy(graph, what, (node) => atOnce(access.reaching(node, true, moment)));
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
          const human = node === NONE ? null : graph.key(node);
          const isOfHuman = /^(source\|)?(Employee|IdpUser|Identity|LocalUser)\|/.test(key);
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

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const NO_FILTER: ListFilter = {
  ...ANY_ROW,
  permissions: null,
  permissionTypes: null,
};

test('the rows of a list in memory are what the mirror expects, now and at instants', () => {
  const counted = { humans: 0, accounts: 0, others: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const direct = effectiveAccess(then);
        const people = new People(then);
        for (const contents of [false, true]) {
          const expected = contents ? accessWithContents(then, direct) : direct;
          for (const key of keysOf(then, ['Application', 'Resource'])) {
            const target = graph.find(key);
            const filter = { ...NO_FILTER, form: 'people first', contents } as const;
            const {
              nodes,
              people: found,
              humans,
            } = atOnce(reachingRows(access, target, filter, moment));
            const listed = nodes.slice(0, humans).map((node): [string, readonly string[]] => [
              graph.key(node),
              found === null
                ? []
                : found
                    .accountsOf(node)
                    .map((one) => graph.key(one))
                    .sort(),
            ]);
            expect([at, key, new Map(listed)]).toEqual([at, key, people.with(expected, key)]);
            const others = nodes.slice(humans).map((node) => graph.key(node));
            expect([at, key, others.sort()]).toEqual([at, key, people.nobodyBehind(expected, key)]);
            const only = atOnce(
              reachingRows(access, target, { ...filter, form: 'people' }, moment),
            );
            expect(only.nodes).toEqual(nodes.slice(0, humans));
            counted.humans += humans;
            counted.accounts += listed.flatMap(([, accounts]) => accounts).length;
            counted.others += others.length;
          }
        }
      }
    }),
    { numRuns: sized(40, 1_000) },
  );
  expect(Math.min(...Object.values(counted))).toBeGreaterThan(100);
});

const filters: fc.Arbitrary<AccessFilter> = fc.record({
  permission: fc.subarray(['read', 'READ', 'write', 'none']),
  permission_type: fc.subarray(['DataRead', 'DataWrite'], { maxLength: 1 }),
  application: fc.subarray(['wiki', 'WIKI', 'crm'], { maxLength: 2 }),
  label: fc.constantFrom(null, 'Resource', 'LocalUser', 'Principal'),
});

const given = (names: readonly string[]): readonly string[] | null =>
  names.length === 0 ? null : names;

test('filters leave the rows that the mirror leaves, now and at instants', () => {
  let left = 0;
  fc.assert(
    fc.property(histories, filters, fc.nat(), (history, filter, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      const asked: ListFilter = {
        label: filter.label,
        applications: given(filter.application),
        permissions: given(filter.permission),
        permissionTypes: given(filter.permission_type),
      };
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const expected = effectiveAccess(then);
        const compare = (
          subject: { readonly principal: string } | { readonly resource: string },
          { nodes, permissions }: ListedRows,
        ): void => {
          const rows = nodes.map((node): readonly [string, readonly string[]] => [
            graph.key(node),
            [...textsOf(permissions.get(node) ?? [])].sort(),
          ]);
          const wanted = filteredList(then, expected, subject, filter);
          expect([at, subject, new Map(rows)]).toEqual([at, subject, wanted]);
          left += wanted.size;
        };
        for (const key of keysOf(then, ['Principal', 'Resource'])) {
          compare({ principal: key }, atOnce(reachedRows(access, graph.find(key), asked, moment)));
        }
        const form: RowForm = 'entities';
        for (const key of keysOf(then, ['Application', 'Resource'])) {
          const wanted = { ...asked, form, contents: false };
          compare({ resource: key }, atOnce(reachingRows(access, graph.find(key), wanted, moment)));
        }
      }
    }),
    { numRuns: sized(40, 1_000) },
  );
  expect(left).toBeGreaterThan(100);
});

test('pages give the rows of a list in order, each once, humans first', () => {
  let pages = 0;
  fc.assert(
    fc.property(
      histories,
      fc.constantFrom(...LIST_ORDERS),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(),
      (history, order, isDescending, size, start) => {
        const graph = filled(history, start);
        const access = new EffectiveAccess(graph);
        const at = start % MOMENTS;
        const moment = graph.instants.moment(instantOf(at));
        const then = history.graphs[at] as Graph;
        for (const key of keysOf(then, ['Application', 'Resource'])) {
          const filter = { ...NO_FILTER, form: 'people first', contents: true } as const;
          const rows = atOnce(reachingRows(access, graph.find(key), filter, moment));
          const isHuman = new Set(rows.nodes.slice(0, rows.humans));
          const applicationOf = (node: number): string =>
            JSON.stringify([
              graph.summary(node, moment, 0n).application,
              graph.key(node).replace(/\|.*/s, ''),
            ]);
          const valueOf = (node: number): string => {
            const { id, label, name, application } = graph.summary(node, moment, 0n);
            const alike = rows.nodes.filter((each) => applicationOf(each) === applicationOf(node));
            const size = String(999_999_999 - alike.length);
            return {
              key: id,
              label,
              name,
              application: application ?? '',
              largest_application: `${size} ${application ?? ''}`,
            }[order];
          };
          const wanted = rows.nodes
            .map((node) => ({
              value: valueOf(node),
              key: graph.key(node),
              isPerson: isHuman.has(node),
            }))
            .sort(
              (a, b) =>
                Number(b.isPerson) - Number(a.isPerson) ||
                (isDescending ? -1 : 1) * (byBytes(a.value, b.value) || byBytes(a.key, b.key)),
            );
          const listed: RowPlace[] = [];
          for (let hasMore = true; hasMore; pages += 1) {
            const after = listed.at(-1) ?? null;
            const wantedRows = { size, order, isDescending, after, mostHeld: Infinity };
            const page = atOnce(pageOf(graph, rows, wantedRows, moment));
            listed.push(
              ...page.rows.map(({ node, value, isPerson }) => ({
                value,
                key: graph.key(node),
                isPerson,
              })),
            );
            hasMore = page.hasMore;
            if (page.rows.length === 0) break;
          }
          expect([key, listed]).toEqual([key, wanted]);
        }
      },
    ),
    { numRuns: sized(40, 1_000) },
  );
  expect(pages).toBeGreaterThan(100);
});
