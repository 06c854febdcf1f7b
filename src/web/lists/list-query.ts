import type { Request, RequestHandler } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import type { Codec } from '../../codec/codec';
import { decodeRequest } from '../../contract/decode';
import { type Filter, parseFilter } from '../../contract/filter';
import { type Order, orderOf, type PageRequest, pageSize, readToken } from '../../contract/page';
import { NoParameters } from '../../contract/parameters/query-parameters';
import { badRequest, type Failure } from '../../problem';
import type { Respond } from '../exchange/respond';

/** What callers may request of a list. */
export interface ListFields {
  /** Fields that a filter may name. */
  readonly filtered: readonly string[];
  /** Fields by which the list may be ordered. */
  readonly ordered: readonly string[];
  readonly usual: Order;
  /** How many values a page token of this list holds. */
  readonly tokenPlaces: number;
}

/** The filter and the page that a request names. */
export interface ListQuery {
  readonly filter: Filter;
  readonly page: PageRequest;
}

/** A query parameter as a client spells it: case makes no other parameter (docs/rules.md: Lists). */
const spellingOf = ({ query }: Pick<Request, 'query'>, name: string): string =>
  Object.keys(query).find((spelling) => spelling.toLowerCase() === name) ?? name;

/** The value of a query parameter, or an empty text. If it is given twice, the first one counts. */
export const parameterOf = (req: Pick<Request, 'query'>, name: string): string => {
  const value: unknown = req.query[spellingOf(req, name)];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
};

/**
 * Reads the query parameters of an endpoint. It refuses parameters which the codec does not know, unless
 * the codec is open.
 */
export const queryOf = <A>(codec: Codec<A>, req: Pick<Request, 'query'>): E.Either<Failure, A> =>
  pipe(decodeRequest(codec, req.query), E.mapLeft(badRequest));

/** Refuses every query parameter, for endpoints that accept none. */
export const takesNone = (req: Pick<Request, 'query'>): E.Either<Failure, object> =>
  queryOf(NoParameters, req);

/** The same for a handler that sends its answer itself. */
export const takingNone =
  (respond: Respond, answer: RequestHandler): RequestHandler =>
  (req, res, next) => {
    const asked = takesNone(req);
    if (E.isLeft(asked)) respond.failure(res, asked.left);
    else return answer(req, res, next);
  };

/**
 * Reads `filter`, `order_by`, `page_size` and `page_token`; it ignores other parameters
 * (docs/rules.md: Lists).
 */
export const listQuery = (
  req: Pick<Request, 'query'>,
  { filtered, ordered, usual, tokenPlaces }: ListFields,
): E.Either<Failure, ListQuery> =>
  pipe(
    E.Do,
    E.bind('filter', () => parseFilter(parameterOf(req, 'filter'), filtered)),
    E.bind('after', () => readToken(parameterOf(req, 'page_token'), tokenPlaces)),
    E.map(({ filter, after }) => ({
      filter,
      page: {
        size: pageSize(parameterOf(req, 'page_size')),
        after,
        order: orderOf(parameterOf(req, 'order_by'), ordered, usual),
      },
    })),
    E.mapLeft(badRequest),
  );
