import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import {
  AccessCheck,
  AccessExplanation,
  AccessList,
  type HeldPermission,
  type PrincipalRow,
  type ResourceRow,
  type ExplanationAnswer,
  type ExplainedHop,
} from '../../contract/answers/access';
import type {
  AccessPage,
  AccessRow,
  Explanation,
  Hop,
  Settled,
} from '../../service/questions/ask-access';
import type { UseCases } from '../../service/use-cases';
import type { Handle } from '../exchange/handle';
import { PairParameters } from '../../contract/question-parameters';
import {
  type AccessQuery,
  accessQuery,
  filterOf,
  LIST_PARAMETERS,
  pairQuery,
  tokenAfter,
} from './access-query';
import { route, type Route } from '../routing/route';

/** What the endpoints of access need. */
export interface AccessRoutesDeps {
  readonly handle: Handle;
  readonly useCases: Pick<UseCases, 'listAccess' | 'checkAccess' | 'explainAccess'>;
}

const permissionsIn = (
  permissions: readonly HeldPermission[],
  application: string | null,
): ResourceRow['permissions'] => permissions.map((permission) => ({ ...permission, application }));

/** A row of the resources that a principal can reach. */
const resourceRow = ({ about, permissions }: AccessRow): ResourceRow => {
  const { id, label, name, path, resource_type, application } = about;
  return {
    resource: id,
    resource_label: label,
    ...{ name, path, resource_type, application },
    permissions: permissionsIn(permissions, application),
  };
};

/** A row of the principals that can reach a resource. */
const principalRow =
  (of: string | null) =>
  ({ about, permissions, drawn_together }: AccessRow): PrincipalRow => {
    const { id, label, name, application, inactive } = about;
    return {
      principal: id,
      principal_label: label,
      ...{ name, application, inactive },
      permissions: permissionsIn(permissions, of),
      ...(drawn_together === undefined ? {} : { drawn_together }),
    };
  };

const listAnswer = (
  { of, listed, wanted }: AccessQuery,
  { answer: page, asOf }: Settled<AccessPage>,
): AccessList => {
  const filter = filterOf(listed);
  const end = {
    has_more: page.hasMore,
    next_page_token: tokenAfter(page, wanted),
    total: page.total,
    as_of: asOf,
  };
  return of === 'principal'
    ? { principal: page.of, filter, values: page.rows.map(resourceRow), ...end }
    : {
        resource: page.of,
        filter,
        values: page.rows.map(principalRow(page.of.application)),
        ...end,
      };
};

const hop = ({ about: { id, label, name }, ...rest }: Hop): ExplainedHop => ({
  id,
  label,
  name,
  ...rest,
});

const explanation = ({ paths, truncated }: Explanation): ExplanationAnswer => ({
  paths: paths.map(({ permission, hops, scope }) => ({
    permission,
    hops: hops.map(hop),
    scope: scope.map(hop),
  })),
  truncated,
});

/**
 * Answers who can do what, whether somebody can, and through what (docs/rules.md: Access answers).
 */
export const accessRoutes = ({ handle, useCases }: AccessRoutesDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/v1/access',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary:
      'What a `principal` can reach, or who can reach a `resource`; narrowed by permission, type, application, label.',
    answer: AccessList,
    query: LIST_PARAMETERS,
    handler: handle((req) =>
      pipe(
        TE.fromEither(accessQuery(req)),
        TE.flatMap((query) =>
          pipe(
            useCases.listAccess(query.of, query.id, query.listed, query.wanted),
            TE.map((settled) => listAnswer(query, settled)),
          ),
        ),
      ),
    ),
  }),
  route({
    method: 'get',
    path: '/api/v1/access\\:check',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Whether a principal has a permission on a resource.',
    answer: AccessCheck,
    query: PairParameters,
    handler: handle((req) =>
      pipe(
        TE.fromEither(pairQuery(req, true)),
        TE.flatMap(useCases.checkAccess),
        TE.map(({ answer: allowed, asOf }) => ({ value: { allowed }, as_of: asOf })),
      ),
    ),
  }),
  route({
    method: 'get',
    path: '/api/v1/access\\:explain',
    access: { scopes: ['read'], limitedKeys: 'never' },
    summary: 'Through what a principal has access to a resource, shortest paths first.',
    answer: AccessExplanation,
    query: PairParameters,
    handler: handle((req) =>
      pipe(
        TE.fromEither(pairQuery(req, false)),
        TE.flatMap(useCases.explainAccess),
        TE.map(({ answer, asOf }) => ({ value: explanation(answer), as_of: asOf })),
      ),
    ),
  }),
];
