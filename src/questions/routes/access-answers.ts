import type {
  AccessList,
  ExplanationAnswer,
  HeldThrough,
  PrincipalRow,
  ResourceRow,
  Summary,
} from '../../contract/answers/questions/access';
import type { AccessPage, AccessRow, Answered, Explanation, ForHuman } from '../access/ask-access';
import { explainedPath } from '../access/explanation/explained-path';
import { type AccessQuery, filterOf, tokenAfter } from './access-query';

const permissionsIn = (
  permissions: readonly HeldThrough[],
  application: string | null,
): ResourceRow['permissions'] => permissions.map((permission) => ({ ...permission, application }));

/** A row of the resources that a principal can reach. */
const resourceRow = ({ about, permissions, privileged, way }: AccessRow): ResourceRow => {
  const { id, label, name, path, resource_type, application, provider } = about;
  return {
    id,
    label,
    name,
    path,
    resource_type,
    application,
    provider,
    permissions: permissionsIn(permissions, application),
    ...(privileged === undefined ? {} : { privileged }),
    ...(way === undefined ? {} : { way }),
    resource: id,
    resource_label: label,
  };
};

/** A row of the principals that can reach a resource. */
const principalRow =
  (of: string | null) =>
  ({
    about,
    permissions,
    drawn_together,
    accounts,
    person,
    marks,
    privileged,
    way,
  }: AccessRow): PrincipalRow => {
    const { id, label, name, application, domain, provider, inactive } = about;
    return {
      id,
      label,
      name,
      application,
      domain,
      provider,
      inactive,
      permissions: permissionsIn(permissions, of),
      principal: id,
      principal_label: label,
      ...(drawn_together === undefined || person === false ? {} : { drawn_together, accounts }),
      ...(person === undefined ? {} : { person }),
      ...(marks === undefined ? {} : { marks }),
      ...(privileged === undefined ? {} : { privileged }),
      ...(way === undefined ? {} : { way }),
    };
  };

/** The answer of a list of access. */
export const listAnswer = (
  query: AccessQuery,
  { answer: page, asOf }: Answered<AccessPage>,
): AccessList => {
  const { of, wanted } = query;
  const filter = filterOf(query);
  const end = {
    has_more: page.hasMore,
    next_page_token: tokenAfter(page, wanted),
    total: page.total,
    as_of: asOf,
    ...(page.counts === null ? {} : { counts: page.counts }),
  };
  return of === 'principal'
    ? {
        principal: page.of,
        ...(page.accounts === null ? {} : { accounts: page.accounts }),
        filter,
        values: page.rows.map(resourceRow),
        ...end,
      }
    : {
        ...(page.people === null || page.withoutUser === null
          ? {}
          : { people: page.people, without_user: page.withoutUser }),
        resource: page.of,
        filter,
        values: page.rows.map(principalRow(page.of.application)),
        ...end,
      };
};

/** For whom an answer is, if it is for a human. */
export const answeredFor = ({
  of,
  accounts,
}: ForHuman<unknown>): { readonly principal?: Summary; readonly accounts?: readonly Summary[] } =>
  of === null || accounts === null ? {} : { principal: of, accounts };

/** The answer of an explanation. */
export const explanation = ({ paths, truncated }: Explanation): ExplanationAnswer => ({
  paths: paths.map(explainedPath),
  truncated,
});
