import fc from 'fast-check';

import type { WayOfRow } from '../../src/contract/answers/questions/access';
import { MARKS } from '../../src/model/access-narrowing';
import type { AccessRow } from '../../src/questions/access/access-lists';
import { weightOf } from '../../src/questions/access/list-page';

const leavesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each: unknown) => sum + leavesOf(each), 0)
    : 1;

const plain = { about: {}, permissions: [], value: '' } as unknown as AccessRow;

// A page with details of 10,000 rows had three times as many values as a page may have.
test('all that details say of a row counts in what a page may hold', () => {
  const text = fc.string();
  const step = fc.record({ id: text, label: text, name: text, provider: fc.option(text) });
  const way = fc.record({
    steps: fc.array(step),
    on: fc.option(step),
    since: fc.option(text),
    others: fc.option(fc.nat()),
    has_more: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.subarray([...MARKS]), fc.option(way), (marks, one) => {
      const details = { marks, way: one satisfies WayOfRow | null };
      const added = weightOf({ ...plain, ...details }) - weightOf(plain);
      expect(added).toBeGreaterThanOrEqual(leavesOf(one === null ? marks : details));
    }),
  );
});
