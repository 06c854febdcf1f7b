import fc from 'fast-check';
import * as TE from 'fp-ts/TaskEither';

import { atOnce, type Pieces } from '../../src/access/pieces';
import type { AskMemory } from '../../src/questions/memory/asked-in-memory';
import { kindCounts } from '../../src/questions/search/kind-counts';
import { sized } from '../support/test-size';
import { filled, histories, instantOf } from './random-history';

const LABELS = ['IdpUser', 'LocalUser', 'IdpGroup', 'Application'];

test('how many entities of a kind there are in memory is what the mirror expects, now and at instants', async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async (history, order) => {
      const graph = filled(history, order);
      for (const [at, then] of history.graphs.entries()) {
        const moment = graph.instants.moment(instantOf(at));
        const asking = ((_at: unknown, _keys: unknown, answer: (asked: object) => Pieces<object>) =>
          TE.right({
            answer: atOnce(answer({ then: { graph, moment } })),
            asOf: null,
          })) as unknown as AskMemory;
        const counted = await kindCounts(asking)(LABELS, null)();
        const expected = Object.fromEntries(
          LABELS.map((label) => [label, then.nodes.filter((node) => node.label === label).length]),
        );
        expect(counted).toEqual({ _tag: 'Right', right: expected });
        for (const count of Object.values(expected)) seen.add(count);
      }
    }),
    { numRuns: sized(40, 2_000) },
  );
  expect([...seen].toSorted()).toEqual([0, 1, 2]);
});
