import type { NameLimits } from '../../check/property-names';
import type { ChunkedPushes } from '../../graph/push/chunked-pushes';
import type { GraphStore } from '../../graph/push/store';
import type { RemovalGuard } from './removal-guard';
import type { PushHeap } from '../receive/chunks-need';

/** What pushing needs. */
export interface PushDependencies {
  readonly store: GraphStore;
  /** Levels that resources may be nested. */
  readonly resourceDepth: number;
  /** How many names of properties there may be. */
  readonly names: NameLimits;
  readonly removalGuard: RemovalGuard;
  readonly elements: ElementLimits;
  readonly chunkedPushes: ChunkedPushes;
  readonly chunks: ChunkLimits;
  /** Judges whether a push can be compared with what stands, and applied in chunks. */
  readonly heap: PushHeap;
  /** Tells the log how a large push gets on. */
  readonly note: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** When a push is applied in chunks, and how. */
export interface ChunkLimits {
  /** Rows and relationships that one transaction may hold. */
  readonly transactionRows: number;
}

/** How much a whole payload may come to. */
export interface ElementLimits {
  /** In any thread, as far as its length lets it. */
  readonly most: number;
  /** In this one; more is answered as too large for it. */
  readonly here: number;
}
