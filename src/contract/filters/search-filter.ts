import * as E from 'fp-ts/Either';

import { oneProblem, type ProblemList } from '../../problem';
import {
  type FilterCondition,
  type FilterDialect,
  FilterFault,
  type FilterJunction,
  readFilter,
} from './filter-grammar';
/** The filter of a search: conditions joined by `and`, `or` and `not`. */
export type SearchFilter =
  | FilterCondition
  | FilterJunction<SearchFilter>
  | { readonly kind: 'not'; readonly part: SearchFilter };

/** The problem with a filter, and its place. The message counts characters from 1. */
export const badFilter = (at: number, reason: string): ProblemList =>
  oneProblem('/filter', 'BAD_FILTER', new FilterFault(at, reason).message);

const SEARCH: FilterDialect = {
  longest: 4_000,
  mostConditions: 50,
  hasEntries: false,
  takesBareTexts: true,
};

/**
 * Reads the filter of a search, such as `is_active eq true and (name co "ann" or not email pr)`.
 * Returns `null` for an empty filter.
 */
export const parseSearchFilter = (text: string): E.Either<ProblemList, SearchFilter | null> => {
  if (text.trim() === '') return E.right(null);
  try {
    // Without brackets, a filter has no entries.
    return E.right(readFilter(text, SEARCH) as SearchFilter);
  } catch (error) {
    if (error instanceof FilterFault) return E.left(badFilter(error.at, error.reason));
    throw error;
  }
};
