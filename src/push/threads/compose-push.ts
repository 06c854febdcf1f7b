import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { NameLimits } from '../../check/property-names';
import type { Graph } from '../../neo4j/driver';
import { graphChunkedPushes } from '../graph/chunked-pushes';
import { graphStore, type PushLimits } from '../graph/store';
import type { ChunkLimits, PushDependencies } from '../change/push-dependencies';
import type { RemovalGuard } from '../change/removal-guard';
import type { PlanDependencies } from '../plan/plan-push';
import type { PushHeap } from '../receive/needed-heap';
import type { PushSizes } from '../receive/push-sizes';
import type { LendAccess } from '../../questions/changes/contract';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that this thread holds, with garbage. */
const heldBytes = (): number => getHeapStatistics().used_heap_size;

/**
 * Bytes of JavaScript objects that this thread needs now. Collects the garbage first, which may
 * last some tenths of a second.
 */
export const neededBytes = (): number => {
  collectGarbage();
  return heldBytes();
};

/**
 * What every thread of the service needs to run pushes. It is plain data, so that the service can
 * send it to a thread.
 */
export interface PushSettings {
  readonly limits: PushLimits;
  readonly resourceDepth: number;
  readonly names: NameLimits;
  readonly removalGuard: RemovalGuard;
  readonly chunks: ChunkLimits;
  /** Nodes, relationships and list entries that the largest payload may expand to. */
  readonly mostElements: number;
  /** How many changes each list of a dry run holds at most. */
  readonly listedChanges: number;
  /** How long a dry run may compare who would gain and lose what. */
  readonly compareSeconds: number;
  readonly sizes: PushSizes;
}

/** What differs from thread to thread. */
export interface PushHere extends Pick<PushDependencies, 'note'> {
  readonly lendAccess: LendAccess;
  /** Elements of the largest push that this thread runs; no limit if unset. */
  readonly elementsHere?: number;
  /** How the thread measures its memory; by V8 if unset. */
  readonly memory?: Pick<PushHeap, 'heldBytes' | 'usedBytes'>;
}

const OWN_MEMORY = { heldBytes, usedBytes: neededBytes };

/**
 * The parts that pushes work with: the one place that puts them together, for every thread and for
 * tests.
 */
export const composePush = (
  graph: Graph,
  { limits, mostElements, sizes, ...judging }: PushSettings,
  { note, lendAccess, elementsHere = Infinity, memory = OWN_MEMORY }: PushHere,
): PlanDependencies => ({
  ...judging,
  store: graphStore(graph, limits),
  chunkedPushes: graphChunkedPushes(graph, limits),
  elements: { most: mostElements, here: elementsHere },
  heap: { ...sizes, ...memory },
  note,
  lendAccess,
});
