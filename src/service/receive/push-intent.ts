import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { Actor } from '../../graph/records/event-record';

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
export interface PayloadPush extends PushIntent {
  /** The text of the payload. */
  readonly json: string;
}
