import { filter, parse } from 'scim2-parse-filter';

import type { Json } from '../../scim/json';

/** Whether an account is left out. */
export type LeavesOut = (account: Json) => boolean;

/** Names and values in lower case: most values of SCIM have no case (RFC 7643, 2.2). */
const lower = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toLowerCase();
  if (Array.isArray(value)) return value.map(lower);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toLowerCase(), lower(inner)]),
  );
};

/**
 * Reads a filter of SCIM (RFC 7644, 3.4.2.2). The service applies it itself, since not every
 * application takes every filter. Throws if it is none.
 */
export const leavesOut = (text: string | null): LeavesOut => {
  if (text === null) return () => false;
  const fits = filter(parse(text.toLowerCase()));
  return (account) => fits(lower(account));
};
