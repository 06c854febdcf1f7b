import type * as t from 'io-ts';

import { Codec, isObject, typeInWords } from '../codec/codec';
import { list } from '../codec/collections';
import { exact, has, may, nullable, oneOf } from '../codec/exact';
import { flag, number } from '../codec/scalars';
import { struct } from '../codec/struct';
import { anyText, enumeration, Text } from '../codec/text';
import { answerEnd, AsOf, valueOf } from '../contract/answers/page';
import {
  AccessCheck,
  AccessExplanation,
  AccessList,
  ExportedAccess,
  HeldPermission,
  ReviewerList,
  Summary,
} from '../contract/answers/questions/access';
import { AccessChangeList } from '../contract/answers/questions/access-changes';
import { EntityList, EntityValue } from '../contract/answers/questions/entities';
import { anyJson, count } from '../contract/answers/values';
import { CSV } from '../contract/csv';
import { canonicalTypes, narrowingParameters } from '../contract/parameters/access-narrowing';
import {
  choice,
  flagText,
  formatText,
  neededText,
  neededTexts,
  oneText,
  orderText,
  pageParameters,
  texts,
  timeText,
} from '../contract/parameters/query-parameters';
import { LIST_ORDERS } from '../model/access-narrowing';
import { PermissionType } from '../templates/application/permissions';
import { searchOrders } from '../templates/graph/searched';
import { LISTING_BODY } from '../web/bodies/body-bounds';
import type { Access, Endpoints } from '../web/routing/route';

/** Parameters of lists of access. */
const AccessParameters = struct(
  'the query of access',
  {},
  {
    principal: texts,
    resource: oneText,
    ...narrowingParameters,
    details: flagText,
    counts: flagText,
    at: timeText,
    order_by: orderText(LIST_ORDERS),
    ...pageParameters,
    cypher: flagText,
  },
);
export type AccessParameters = t.TypeOf<typeof AccessParameters>;

/** Parameters of a question about one principal and one resource. */
const PairParameters = struct(
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

const ChangesParameters = struct(
  'the query of changes of access',
  {},
  {
    push: oneText,
    since: timeText,
    until: timeText,
    principal: texts,
    person: flagText,
    resource: oneText,
    contents: flagText,
    application: oneText,
    data_source: oneText,
    change: choice('change', ['gained', 'lost']),
    details: flagText,
    people_first: flagText,
    ...pageParameters,
  },
);

const ReviewersParameters = struct(
  'the query of reviewers',
  {},
  { principal: texts, person: flagText, resource: oneText, at: timeText, cypher: flagText },
);

const GatewayParameters = struct(
  'the query of gateways',
  {},
  {
    resource: oneText,
    without: oneText,
    permission: texts,
    permission_type: canonicalTypes,
    contents: flagText,
    at: timeText,
  },
);

/** Parameters of a search. */
const SearchParameters = struct(
  'the query of entities',
  {},
  {
    filter: oneText,
    label: oneText,
    order_by: orderText(searchOrders),
    ...pageParameters,
    cypher: flagText,
  },
);

const EntityParameters = struct(
  'the query of an entity',
  {},
  { at: timeText, everybody: flagText },
);

const QueryParameters = struct('the query of a Cypher query', {}, { format: formatText });

const ExportParameters = struct(
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

const queryParameters = new Codec<Readonly<Record<string, unknown>>>(
  'parameters',
  isObject,
  (value, walk) => {
    if (!isObject(value)) {
      walk.refuse('WRONG_TYPE', () => `expected an object, got ${typeInWords(value)}`);
    }
  },
  { schema: { type: 'object' } },
);

const lines = { measure: 'bytes', mayBeEmpty: false, mayHaveLines: true } as const;

/**
 * The parameters of a saved query by their names, as plain JSON: a text, a whole number, a list of
 * texts, a time or a duration (docs/api.md: Saved queries).
 */
export const SavedQueryRequest = struct(
  'saved query',
  {},
  { parameters: queryParameters },
  { isOpen: true },
);

/** A Cypher query with its parameters (docs/rules.md: Cypher queries). */
export const QueryRequest = struct(
  'query',
  { cypher: new Text('Cypher', { ...lines, most: 100_000 }) },
  { parameters: queryParameters },
  { isOpen: true },
);

const Gateway = exact('gateway', {
  ...Summary.fields,
  people: has(count, 'How many of the humans are in it, directly or through other groups.'),
});

/** Through which groups humans reach a resource (docs/rules.md: Gateways). */
const Gateways = exact('gateways to a resource', {
  resource: has(Summary, 'What the question is about.'),
  people: has(count, 'How many humans can reach it.'),
  direct: has(count, 'How many of them are in none of the groups.'),
  values: has(
    list(Gateway),
    'The groups that have access themselves, those with most humans first.',
  ),
  ...answerEnd,
});

const Loss = exact('loss of access', {
  ...Summary.fields,
  lost: has(list(HeldPermission), 'What the human could no longer do.'),
  left: has(list(HeldPermission), 'What the human could still do there. Empty: nothing.'),
});
export type Loss = t.TypeOf<typeof Loss>;

/** Who would lose what on a resource if nobody gained through a gateway. */
const WithoutGateway = exact('losses without a gateway', {
  resource: has(Summary, 'What the question is about.'),
  without: has(Summary, 'Through what nobody would gain.'),
  people: has(count, 'How many humans can reach the resource now.'),
  values: has(list(Loss), 'Those who would lose something, by name.'),
  ...answerEnd,
});

const LossOnResource = exact('loss on a resource', {
  ...Summary.fields,
  lost: has(list(HeldPermission), 'What the human could no longer do there.'),
  left: has(list(HeldPermission), 'What the human could still do there. Empty: nothing.'),
});

const TotalLoss = exact('loss of a human', {
  ...Summary.fields,
  resources: has(count, 'On how many resources and applications the human would lose something.'),
  gone: has(count, 'On how many of them nothing would remain.'),
  losses: has(
    list(LossOnResource),
    'What exactly, by name: all, or the first if the answer has no room for all.',
  ),
});
export type TotalLoss = t.TypeOf<typeof TotalLoss>;

/** Who would lose what anywhere if nobody gained through a gateway. */
const EmptiedGateway = exact('losses everywhere', {
  without: has(Summary, 'Through what nobody would gain.'),
  people: has(count, 'How many humans gain through it now.'),
  others: has(count, 'How many others gain through it, who belong to no human.'),
  resources: has(count, 'On how many resources and applications somebody would lose something.'),
  values: has(list(TotalLoss), 'The humans who would lose something, by name.'),
  ...answerEnd,
});
export type EmptiedGateway = t.TypeOf<typeof EmptiedGateway>;

/** Gateways, or what would be lost without one. */
const GatewayAnswer = oneOf('gateways or losses', Gateways, WithoutGateway, EmptiedGateway);
export type GatewayAnswer = t.TypeOf<typeof GatewayAnswer>;
export type Gateways = t.TypeOf<typeof Gateways>;
export type WithoutGateway = t.TypeOf<typeof WithoutGateway>;

const FactCounts = exact('counts of ended facts', {
  nodes: has(count, 'Versions of nodes that ended.'),
  relationships: has(count, 'Relationships that ended, and versions of them.'),
});

/** What the service stores about the past (docs/rules.md: History). */
const HistoryValue = exact('history', {
  value: has(
    exact('what is stored of the past', {
      since: has(nullable(anyText), 'Since when every fact that ended is stored; null: none is.'),
      facts: has(FactCounts, 'How many facts ended since then.'),
      bytes: has(count, 'About how much space they use in the store, from a sample of the newest.'),
      keep_days: has(
        nullable(count),
        'For how many days facts that ended are stored; null: for ever.',
      ),
      access_changes: has(
        exact('counted changes of access', {
          counted_up_to: has(
            nullable(AsOf),
            'The newest push whose changes of access are counted; null before the first.',
          ),
          waiting: has(count, 'How many later pushes wait to be counted.'),
        }),
        'How far the service has counted what pushes changed in effective access.',
      ),
    }),
    'What is stored.',
  ),
});
export type HistoryValue = t.TypeOf<typeof HistoryValue>;

/** A notice of Neo4j about a query that it runs nevertheless. */
const Notice = exact('notice', {
  code: has(anyText, 'Its code.'),
  severity: has(anyText, 'How serious it is.'),
  title: has(anyText, 'What it says, in a few words.'),
  description: has(anyText, 'What it says, in sentences.'),
  position: has(
    nullable(
      exact('place in a query', {
        offset: has(number, 'From the start of the query.'),
        line: has(number, 'From 1.'),
        column: has(number, 'From 1.'),
      }),
    ),
    'Its place in the query; null if it is about the complete query.',
  ),
});
export type Notice = t.TypeOf<typeof Notice>;

/** The rows that a query returned (docs/rules.md: Cypher queries). */
const QueryAnswer = exact('query answer', {
  columns: has(list(anyText), 'The names of the columns.'),
  rows: has(list(list(anyJson)), 'The rows, each with a cell for each column.'),
  truncated: has(flag, 'Whether there were more rows.'),
  truncated_by: may(
    enumeration('constant that cut the answer', ['LIMIT_QUERY_ROWS', 'LIMIT_QUERY_BYTES']),
    'The setting that cut the answer.',
  ),
  notices: has(list(Notice), 'Remarks on the query.'),
});
export type QueryAnswer = t.TypeOf<typeof QueryAnswer>;

const QueryValue = valueOf('one query answer', QueryAnswer);
export type QueryValue = t.TypeOf<typeof QueryValue>;

/** The media type of an export whose lines are JSON. */
export const NDJSON = 'application/x-ndjson';

/** Questions are about what all providers have pushed. */
const READS: Access = { scopes: ['read'], limitedKeys: 'never' };

/** The endpoints of questions, without their handlers. */
export const endpoints = {
  search: {
    method: 'get',
    path: '/api/v1/entities',
    access: READS,
    summary: 'Searches entities by any property.',
    more: 'api#search',
    query: SearchParameters,
    alsoAs: CSV,
    answer: EntityList,
  },
  readEntity: {
    method: 'get',
    path: '/api/v1/entities/:entityId',
    access: READS,
    summary:
      'Reads an entity: properties, tags, memberships, managers, owners, sources, freshness.',
    query: EntityParameters,
    idsMayHoldColons: true,
    answer: EntityValue,
  },
  access: {
    method: 'get',
    path: '/api/v1/access',
    access: READS,
    summary:
      'What a `principal` can reach, or who can reach a `resource`; narrowed by permission, type, application, label.',
    query: AccessParameters,
    alsoAs: CSV,
    answer: AccessList,
  },
  check: {
    method: 'get',
    path: '/api/v1/access\\:check',
    access: READS,
    summary: 'Whether a principal has a permission on a resource.',
    query: PairParameters,
    answer: AccessCheck,
  },
  explain: {
    method: 'get',
    path: '/api/v1/access\\:explain',
    access: READS,
    summary: 'Through what a principal has access to a resource, shortest paths first.',
    query: PairParameters,
    answer: AccessExplanation,
  },
  gateways: {
    method: 'get',
    path: '/api/v1/access\\:gateways',
    access: READS,
    summary:
      'Through which groups people reach a `resource`, or its `contents`, and who would lose what `without` one, there or anywhere.',
    more: 'api#gateways',
    query: GatewayParameters,
    answer: GatewayAnswer,
  },
  changes: {
    method: 'get',
    path: '/api/v1/access\\:changes',
    access: READS,
    summary: 'Who gained and who lost what by a `push`, or from `since` to `until`.',
    more: 'api#changes-of-access',
    query: ChangesParameters,
    alsoAs: CSV,
    answer: AccessChangeList,
  },
  exportAccess: {
    method: 'get',
    path: '/api/v1/access\\:export',
    access: READS,
    summary: 'Exports what everybody, a `principal` or a human can reach, as NDJSON or CSV.',
    more: 'api#exports-of-access',
    query: ExportParameters,
    answer: { mediaTypes: [NDJSON, CSV], line: ExportedAccess },
  },
  reviewers: {
    method: 'get',
    path: '/api/v1/reviewers',
    access: READS,
    summary: 'Who should review a principal or a resource, with the reasons.',
    query: ReviewersParameters,
    answer: ReviewerList,
  },
  query: {
    method: 'post',
    path: '/api/v1/query',
    access: { scopes: ['cypher'], limitedKeys: 'never' },
    summary: 'Runs a reading query in Cypher.',
    more: 'api#queries-in-cypher',
    query: QueryParameters,
    body: [QueryRequest],
    bodyBounds: LISTING_BODY,
    alsoAs: CSV,
    answer: QueryValue,
  },
  runSaved: {
    method: 'post',
    path: '/api/v1/queries/:topic/:name',
    access: READS,
    summary: 'Runs a saved query with values for its parameters.',
    more: 'api#saved-queries',
    query: QueryParameters,
    body: [SavedQueryRequest],
    alsoAs: CSV,
    answer: QueryValue,
  },
  history: {
    method: 'get',
    path: '/api/v1/history',
    access: READS,
    summary:
      'States since when facts that ended are stored, how many there are, and how large they are.',
    more: 'api#history',
    answer: HistoryValue,
  },
} as const satisfies Endpoints;
