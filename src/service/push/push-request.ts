import type { NameLimits } from '../../check/property-names';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { LargePushes } from '../../graph/push/large-pushes';
import type { GraphStore } from '../../graph/push/store';
import type { Actor } from '../events/event';
import type { MassDeleteFuse } from './mass-delete-fuse';
import type { PushHeap } from './parts-need';

/** A push, whatever it brings. */
export interface PushIntent {
  readonly source: DataSourceOfProvider;
  readonly requestId: string;
  /** Whose key pushes. */
  readonly by?: Actor;
  /** The digest with which its sender confirms that much may be removed (docs/rules.md: Removal guard). */
  readonly confirmedRemoval: string | null;
  /** Seconds that steps before this one took. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** A payload pushed to a data source (docs/rules.md: Requests). */
export interface PushMetadata extends PushIntent {
  /** The text of the payload. */
  readonly json: string;
  /** What tells the request that brought it from any other, if one did. */
  readonly request?: string;
}

/** What pushing needs. */
export interface PushDependencies {
  readonly store: GraphStore;
  /** Levels that resources may be nested. */
  readonly resourceDepth: number;
  /** How many names of properties there may be. */
  readonly names: NameLimits;
  readonly fuse: MassDeleteFuse;
  readonly elements: ElementLimits;
  readonly large: LargePushes;
  readonly parts: PartLimits;
  /** Judges whether a push can be applied in parts. */
  readonly heap: PushHeap;
  /** Tells the log how a large push gets on. */
  readonly note: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** When a push is applied in parts, and how. */
export interface PartLimits {
  /** Rows and relationships that one transaction may hold. */
  readonly transactionRows: number;
  /** Parts that are written at a time. */
  readonly writers: number;
}

/** How much a whole payload may come to. */
export interface ElementLimits {
  /** In any thread, as far as its length lets it. */
  readonly most: number;
  /** In this one; more is answered as too large for it. */
  readonly here: number;
}
