import type { Request } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';

import { PermissionType } from '../../contract/application';
import { LARGEST_PAGE, orderOf, pageSize, readToken, writeToken } from '../../contract/page';
import { type Failure, invalid, oneProblem, type ProblemCode } from '../../problem';
import {
  accessOrders,
  type AccessPage,
  type Listed,
  type Pair,
  type WantedAccess,
} from '../../service/questions/ask-access';
import { parameterOf } from '../exchange/list-query';

const refused = (name: string, code: ProblemCode, message: string): E.Either<Failure, never> =>
  E.left(invalid('The request is not valid.', oneProblem(`/${name}`, code, message)));

// The order, its direction, and the row's value and key.
const TOKEN_PLACES = 4;

/** Whose access, or access to what, and which rows (api.md 7). */
export interface AccessQuery {
  readonly of: 'principal' | 'resource';
  readonly id: string;
  readonly listed: Listed;
  readonly wanted: WantedAccess;
}

const wantedAccess = (req: Request): E.Either<Failure, WantedAccess> => {
  const { field, isDescending } = orderOf(parameterOf(req, 'order_by'), accessOrders, {
    field: 'name',
    isDescending: false,
  });
  const order = accessOrders.find((known) => known === field) ?? 'name';
  const size = pageSize(parameterOf(req, 'page_size')) ?? LARGEST_PAGE;
  return pipe(
    readToken(parameterOf(req, 'page_token'), TOKEN_PLACES),
    E.mapLeft((problems) => invalid('The request is not valid.', problems)),
    E.flatMap((token): E.Either<Failure, WantedAccess> => {
      if (token === null) return E.right({ size, order, isDescending, after: null });
      const [ordered, direction, value = '', key = ''] = token;
      return ordered === order && direction === String(isDescending)
        ? E.right({ size, order, isDescending, after: [value, key] })
        : refused('page_token', 'BAD_PAGE_TOKEN', 'is no token of this list');
    }),
  );
};

/** Reads a question for a list of access. */
export const accessQuery = (req: Request): E.Either<Failure, AccessQuery> => {
  const [principal, resource] = [parameterOf(req, 'principal'), parameterOf(req, 'resource')];
  if (principal === '' && resource === '') {
    return refused('principal', 'MISSING_FIELD', 'one of principal and resource is needed');
  }
  if (principal !== '' && resource !== '') {
    return refused(
      'resource',
      'UNKNOWN_FIELD',
      'stands beside principal: access:check and access:explain take both',
    );
  }
  const of = principal === '' ? 'resource' : 'principal';
  return pipe(
    wantedAccess(req),
    E.map((wanted) => ({
      of,
      id: principal || resource,
      listed: {
        label: parameterOf(req, 'label') || null,
        isByPerson: parameterOf(req, 'person').toLowerCase() === 'true',
      },
      wanted,
    })),
  );
};

/** Where the next page begins; empty after the last. */
export const tokenAfter = (
  { rows, hasMore }: AccessPage,
  { order, isDescending }: WantedAccess,
): string => {
  const last = rows.at(-1);
  return hasMore && last !== undefined
    ? writeToken([order, String(isDescending), last.value, last.about.id])
    : '';
};

/** Reads a question about one principal and one resource; `isPrecise`: some permission or canonical type must be named. */
export const pairQuery = (req: Request, isPrecise: boolean): E.Either<Failure, Pair> => {
  const [principal, resource, permission, permissionType] = [
    parameterOf(req, 'principal'),
    parameterOf(req, 'resource'),
    parameterOf(req, 'permission'),
    parameterOf(req, 'permission_type'),
  ];
  if (principal === '') return refused('principal', 'MISSING_FIELD', 'is needed');
  if (resource === '') return refused('resource', 'MISSING_FIELD', 'is needed');
  if (isPrecise && permission === '' && permissionType === '') {
    return refused('permission', 'MISSING_FIELD', 'permission or permission_type is needed');
  }
  if (permissionType !== '' && !PermissionType.is(permissionType)) {
    const known = PermissionType.values.join(', ');
    return refused('permission_type', 'UNKNOWN_VALUE', `is none of ${known}`);
  }
  return E.right({
    principal,
    resource,
    permission: permission || null,
    permissionType: permissionType || null,
  });
};
