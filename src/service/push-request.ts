import type { DataSourceOfProvider } from '../graph/provider-record';
import type { GraphStore } from '../graph/store';
import type { MassDeleteFuse } from './mass-delete-fuse';

/** A payload pushed to a data source (spec: Push envelope). */
export interface PushMetadata {
  readonly source: DataSourceOfProvider;
  /** The text of the payload. */
  readonly json: string;
  readonly requestId: string;
  /** The digest with which its sender confirms that much may be removed (graph.md 6). */
  readonly confirmedRemoval: string | null;
  /** Seconds that steps before this one took. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** What pushing needs. */
export interface PushDependencies {
  readonly store: GraphStore;
  /** Levels that resources may be nested. */
  readonly resourceDepth: number;
  readonly fuse: MassDeleteFuse;
}
