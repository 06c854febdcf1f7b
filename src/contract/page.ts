import * as E from 'fp-ts/Either';

import { byCodeUnits } from '../model/fold';
import { oneProblem, type ProblemList } from '../problem';
import type { PageEnd } from './answers/page';

/**
 * The largest page of a list. A larger `page_size` is reduced to it and never refused
 * (docs/rules.md: Lists).
 */
export const LARGEST_PAGE = 100;

/**
 * The largest page of an answer to a question. It may be larger than `LARGEST_PAGE`, since no
 * public client (docs/rules.md: Lists) reads these answers.
 */
export const LARGEST_ANSWER_PAGE = 10_000;

/** The size of an answer's page if the request names none. */
export const USUAL_ANSWER_PAGE = 100;

/** Where a page begins, how long it is, and how the list is ordered. */
export interface PageRequest {
  /** `null` returns the rest of the list, for clients that know no paging. */
  readonly size: number | null;
  readonly after: PageToken | null;
  readonly order: Order;
}

/** The field that orders a list. Records that are equal in it are ordered by name and id. */
export interface Order {
  readonly field: string;
  readonly isDescending: boolean;
}

/**
 * The place of a page's last record: the values that order the list. They do not change while a
 * client reads page after page.
 */
export type PageToken = readonly string[];

/** One page of a list (docs/rules.md: Lists). */
export type Page<R> = PageEnd & { readonly values: readonly R[] };

/** The size that a `page_size` requests. Without one, `null`: the complete list. */
export const pageSize = (text: string): number | null => {
  if (text.trim() === '') return null;
  const size = Number(text);
  return Number.isInteger(size) && size >= 1 ? Math.min(size, LARGEST_PAGE) : LARGEST_PAGE;
};

/** The size of an answer's page, from a `page_size` that its codec has accepted. */
export const answerPageSize = (text: string | null | undefined): number =>
  text ? Math.min(Number(text), LARGEST_ANSWER_PAGE) : USUAL_ANSWER_PAGE;

/** The token in the form that clients send back. */
export const writeToken = (token: PageToken): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

/** Reads a token that has this number of places. An empty token means the start of the list. */
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

/**
 * The order that an `order_by` requests. An unknown field is ignored, as unknown parameters are
 * (docs/rules.md: Requests).
 */
export const orderOf = (text: string, fields: readonly string[], usual: Order): Order => {
  const [, field, direction] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? [];
  const known = fields.find((each) => each === field?.toLowerCase());
  if (known === undefined) return usual;
  return { field: known, isDescending: direction?.toLowerCase() === 'desc' };
};

/** A record of a list, with the fields that order lists. */
interface Listed {
  readonly id: string;
  readonly name: string;
}

/** The number of places in the token of a list that is held in memory. */
export const LIST_TOKEN_PLACES = 3;

/**
 * The number of places in the token of a list that is ordered by time: the time, the key, and the
 * number of the filter's reading.
 */
export const TIMED_TOKEN_PLACES = 3;

const tokenOf = <R extends Listed>(record: R, { field }: Order): PageToken => {
  const value = (record as Readonly<Record<string, unknown>>)[field];
  return [typeof value === 'string' ? value : '', record.name, record.id];
};

const compareTokens = (a: PageToken, b: PageToken): number =>
  a.map((part, index) => byCodeUnits(part, b[index] ?? '')).find((order) => order !== 0) ?? 0;

/** Cuts a page out of a complete list, and counts the list. */
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
