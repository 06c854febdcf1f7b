import type { NameLimits } from '../../check/property-names';
import type { ChunkedPushes } from '../graph/chunked-pushes';
import type { GraphStore } from '../graph/store';
import type { RemovalGuard } from './removal-guard';
import type { PushHeap } from '../receive/needed-heap';

/** What the service needs to run a push. */
export interface PushDependencies {
  readonly store: GraphStore;
  /** How many levels deep resources may be nested. */
  readonly resourceDepth: number;
  /** How many property names there may be. */
  readonly names: NameLimits;
  readonly removalGuard: RemovalGuard;
  readonly elements: ElementLimits;
  readonly chunkedPushes: ChunkedPushes;
  readonly chunks: ChunkLimits;
  /** The heap that the service checks before it loads current rows or applies a push in chunks. */
  readonly heap: PushHeap;
  /** Logs the progress of a chunked push. */
  readonly note: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** The limit from which the service applies a push in chunks. */
export interface ChunkLimits {
  /** Rows and relationships that one transaction may hold. */
  readonly transactionRows: number;
}

/** How many nodes, relationships and list entries a payload may expand to. */
export interface ElementLimits {
  /** The limit in any thread; a short payload may have a lower limit. */
  readonly most: number;
  /** The limit in this thread. A payload above it goes to another thread. */
  readonly here: number;
}
