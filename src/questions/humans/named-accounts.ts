import type { HeldThrough } from '../../contract/answers/questions/access';

/** How many accounts the permissions of a row name in all; each of them names one at least. */
export const MOST_NAMED = 10_000;

/** The accounts that an answer names of all that have a permission, and how many there are if more. */
export const through = (
  accounts: readonly string[],
  total: number,
): Pick<HeldThrough, 'accounts' | 'accounts_total'> =>
  total > accounts.length ? { accounts, accounts_total: total } : { accounts };
