import type { DataSourceState } from '../../graph/push/data-source-state';

/** What a full push may remove unconfirmed (docs/rules.md: Removal guard). */
export interface RemovalGuard {
  /** Data sources of at least so many rows are guarded. */
  readonly rows: number;
  /** The share of its rows that may go. */
  readonly share: number;
}

/** What a full push removes, and what it leaves. */
export interface Removal {
  /** Rows that the data source holds. */
  readonly standing: number;
  /** Rows that go. */
  readonly removed: number;
  /** The digest after the push, by which it is confirmed. */
  readonly digest: string;
}

/**
 * Whether a push has to be confirmed: what was left out by mistake must not take a data source's graph along (docs/rules.md: Removal guard). The
 * digest names what is confirmed.
 */
export const needsConfirmation = (
  { rows, share }: RemovalGuard,
  removal: Removal,
  { isRemovalAllowed }: Pick<DataSourceState, 'isRemovalAllowed'>,
  confirmed: string | null,
): boolean =>
  removal.standing >= rows &&
  removal.removed > removal.standing * share &&
  !isRemovalAllowed &&
  confirmed !== removal.digest;

/** How to confirm a push, in words. */
export const confirmationAsked = ({ standing, removed, digest }: Removal): string =>
  `The push would remove ${removed} of the ${standing} rows that the data source holds; nothing was written. ` +
  `If that is meant, send it again with the header Grantgraph-Confirm-Removal: ${digest}, or call :allow-removal on the data source first, which lets its next push within an hour through.`;
