import type { DataSourceState } from '../graph/data-source-state';

/** What a full push may remove without a confirmation (docs/rules.md: Removal guard). */
export interface RemovalGuard {
  /** The guard protects data sources with at least this many rows. */
  readonly rows: number;
  /** The share of the rows that a push may remove. */
  readonly share: number;
}

/** What a full push removes, and the digest that it leaves. */
export interface Removal {
  /** Rows that the data source holds before the push. */
  readonly standing: number;
  /** Rows that the push removes. */
  readonly removed: number;
  /** The digest after the push. The sender confirms the push with it. */
  readonly digest: string;
}

/**
 * Whether the sender has to confirm a push. Without the guard, a payload with missing entities
 * could remove the graph of its data source (docs/rules.md: Removal guard). The sender confirms by
 * the digest after the push.
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

/** Tells the sender how to confirm the push. */
export const confirmationAsked = ({ standing, removed, digest }: Removal): string =>
  `The push would remove ${removed} of the ${standing} rows that the data source holds; nothing was written. ` +
  `If that is meant, send it again with the header Grantgraph-Confirm-Removal: ${digest}, or call :allow-removal on the data source first, which lets its next push within an hour through.`;
