import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { STEPS } from '../../access/pieces';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import type { AskMemory } from '../memory/asked-in-memory';

/** How many entities of each label there are, by the label. */
export type KindCounts = Readonly<Record<string, number>>;

/**
 * Counts the entities of some labels, now or at an instant, in one pass of the graph in memory. Only
 * labels of which memory has all nodes count right: those of users, accounts, groups, applications.
 */
export const kindCounts =
  (ask: AskMemory) =>
  (labels: readonly string[], at: Instant | null): TE.TaskEither<Failure, KindCounts> =>
    pipe(
      ask(at, [], function* ({ then: { graph, moment } }) {
        const counts = new Map(labels.map((label) => [label, 0]));
        for (let node = 0; node < graph.nodeCount; node += 1) {
          if (node % STEPS === STEPS - 1) yield;
          const label = graph.kind(node)?.label ?? '';
          const count = counts.get(label);
          if (count !== undefined && graph.exists(node, moment)) counts.set(label, count + 1);
        }
        return Object.fromEntries(counts);
      }),
      TE.map(({ answer }) => answer),
    );
