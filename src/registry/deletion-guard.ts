import { createHash } from 'node:crypto';

import { counted } from '../codec/quote';
import type { HeldRows } from '../push/graph/contract';
import { type RemovalGuard, needsConfirmation } from '../push/change/contract';

/** The deletion would remove many rows, and nobody has confirmed it. */
export class DeletionUnconfirmed extends Error {}

/**
 * The token that confirms a deletion: the SHA-256 of one line `<id> <digest>` for each data source,
 * sorted. The digest of a data source without a push is empty.
 */
export const confirmationToken = (held: readonly Pick<HeldRows, 'id' | 'digest'>[]): string =>
  createHash('sha256')
    .update(
      held
        .map(({ id, digest }) => `${id} ${digest ?? ''}\n`)
        .sort()
        .join(''),
    )
    .digest('hex');

/**
 * Throws if the removal guard must stop a deletion and the request does not confirm it
 * (docs/rules.md: Removal guard). Data sources whose next push may remove everything do not count.
 * `what` names what is deleted.
 */
export const judgeDeletion =
  (removalGuard: RemovalGuard, confirmed: string | null, what: string) =>
  (held: readonly HeldRows[]): void => {
    const rows = held
      .filter(({ isRemovalAllowed }) => !isRemovalAllowed)
      .reduce((sum, { rows }) => sum + rows, 0);
    const removal = { standing: rows, removed: rows, digest: confirmationToken(held) };
    if (!needsConfirmation(removalGuard, removal, { isRemovalAllowed: false }, confirmed)) return;
    throw new DeletionUnconfirmed(
      `Deleting ${what} would remove ${rows} rows in ${counted(held.length, 'data source')}; nothing was deleted. ` +
        `If that is meant, send it again with the header Grantgraph-Confirm-Removal: ${removal.digest}, or call :allow-removal on the data source${held.length === 1 ? '' : 's'} first, within an hour.`,
    );
  };
