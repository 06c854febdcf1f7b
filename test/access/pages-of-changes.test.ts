import fc from 'fast-check';

import { compareAccess } from '../../src/access/comparison/comparison';
import { Humans } from '../../src/access/human';
import { atOnce } from '../../src/access/pieces';
import { Instant } from '../../src/model/instant';
import { everybodyIn } from '../../src/questions/changes/changed-people';
import type { ChangedAccess } from '../../src/questions/changes/changed-rows';
import { type ChangePlace, pageOf } from '../../src/questions/changes/find-changes';
import { peopleFirst } from '../../src/questions/changes/people-first';
import type { AccessThen } from '../../src/questions/memory/access-memory';
import { sized } from '../support/test-size';
import { histories, periodOf } from './random-history';

const whoOf = ({ human, principal }: ChangedAccess): string => (human ?? principal).id;
const nameOf = ({ principal, resource }: ChangedAccess): string => `${principal.id} ${resource.id}`;

// A human was on two pages, and the second one named a part of what the human gained.
test('a page of changes ends between people, and says whose changes go on if these alone are more', () => {
  const seen = { complete: 0, goOn: 0, short: 0 };
  fc.assert(
    fc.property(histories, fc.nat(), fc.integer({ min: 1, max: 9 }), (history, order, size) => {
      const { graph, access, moments } = periodOf(history, order);
      const asked = { access, humans: new Humans(graph) } as unknown as AccessThen;
      const instant = new Instant('1970-01-01T00:00:00Z');
      const times = { asked, graph, moments, period: { from: instant, to: instant } };
      const wanted = { target: null, isCounted: () => true, change: null };
      const everybody = atOnce(compareAccess(access, moments, wanted));
      const found = {
        everybody,
        counts: atOnce(everybodyIn(times, everybody)),
        peopleFirst: atOnce(peopleFirst(times, everybody)),
      };
      const pageAfter = (after: ChangePlace | null, most: number) =>
        atOnce(pageOf(times, found, { size: most, after, details: true }));
      const all = pageAfter(null, everybody.counts.pairs + 1);
      expect([all.hasMore, all.unfinished]).toEqual([false, null]);
      const pages: (typeof all)[] = [];
      for (let after: ChangePlace | null = null, hasMore = true; hasMore;) {
        const page = pageAfter(after, size);
        pages.push(page);
        [after, hasMore] = [page.end, page.hasMore];
      }
      expect(pages.flatMap(({ rows }) => rows.map(nameOf))).toEqual(all.rows.map(nameOf));
      for (const [at, { rows, unfinished, hasMore }] of pages.entries()) {
        const rest = pages.slice(at + 1).flatMap((page) => page.rows);
        const last = rows.at(-1);
        const more = last === undefined ? [] : rest.filter((row) => whoOf(row) === whoOf(last));
        if (last !== undefined && more.length > 0) {
          seen.goOn += 1;
          expect(unfinished).toMatchObject({ of: { id: whoOf(last) }, more: more.length });
          expect(rows).toHaveLength(size);
          expect(new Set(rows.map(whoOf)).size).toBe(1);
        } else {
          seen.complete += 1;
          expect(unfinished).toBe(null);
        }
        expect(rows.length).toBeLessThanOrEqual(size);
        if (hasMore && rows.length < size) seen.short += 1;
      }
    }),
    { numRuns: sized(60, 2_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});
