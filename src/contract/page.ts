import * as E from 'fp-ts/Either';

import { byCodeUnits } from '../model/fold';
import { oneProblem, type ProblemList } from '../problem';
import type { PageEnd } from './answers/page';

/** Records of a list that one page holds at most; a larger wish is cut to it, never refused (docs/rules.md: Lists). */
export const LARGEST_PAGE = 100;

/** The same of a list that answers a question: no client of before reads it. */
export const LARGEST_ANSWER_PAGE = 10_000;

/** Rows of a page where a question does not say how many. */
export const USUAL_ANSWER_PAGE = 100;

/** Where a page begins, how long it is, and in which order the list is. */
export interface PageRequest {
  /** `null`: all that is left, for clients of before paging (docs/rules.md: Requests). */
  readonly size: number | null;
  readonly after: PageToken | null;
  readonly order: Order;
}

/** By which field a list is ordered, then by name and id. */
export interface Order {
  readonly field: string;
  readonly isDescending: boolean;
}

/** The place of the last record of a page: the values that order the list, none of which changes by paging. */
export type PageToken = readonly string[];

/** One page of a list (docs/rules.md: Lists). */
export type Page<R> = PageEnd & { readonly values: readonly R[] };

/** The size that a `page_size` asks for; nothing asked: everything. */
export const pageSize = (text: string): number | null => {
  if (text.trim() === '') return null;
  const size = Number(text);
  return Number.isInteger(size) && size >= 1 ? Math.min(size, LARGEST_PAGE) : LARGEST_PAGE;
};

/** The size that the `page_size` of a question asks for, once its codec has read it. */
export const answerPageSize = (text: string | null | undefined): number =>
  text ? Math.min(Number(text), LARGEST_ANSWER_PAGE) : USUAL_ANSWER_PAGE;

/** The token as clients hand it back. */
export const writeToken = (token: PageToken): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

/** Reads a token of so many places; an empty one begins at the start. */
export const readToken = (
  text: string,
  places: number,
): E.Either<ProblemList, PageToken | null> => {
  if (text === '') return E.right(null);
  const refused = E.left(oneProblem('/page_token', 'BAD_PAGE_TOKEN', 'is no token of this list'));
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
    const isToken =
      Array.isArray(token) &&
      token.length === places &&
      token.every((part) => typeof part === 'string');
    return isToken ? E.right(token) : refused;
  } catch {
    return refused;
  }
};

/** The order that an `order_by` asks for, of some fields; what it does not know is ignored as unknown parameters are (docs/rules.md: Requests). */
export const orderOf = (text: string, fields: readonly string[], usual: Order): Order => {
  const [, field, direction] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? [];
  const known = fields.find((each) => each === field?.toLowerCase());
  if (known === undefined) return usual;
  return { field: known, isDescending: direction?.toLowerCase() === 'desc' };
};

/** A record of a list: what orders lists. */
interface Listed {
  readonly id: string;
  readonly name: string;
}

/** How many places the token of a list held in memory has. */
export const LIST_TOKEN_PLACES = 3;

/** How many places the token of a list in order of time has: the time, the key, which meaning of the filter it is. */
export const TIMED_TOKEN_PLACES = 3;

const tokenOf = <R extends Listed>(record: R, { field }: Order): PageToken => {
  const value = (record as Readonly<Record<string, unknown>>)[field];
  return [typeof value === 'string' ? value : '', record.name, record.id];
};

const compareTokens = (a: PageToken, b: PageToken): number =>
  a.map((part, index) => byCodeUnits(part, b[index] ?? '')).find((order) => order !== 0) ?? 0;

/** A page of a whole list, with how many the list has. */
export const pageOf = <R extends Listed>(
  records: readonly R[],
  { size, after, order }: PageRequest,
): Page<R> & { readonly total: number } => {
  const sign = order.isDescending ? -1 : 1;
  const compare = (a: PageToken, b: PageToken): number => sign * compareTokens(a, b);
  const rest = records
    .map((record) => ({ record, token: tokenOf(record, order) }))
    .filter(({ token }) => after === null || compare(token, after) > 0)
    .sort((a, b) => compare(a.token, b.token));
  const page = rest.slice(0, size ?? rest.length);
  const last = page.at(-1);
  const isCut = last !== undefined && page.length < rest.length;
  return {
    values: page.map(({ record }) => record),
    has_more: isCut,
    next_page_token: isCut ? writeToken(last.token) : '',
    total: records.length,
  };
};
