import type { Definitions } from '../../check/definitions';
import type { NameLimits } from '../../check/property-names';
import type { Holding } from '../../difference/afterwards';
import type { Difference } from '../../difference/difference';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import type { Instant } from '../../model/instant';
import type { SharedNode } from '../../rows/row/row';
import type { PayloadTypes } from '../../rows/row/payload-types';
import type { WarningSources } from '../../rows/row/rows';
import type { PushHeap } from '../receive/chunks-need';
import type { ElementLimits } from './push-dependencies';
import type { Stopwatch } from './stopwatch';

/** What a data source remembers of its pushes beside rows. */
export interface Remembered {
  readonly definitions: Definitions;
  readonly types: PayloadTypes;
  /** Whether that is more than the newest full push says. */
  readonly isMore: boolean;
  /** Names of custom and dynamic properties, as the graph stores them. */
  readonly propertyNames: readonly string[];
}

/** What a push changes, found under its data source's lock: what it depends on cannot change meanwhile. */
export interface PushChange {
  readonly at: Instant;
  readonly difference: Difference;
  /** Shared nodes that its rows mention, by key. */
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly said: WarningSources;
  /** What the data source remembers from then on; `null` leaves what it does. */
  readonly remembered: Remembered | null;
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
  /** How many names of properties there may be. */
  readonly names: NameLimits;
  readonly elements: ElementLimits;
  /** Judges whether the push can be compared with what stands. */
  readonly heap: PushHeap;
  readonly watch: Stopwatch;
}
