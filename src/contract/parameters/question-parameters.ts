import type * as t from 'io-ts';

import { MARKS, PRIVILEGED } from '../../model/access-narrowing';
import { PermissionType } from '../../templates/application/permissions';
import {
  choice,
  choices,
  flagText,
  formatText,
  neededText,
  neededTexts,
  oneText,
  orderText,
  pageParameters,
  texts,
  timeText,
} from './query-parameters';
import { struct } from '../../codec/struct';

/*
 * The query parameters of the service's own endpoints. An endpoint refuses an unknown parameter and
 * suggests a known one, so that a mistyped one never makes an answer wider than the question
 * (docs/api.md: Query parameters). Endpoints of the original API ignore unknown parameters.
 */

/**
 * Parameters of the lists that public clients use (docs/rules.md: Lists). They accept any
 * `page_size` and `order_by`.
 */
export const ListParameters = struct(
  'the query of a list',
  {},
  { filter: oneText, order_by: oneText, page_size: oneText, page_token: oneText },
);

const canonical = choices('permission types', [...PermissionType.values, PRIVILEGED]);

/** Parameters of `/api/v1/access`. Its lists may be ordered by these fields. */
export const accessParameters = (orderFields: readonly string[]) =>
  struct(
    'the query of access',
    {},
    {
      principal: texts,
      resource: oneText,
      permission: texts,
      permission_type: canonical,
      application: texts,
      label: oneText,
      person: flagText,
      entities: flagText,
      contents: flagText,
      mark: choice('mark', MARKS),
      details: flagText,
      counts: flagText,
      at: timeText,
      order_by: orderText(orderFields),
      ...pageParameters,
      cypher: flagText,
    },
  );
export type AccessParameters = t.TypeOf<ReturnType<typeof accessParameters>>;

/** Parameters of `/api/v1/access:check` and `/api/v1/access:explain`. */
export const PairParameters = struct(
  'the query of one principal and one resource',
  { principal: neededTexts, resource: neededText },
  {
    person: flagText,
    permission: oneText,
    permission_type: choice('permission type', PermissionType.values),
    at: timeText,
    cypher: flagText,
  },
);

/** Parameters of `/api/v1/access:changes`. */
export const ChangesParameters = struct(
  'the query of changes of access',
  {},
  {
    push: oneText,
    since: timeText,
    until: timeText,
    principal: texts,
    person: flagText,
    resource: oneText,
    application: oneText,
    data_source: oneText,
    change: choice('change', ['gained', 'lost']),
    details: flagText,
    ...pageParameters,
  },
);

/** Parameters of `/api/v1/reviewers`. */
export const ReviewersParameters = struct(
  'the query of reviewers',
  {},
  { principal: texts, person: flagText, resource: oneText, at: timeText, cypher: flagText },
);

/** Parameters of `/api/v1/access:gateways`. */
export const GatewayParameters = struct(
  'the query of gateways',
  {},
  {
    resource: oneText,
    without: oneText,
    permission: texts,
    permission_type: canonical,
    contents: flagText,
    at: timeText,
  },
);

/** Parameters of `/api/v1/entities`. `order_by` names one of these properties. */
export const entitiesParameters = (orderFields: readonly string[]) =>
  struct(
    'the query of entities',
    {},
    {
      filter: oneText,
      label: oneText,
      order_by: orderText(orderFields),
      ...pageParameters,
      cypher: flagText,
    },
  );

/** Parameters of `/api/v1/entities/{id}`. */
export const EntityParameters = struct('the query of an entity', {}, { at: timeText });

/** Parameters of `/api/v1/query`. */
export const QueryParameters = struct('the query of a Cypher query', {}, { format: formatText });

/** Parameters of `/api/v1/access:export`. */
export const ExportParameters = struct(
  'the query of an export',
  {},
  {
    principal: texts,
    person: flagText,
    explain: flagText,
    format: choice('format', ['ndjson', 'csv']),
    cursor: oneText,
  },
);

/** Parameters of endpoints that accept none. */
export const NoParameters = struct('the query', {});
