import fc from 'fast-check';

import { compareAccess } from '../../src/access/comparison/comparison';
import { Humans } from '../../src/access/human';
import { atOnce } from '../../src/access/pieces';
import { isOfHumans } from '../../src/model/access-narrowing';
import { whoseIn } from '../../src/questions/changes/changed-people';
import {
  isPlaceOfPeopleFirst,
  losersFirst,
  peopleFirst,
  placeOfPeopleFirst,
} from '../../src/questions/changes/people-first';
import { sized } from '../support/test-size';
import { histories, periodOf } from './random-history';

// The page of changes had people first only among its own rows.
test('pages of changes have people first, then accounts of nobody, each human together, each row once', () => {
  const seen = { pages: 0, parts: new Set<number>(), losers: new Set<boolean>() };
  fc.assert(
    fc.property(histories, fc.nat(), fc.integer({ min: 1, max: 9 }), (history, order, size) => {
      const { graph, access, moments } = periodOf(history, order);
      const times = { asked: { access, humans: new Humans(graph) }, graph, moments };
      const wanted = { target: null, isCounted: () => true, change: null };
      const comparison = atOnce(compareAccess(access, moments, wanted));
      const textOf = placeOfPeopleFirst(times);
      const byPeople = { principals: atOnce(peopleFirst(times, comparison)), textOf };
      const byLoss = atOnce(losersFirst(times, comparison));
      const all = atOnce(comparison.pairs(Infinity, null));
      const headOf = (principal: number) => {
        const about = (node: number) => graph.summary(node, moments[1], 0n);
        const { human, is_person } = whoseIn(times, principal, about);
        const id = human?.id ?? graph.key(principal);
        const { label } = graph.kind(graph.find(id)) ?? {};
        return { id, part: is_person === true ? 0 : isOfHumans(label) ? 1 : 2 };
      };
      const loses = new Set(
        all.flatMap(({ principal, lost }) => (lost.length > 0 ? [headOf(principal).id] : [])),
      );
      for (const [ordered, isByLoss] of [
        [byPeople, false],
        [byLoss, true],
      ] as const) {
        const pairs: (typeof all)[number][] = [];
        for (;;) {
          const last = pairs.at(-1);
          const after = last && ([ordered.textOf(last.principal), graph.key(last.target)] as const);
          const page = atOnce(comparison.pairs(size, after ?? null, ordered));
          pairs.push(...page);
          seen.pages += 1;
          if (page.length < size) break;
        }
        const rows = pairs.map(({ principal, target }) => {
          const key = graph.key(principal);
          expect(isPlaceOfPeopleFirst(ordered.textOf(principal))).toBe(true);
          expect(isPlaceOfPeopleFirst(key)).toBe(false);
          const { id, part } = headOf(principal);
          seen.parts.add(part);
          seen.losers.add(loses.has(id));
          const place = [part, isByLoss && !loses.has(id) ? 1 : 0, id, key === id ? 0 : 1];
          return [...place, key, graph.key(target)];
        });
        const wantedRows = rows.toSorted((a, b) => {
          const differing = a.findIndex((value, at) => value !== b[at]);
          const [one = 0, other = 0] = [a[differing], b[differing]];
          return differing < 0 ? 0 : one < other ? -1 : 1;
        });
        expect(rows).toEqual(wantedRows);
        expect(new Set(pairs.map((pair) => JSON.stringify(pair)))).toEqual(
          new Set(all.map((pair) => JSON.stringify(pair))),
        );
        expect(pairs).toHaveLength(all.length);
      }
    }),
    { numRuns: sized(60, 2_000) },
  );
  expect(seen.pages).toBeGreaterThan(100);
  expect([seen.parts.size, seen.losers.size]).toEqual([3, 2]);
});
