import fc from 'fast-check';

import { EffectiveAccess } from '../../src/access/effective-access';
import { type ListFilter, reachingRows } from '../../src/access/lists/lists';
import { marked, type Marking, marksOf } from '../../src/access/lists/marked';
import { atOnce } from '../../src/access/pieces';
import { MARKS } from '../../src/model/access-narrowing';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const FILTER: ListFilter & { readonly form: 'people first'; readonly contents: true } = {
  label: null,
  applications: null,
  permissions: null,
  permissionTypes: null,
  form: 'people first',
  contents: true,
};

test('a row has exactly those marks whose lists have it, now and at instants', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(histories, fc.nat(), (history, order) => {
      const graph = filled(history, order);
      const access = new EffectiveAccess(graph);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const first = graph.instants.moment(instantOf(0));
        const places = then.nodes.filter(({ label }) => label === 'Application');
        for (const { key } of places) {
          const target = graph.find(key);
          const marking: Marking = {
            access,
            moment,
            clock: instantOf(at) ?? 1_000_000_000_000n,
            before: () => reachingRows(access, target, FILTER, first),
          };
          const rows = atOnce(reachingRows(access, target, FILTER, moment));
          const found = atOnce(marksOf(marking, rows, rows.nodes));
          for (const mark of MARKS) {
            const those = atOnce(marked(marking, rows, mark)).nodes;
            expect([mark, rows.nodes.filter((node) => found(node).includes(mark))]).toEqual([
              mark,
              those,
            ]);
            seen.set(mark, (seen.get(mark) ?? 0) + those.length);
          }
        }
      }
    }),
    { numRuns: sized(60, 1_000) },
  );
  for (const mark of ['direct', 'new', 'without_user', 'not_people']) {
    expect([mark, seen.get(mark)]).not.toEqual([mark, 0]);
  }
});
