import type { Definitions } from '../../check/definitions';
import type { NameLimits } from '../../check/property-names';
import type { Holding } from '../../difference/afterwards';
import type { Difference } from '../../difference/difference';
import type { HeldDataSource } from '../graph/held-data-source';
import type { Instant } from '../../model/instant';
import type { SharedNode } from '../../rows/row/row';
import type { PayloadTypes } from '../../rows/row/payload-types';
import type { WarningSources } from '../../rows/row/rows';
import type { PushHeap } from '../receive/needed-heap';
import type { ElementLimits } from './push-dependencies';
import type { Stopwatch } from './stopwatch';

/** What the service remembers of the pushes to a data source, in addition to the rows. */
export interface Remembered {
  readonly definitions: Definitions;
  readonly types: PayloadTypes;
  /** Whether the service remembers more than the newest full push says. */
  readonly isMore: boolean;
  /** Names of custom and dynamic properties, as the graph stores them. */
  readonly propertyNames: readonly string[];
}

/**
 * What a push changes. The service finds it under the lock of the data source, so its inputs cannot
 * change in between.
 */
export interface PushChange {
  readonly at: Instant;
  readonly difference: Difference;
  /** Shared nodes that the rows of the push mention, by key. */
  readonly shared: ReadonlyMap<string, SharedNode>;
  readonly warningSources: WarningSources;
  /** What the service remembers from now on; with `null` this does not change. */
  readonly remembered: Remembered | null;
  /** The digest and the number of rows after the push. */
  readonly after: Holding;
  /** The version of the rules behind the row hashes and the digest. */
  readonly rulesVersion: number;
  /** Rows that the data source held before the push. */
  readonly rowsBefore: number;
}

/** What the service needs in addition to the payload to find the change. */
export interface ChangeContext {
  readonly held: HeldDataSource;
  /** How many levels deep resources may be nested. */
  readonly resourceDepth: number;
  /** How many property names there may be. */
  readonly names: NameLimits;
  readonly elements: ElementLimits;
  /** The heap that the service checks before it loads hashes and current rows. */
  readonly heap: PushHeap;
  readonly watch: Stopwatch;
}
