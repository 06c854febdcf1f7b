import { AccessGraph } from '../../access/access-graph';
import { compareAccess, type Pieces } from '../../access/comparison/comparison';
import { EffectiveAccess } from '../../access/effective-access';
import { Humans } from '../../access/human';
import { bounded, NoMemory } from '../../access/memory';
import { Effort } from '../../access/pieces';
import type { PlanAnswer } from '../../contract/answers/plan';
import { type Instant, justBefore } from '../../model/instant';
import type { Runner } from '../../neo4j/transaction';
import type { CopiedAccess } from '../memory/access-copy';
import { CatchUp } from '../memory/catch-up';
import { readCommits, readNewest } from '../memory/commits';
import { GraphRows } from '../memory/graph-rows';
import { inPieces, TooLong } from '../memory/in-pieces';
import { type Asked, everybodyIn, whoseIn } from './changed-people';
import { between, rowOf, summariesIn } from './changed-rows';
import { losersFirst } from './people-first';

/** Who would gain and lose what. */
export type PlannedAccess = NonNullable<PlanAnswer['access_changes']>;

const unlessNoMemory = async <A>(work: () => Promise<A | null>): Promise<A | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoMemory || error instanceof TooLong) return null;
    throw error;
  }
};

/**
 * The access graph as a transaction would leave it, which holds the derivation lock: the copy
 * follows its commits and its own changes, as every process follows what is committed. Gives `null`
 * if the copy lacks memory, or is of another graph.
 */
export const accessAfter = (
  tx: Runner,
  { opened, turns, epoch, memoryBytes }: CopiedAccess,
): Promise<AccessGraph | null> =>
  unlessNoMemory(async () => {
    const graph = new AccessGraph(bounded(memoryBytes, 'own'), opened);
    const newest = await readNewest(tx);
    const commits = await readCommits(tx, turns, newest.turns);
    if (newest.epoch !== epoch || commits?.length !== newest.turns - turns) return null;
    const catchUp = new CatchUp(graph, new GraphRows(graph));
    await catchUp.apply(commits);
    await catchUp.read(tx);
    return graph;
  });

function* compared(graph: AccessGraph, at: Instant, most: number): Pieces<PlannedAccess> {
  const times = between(graph, { from: justBefore(at), to: at });
  const access = new EffectiveAccess(graph);
  const asked: Asked = { ...times, asked: { access, humans: new Humans(graph) } };
  const comparison = yield* compareAccess(access, times.moments, {
    target: null,
    isCounted: () => true,
    change: null,
  });
  const pairs = yield* comparison.pairs(most, null, yield* losersFirst(asked, comparison));
  const about = summariesIn(times);
  const { pairs: total } = comparison.counts;
  const counts = yield* everybodyIn(asked, comparison);
  const effort = new Effort();
  const values: PlannedAccess['values'][number][] = [];
  for (const pair of pairs) {
    const row = yield* rowOf(about, pair, effort);
    values.push({ ...row, ...whoseIn(asked, pair.principal, about) });
  }
  return { total, truncated: total > most, counts, values };
}

/**
 * Who would gain and lose what by a write at an instant (docs/rules.md: Changes of access), with the
 * first rows. Gives `null` if that needs longer than it may.
 */
export const plannedAccess = (
  graph: AccessGraph,
  at: Instant,
  most: number,
  seconds: number,
): Promise<PlannedAccess | null> =>
  unlessNoMemory(() =>
    inPieces(compared(graph, at, most), () => true, performance.now() + seconds * 1_000),
  );
