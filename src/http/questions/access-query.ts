import type { Request } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import type { AccessFilter } from '../../contract/answers/questions/access';
import { answerPageSize, orderOf, readToken, writeToken } from '../../contract/page';
import { instantOf, isTrue, textsOf } from '../../contract/parameters/query-parameters';
import {
  type AccessParameters,
  accessParameters,
  PairParameters,
} from '../../contract/parameters/question-parameters';
import { badField, badRequest, type Failure, type ProblemCode } from '../../problem';
import {
  accessOrders,
  type AccessPage,
  type Instant,
  type Listed,
  type Pair,
  type WantedAccess,
} from '../../service/questions/ask-access';
import { queryOf } from '../lists/list-query';
import { withoutCypher } from './with-cypher';

const refused = (name: string, code: ProblemCode, message: string): E.Either<Failure, never> =>
  E.left(badField(`/${name}`, code, message));

/** Parameters of a list of access. */
export const LIST_PARAMETERS = accessParameters(accessOrders);

// A page token holds the order, its direction, and the value and key of the last row.
const TOKEN_PLACES = 4;

/**
 * The principal or resource of a question, and which rows to list (docs/api.md: Who can do what).
 */
export interface AccessQuery {
  readonly of: 'principal' | 'resource';
  readonly id: string;
  readonly listed: Listed;
  readonly wanted: WantedAccess;
  /** The instant that the question is about; `null` means now. */
  readonly at: Instant | null;
}

/** A question about one principal and one resource, and the instant that it is about. */
export interface PairQuery {
  readonly pair: Pair;
  readonly at: Instant | null;
}

const wantedAccess = (asked: AccessParameters): E.Either<Failure, WantedAccess> => {
  const { field, isDescending } = orderOf(asked.order_by ?? '', accessOrders, {
    field: 'name',
    isDescending: false,
  });
  const order = accessOrders.find((known) => known === field) ?? 'name';
  const size = answerPageSize(asked.page_size);
  return pipe(
    readToken(asked.page_token ?? '', TOKEN_PLACES),
    E.mapLeft(badRequest),
    E.flatMap((token): E.Either<Failure, WantedAccess> => {
      if (token === null) return E.right({ size, order, isDescending, after: null });
      const [ordered, direction, value = '', key = ''] = token;
      return ordered === order && direction === String(isDescending)
        ? E.right({ size, order, isDescending, after: [value, key] })
        : refused('page_token', 'BAD_PAGE_TOKEN', 'is no token of this list');
    }),
  );
};

const anyOf = (value: string | readonly string[] | null | undefined): readonly string[] | null => {
  const given = textsOf(value);
  return given.length === 0 ? null : given;
};

/** Reads a question for a list of access. */
export const accessQuery = (req: Pick<Request, 'query'>): E.Either<Failure, AccessQuery> =>
  pipe(
    queryOf(LIST_PARAMETERS, req),
    E.flatMap((asked): E.Either<Failure, AccessQuery> => {
      const { principal, resource, person, label, ...narrowing } = asked;
      if (!principal && !resource) {
        return refused('principal', 'MISSING_FIELD', 'one of principal and resource is needed');
      }
      if (principal && resource) {
        return refused(
          'resource',
          'UNKNOWN_FIELD',
          'stands beside principal: access:check and access:explain take both',
        );
      }
      if (principal && isTrue(person)) {
        return refused('person', 'UNKNOWN_FIELD', 'goes with resource: it lists people');
      }
      return pipe(
        wantedAccess(asked),
        E.map((wanted) => ({
          of: principal ? 'principal' : 'resource',
          id: principal || resource || '',
          listed: {
            label: label || null,
            applications: anyOf(narrowing.application),
            permissions: anyOf(narrowing.permission),
            permissionTypes: anyOf(narrowing.permission_type),
            isByPerson: isTrue(person),
          },
          wanted,
          at: instantOf(asked.at),
        })),
      );
    }),
    E.tap(({ at }) => withoutCypher(req, at)),
  );

/** The filter of a list, as its answer repeats it. */
export const filterOf = ({
  label,
  applications,
  permissions,
  permissionTypes,
  isByPerson,
}: Listed): AccessFilter => ({
  ...(permissions === null ? {} : { permission: permissions }),
  ...(permissionTypes === null ? {} : { permission_type: permissionTypes }),
  ...(applications === null ? {} : { application: applications }),
  ...(label === null ? {} : { label }),
  ...(isByPerson ? { person: true } : {}),
});

/** The token of the next page; empty after the last page. */
export const tokenAfter = (
  { rows, hasMore }: AccessPage,
  { order, isDescending }: WantedAccess,
): string => {
  const last = rows.at(-1);
  return hasMore && last !== undefined
    ? writeToken([order, String(isDescending), last.value, last.about.id])
    : '';
};

/**
 * Reads a question about one principal and one resource. If `isPrecise`, the question must name a
 * permission or a canonical type.
 */
export const pairQuery = (
  req: Pick<Request, 'query'>,
  isPrecise: boolean,
): E.Either<Failure, PairQuery> =>
  pipe(
    queryOf(PairParameters, req),
    E.flatMap((asked): E.Either<Failure, PairQuery> => {
      const { principal, resource, permission, permission_type } = asked;
      if (isPrecise && !permission && !permission_type) {
        return refused('permission', 'MISSING_FIELD', 'permission or permission_type is needed');
      }
      const pair: Pair = {
        ...{ principal, resource },
        permission: permission || null,
        permissionType: permission_type || null,
      };
      return E.right({ pair, at: instantOf(asked.at) });
    }),
    E.tap(({ at }) => withoutCypher(req, at)),
  );
