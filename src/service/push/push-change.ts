import type { Definitions } from '../../check/definitions';
import type { Holding } from '../../difference/afterwards';
import type { Difference } from '../../difference/difference';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import type { Instant } from '../../model/instant';
import type { SharedNode } from '../../rows/row';
import type { Rows, Words } from '../../rows/rows';
import type { ElementLimits } from './push-request';
import type { Stopwatch } from './stopwatch';

/** What a push says beside its rows. */
export interface Said extends Words, Pick<Rows, 'types'> {
  readonly definitions: Definitions;
}

/** What a push changes, found under its data source's lock: what it depends on cannot change meanwhile. */
export interface PushChange {
  readonly at: Instant;
  readonly difference: Difference;
  /** Shared nodes that its rows mention, by key. */
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly said: Said;
  /** What the data source then holds. */
  readonly after: Holding;
  /** The rules that made the hashes that its digest comes from. */
  readonly rulesVersion: number;
  /** Rows that the data source held before. */
  readonly standing: number;
}

/** What finding the change needs beside the payload. */
export interface ChangeContext {
  readonly held: HeldDataSource;
  /** Levels that resources may be nested. */
  readonly resourceDepth: number;
  readonly elements: ElementLimits;
  readonly watch: Stopwatch;
}
