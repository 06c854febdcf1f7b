import { types } from 'node:util';

import type { OpenedGraph } from '../../access/access-graph';

/**
 * A copy of the access graph of the process as plain data, which another thread can open. A plan
 * changes it, and nobody else sees it (docs/architecture.md: Access in memory).
 */
export interface CopiedAccess {
  readonly opened: OpenedGraph;
  /** The number of the newest commit that the copy has. */
  readonly turns: number;
  readonly epoch: string;
  /** How much more memory it may use. */
  readonly memoryBytes: number;
}

/** A copy that nobody else gets before it is released. */
export interface LentAccess extends CopiedAccess {
  readonly release: () => void;
}

/**
 * Makes a copy of everything that was committed before the call. Gives `null` if the process has no
 * graph in memory, or no memory for a copy.
 */
export type LendAccess = () => Promise<LentAccess | null>;

/** The memory of a copy that one thread can hand over to another one. Other memory is shared. */
export const buffersOf = (copied: object): readonly ArrayBuffer[] =>
  Object.values(copied).flatMap((value: unknown): readonly ArrayBuffer[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (!ArrayBuffer.isView(value)) return buffersOf(value);
    return types.isSharedArrayBuffer(value.buffer) ? [] : [value.buffer];
  });
