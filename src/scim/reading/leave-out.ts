import { readFilter, SCIM_FILTER } from '../../contract/filters/filter-grammar';
import type { Json } from '../client/json';
import { ANY_ATTRIBUTES } from '../filter/any-attributes';
import { compileFilter } from '../filter/matching';

/** Whether an account is left out. */
export type LeavesOut = (account: Json) => boolean;

/**
 * Reads a SCIM filter (RFC 7644, 3.4.2.2). The service applies it itself, since not every
 * application accepts every filter. Throws `FilterFault` if the text is no filter.
 */
export const isLeftOutBy = (text: string | null): LeavesOut => {
  if (text === null) return () => false;
  const fits = compileFilter(readFilter(text, SCIM_FILTER), ANY_ATTRIBUTES);
  return (account) => fits(account);
};
