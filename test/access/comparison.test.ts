import fc from 'fast-check';

import { AccessGraph, type Lasting } from '../../src/access/access-graph';
import {
  type ChangedPair,
  compareAccess,
  type Comparison,
  type Pieces,
  type WantedChanges,
} from '../../src/access/comparison/comparison';
import { bounded } from '../../src/access/memory';
import { EffectiveAccess } from '../../src/access/effective-access';
import { type Access, effectiveAccess } from '../mirror/access';
import { sized } from '../support/test-size';
import { filled, histories, type History, instantOf, MOMENTS } from './random-history';

const EVERYTHING: WantedChanges = { target: null, isCounted: () => true, change: null };

const finished = <A>(pieces: Pieces<A>): A => {
  for (;;) {
    const piece = pieces.next();
    if (piece.done === true) return piece.value;
  }
};

/** A permission that somebody gained (`+`) or lost (`-`). */
interface Changed {
  readonly sign: '+' | '-';
  readonly who: string;
  readonly what: string;
  readonly permission: string;
}

const changesBetween = (earlier: Access, later: Access): readonly Changed[] =>
  (
    [
      ['+', later, earlier],
      ['-', earlier, later],
    ] as const
  ).flatMap(([sign, one, other]) =>
    [...one].flatMap(([who, reached]) =>
      [...reached].flatMap(([what, held]) =>
        [...held]
          .filter((permission) => other.get(who)?.get(what)?.has(permission) !== true)
          .map((permission) => ({ sign, who, what, permission })),
      ),
    ),
  );

const linesOf = (changes: readonly Changed[]): readonly string[] =>
  changes.map(({ sign, who, what, permission }) => `${sign} ${who} ${what} ${permission}`).sort();

const changesOf = (graph: AccessGraph, pairs: readonly ChangedPair[]): readonly Changed[] =>
  pairs.flatMap(({ principal, target, gained, lost }) => {
    const [who, what] = [graph.key(principal), graph.key(target)];
    return (
      [
        ['+', gained],
        ['-', lost],
      ] as const
    ).flatMap(([sign, some]) =>
      some.map(({ name, types }) => ({
        sign,
        who,
        what,
        permission: `[${JSON.stringify(name)},${types}]`,
      })),
    );
  });

const inPages = (
  graph: AccessGraph,
  comparison: Comparison,
  size: number,
): readonly ChangedPair[] => {
  const all: ChangedPair[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = finished(
      comparison.pairs(
        size,
        last === undefined ? null : [graph.key(last.principal), graph.key(last.target)],
      ),
    );
    all.push(...page);
    if (page.length < size) return all;
  }
};

const countsOf = (changes: readonly Changed[]) => {
  const gained = changes.filter(({ sign }) => sign === '+').length;
  return {
    gained,
    lost: changes.length - gained,
    principals: new Set(changes.map(({ who }) => who)).size,
    targets: new Set(changes.map(({ what }) => what)).size,
    pairs: new Set(changes.map(({ who, what }) => `${who} ${what}`)).size,
  };
};

test('who gained and lost what between two moments is what the mirror expects, in pages', () => {
  let compared = 0;
  fc.assert(
    fc.property(histories, fc.nat(), fc.integer({ min: 1, max: 9 }), (history, order, size) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      const expected = history.graphs.map((then) => effectiveAccess(then));
      for (let from = 0; from < MOMENTS - 1; from += 1) {
        for (let to = from + 1; to < MOMENTS; to += 1) {
          const moments = [
            graph.instants.moment(instantOf(from)),
            graph.instants.moment(instantOf(to)),
          ] as const;
          const changes = changesBetween(
            expected[from] ?? new Map<string, never>(),
            expected[to] ?? new Map<string, never>(),
          );
          const wanted: readonly (readonly [WantedChanges, readonly Changed[]])[] = [
            [EVERYTHING, changes],
            [{ ...EVERYTHING, change: 'lost' }, changes.filter(({ sign }) => sign === '-')],
            [
              { ...EVERYTHING, isCounted: (node) => graph.key(node).startsWith('App') },
              changes.filter(({ what }) => what.startsWith('App')),
            ],
            [
              { ...EVERYTHING, target: graph.find('Resource|0') },
              changes.filter(({ what }) => what === 'Resource|0'),
            ],
          ];
          for (const [about, some] of wanted) {
            const comparison = finished(compareAccess(access, moments, about));
            const pairs = finished(comparison.pairs(Infinity, null));
            expect([from, to, linesOf(changesOf(graph, pairs))]).toEqual([from, to, linesOf(some)]);
            expect(comparison.counts).toEqual(countsOf(some));
            expect(inPages(graph, comparison, size)).toEqual(pairs);
            const keys = pairs.map(({ principal, target }) =>
              [principal, target].map((node) => graph.key(node)),
            );
            expect(keys).toEqual(keys.toSorted());
            compared += some.length;
          }
        }
      }
    }),
    { numRuns: sized(60, 2_000) },
  );
  expect(compared).toBeGreaterThan(1_000);
});

/** A graph as it was when nothing later than a moment was committed, and the commits that followed. */
const untilThen = (
  { nodes, relationships }: History,
  then: number,
): { readonly graph: AccessGraph; readonly commits: readonly (() => void)[] } => {
  const instant = instantOf(then) ?? 0n;
  const graph = new AccessGraph(bounded(2 ** 30));
  const isBegun = ({ since }: Lasting): boolean => since === null || since <= instant;
  const asThen = <L extends Lasting>(row: L): L =>
    row.until !== null && row.until > instant ? { ...row, until: null } : row;
  for (const row of nodes) if (isBegun(row)) graph.addNode(asThen(row));
  for (const row of relationships) if (isBegun(row)) graph.addRelationship(asThen(row));
  const changedNodes = [...new Set(nodes.map(({ key }) => key))].map((key) => (): void => {
    graph.setVersions(
      key,
      nodes.filter((row) => row.key === key),
      0n,
    );
  });
  const changedPairs = relationships.map(({ type, from, to, ...time }) => (): void => {
    const isLeft = time.until !== null && time.until <= instant;
    if (!isLeft) graph.setBetween({ type, from, to }, instant + 1n, [time]);
  });
  return { graph, commits: [...changedNodes, ...changedPairs] };
};

test('what is committed while it compares, and lies after it, changes no comparison', () => {
  let compared = 0;
  fc.assert(
    fc.property(histories, fc.nat(), (history, seed) => {
      const [from, to] = [0, 1 + (seed % (MOMENTS - 2))];
      const { graph, commits } = untilThen(history, to);
      const moments = [
        graph.instants.moment(instantOf(from)),
        graph.instants.moment(instantOf(to)),
      ] as const;
      const work = compareAccess(new EffectiveAccess(graph), moments, EVERYTHING);
      let next = 0;
      let comparison: Comparison | null = null;
      while (comparison === null) {
        const piece = work.next();
        if (piece.done === true) comparison = piece.value;
        // What was committed comes between two pieces, and the columns may be ordered again.
        for (const last = next + 15; next < Math.min(last, commits.length); next += 1) {
          commits[(next * 7_919 + seed) % commits.length]?.();
        }
        if (next % 2 === 0) for (const step of graph.order()) expect(step).toBeUndefined();
      }
      const [earlier, later] = [history.graphs[from], history.graphs[to]].map((then) =>
        effectiveAccess(then ?? { nodes: [], relationships: [] }),
      ) as [Access, Access];
      const expected = changesBetween(earlier, later);
      const pairs = finished(comparison.pairs(Infinity, null));
      expect(linesOf(changesOf(graph, pairs))).toEqual(linesOf(expected));
      compared += expected.length;
    }),
    { numRuns: sized(60, 2_000) },
  );
  expect(compared).toBeGreaterThan(300);
});
