import type { AnyCodec } from '../../contract/codec';
import {
  ChangeProviderRequest,
  CompleteUploadRequest,
  CreateDataSourceRequest,
  PartsOperation,
  PushEnvelope,
  RegisterProviderRequest,
  SetIconRequest,
  UploadPartRequest,
} from '../../contract/envelopes';
import { QueryRequest } from '../../contract/query';
import { ChangeTeamKeyRequest, CreateTeamKeyRequest } from '../../contract/team-key';

/** How an answer of 200 looks. */
export type AnswerShape =
  'object' | 'value' | 'list' | 'events' | 'push' | 'stream' | 'text' | 'page' | 'archive';

/** One thing that the HTTP interface can be asked (api.md 1 and 7). */
export interface ApiOperation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly answer: AnswerShape;
  /** What its body may be. */
  readonly body?: readonly AnyCodec[];
  /** Names of query parameters. */
  readonly query?: readonly string[];
  readonly headers?: readonly string[];
  readonly isWithoutKey?: true;
}

const PROVIDERS = '/api/v1/providers/custom';
const PROVIDER = `${PROVIDERS}/{id}`;
const SOURCES = `${PROVIDER}/datasources`;
const SOURCE = `${SOURCES}/{ds}`;
const TEAM_KEYS = '/api/preview/teamkeys';
const LIST = ['filter', 'order_by', 'page_size', 'page_token'];

const eventLists = ['/api/v1/events', '/api/preview/events'].map((path): ApiOperation => ({
  ...{ method: 'get', path, summary: 'Lists what happened, newest first.' },
  ...{ answer: 'events', query: LIST },
}));

const V1 = '/api/v1';
const PAGE = ['order_by', 'page_size', 'page_token'];
const PAIR = ['principal', 'resource', 'permission', 'permission_type'];

/** What can be asked about the graph (api.md 7). */
const questions: readonly ApiOperation[] = [
  {
    method: 'get',
    path: `${V1}/entities`,
    summary: 'Searches entities by any property.',
    answer: 'list',
    query: [...LIST, 'label'],
  },
  { method: 'get', path: `${V1}/entities/{id}`, summary: 'Tells of an entity.', answer: 'value' },
  {
    method: 'get',
    path: `${V1}/access`,
    summary: 'What a principal can reach, or who can reach a resource.',
    answer: 'list',
    query: [
      'principal',
      'resource',
      'permission',
      'permission_type',
      'application',
      'label',
      'person',
      ...PAGE,
    ],
  },
  {
    method: 'get',
    path: `${V1}/access:check`,
    summary: 'Whether a principal has a permission on a resource.',
    answer: 'value',
    query: PAIR,
  },
  {
    method: 'get',
    path: `${V1}/access:explain`,
    summary: 'Through what a principal has access to a resource.',
    answer: 'value',
    query: PAIR,
  },
  {
    method: 'get',
    path: `${V1}/reviewers`,
    summary: 'Who should review a principal or a resource.',
    answer: 'list',
    query: ['principal', 'resource'],
  },
  {
    method: 'post',
    path: `${V1}/query`,
    summary: 'Runs a reading query in Cypher.',
    answer: 'value',
    body: [QueryRequest],
  },
];

/** Everything that the HTTP interface can be asked: README's table, and the routes themselves, are compared with it. */
export const API_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'The process lives.',
    answer: 'object',
    isWithoutKey: true,
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'Neo4j answers and has its schema.',
    answer: 'object',
    isWithoutKey: true,
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This description.',
    answer: 'object',
    isWithoutKey: true,
  },
  {
    method: 'get',
    path: '/schemas/{template}.json',
    summary: "JSON Schema of a template's payloads.",
    answer: 'object',
    isWithoutKey: true,
  },
  {
    method: 'get',
    path: '/kit/queries.zip',
    summary: 'The saved queries of the analyst, for Neo4j Browser.',
    answer: 'archive',
    isWithoutKey: true,
  },
  {
    method: 'get',
    path: '/kit/style.grass',
    summary: "Neo4j Browser's style for the graph.",
    answer: 'text',
    isWithoutKey: true,
  },
  {
    method: 'get',
    path: '/kit/guide.html',
    summary: "A guide for Neo4j Browser through the demo's graph.",
    answer: 'page',
    isWithoutKey: true,
  },
  { method: 'get', path: '/metrics', summary: 'Metrics for Prometheus.', answer: 'text' },
  {
    method: 'get',
    path: `${PROVIDERS}/templates`,
    summary: 'The templates that can be registered.',
    answer: 'list',
  },
  { method: 'get', path: PROVIDERS, summary: 'Lists providers.', answer: 'list', query: LIST },
  {
    method: 'post',
    path: PROVIDERS,
    summary: 'Registers a provider.',
    answer: 'value',
    body: [RegisterProviderRequest],
  },
  { method: 'get', path: PROVIDER, summary: 'Reads a provider.', answer: 'value' },
  {
    method: 'patch',
    path: PROVIDER,
    summary: 'Changes a provider.',
    answer: 'object',
    body: [ChangeProviderRequest],
  },
  {
    method: 'delete',
    path: PROVIDER,
    summary: 'Deletes a provider with its data sources and their graph.',
    answer: 'object',
  },
  {
    method: 'post',
    path: `${PROVIDER}:icon`,
    summary: 'Gives a provider its icon.',
    answer: 'object',
    body: [SetIconRequest],
  },
  {
    method: 'get',
    path: SOURCES,
    summary: 'Lists the data sources of a provider.',
    answer: 'list',
    query: LIST,
  },
  {
    method: 'post',
    path: SOURCES,
    summary: 'Creates a data source.',
    answer: 'value',
    body: [CreateDataSourceRequest],
  },
  { method: 'get', path: SOURCE, summary: 'Reads a data source.', answer: 'value' },
  {
    method: 'delete',
    path: SOURCE,
    summary: 'Deletes a data source with its graph.',
    answer: 'object',
  },
  {
    method: 'post',
    path: `${SOURCE}:push`,
    summary: 'Pushes a payload.',
    answer: 'push',
    body: [PushEnvelope],
    headers: ['Grantgraph-Confirm-Removal'],
  },
  {
    method: 'post',
    path: `${SOURCE}:parts`,
    summary: 'Pushes a payload in parts.',
    answer: 'object',
    body: [PartsOperation, UploadPartRequest, CompleteUploadRequest],
    headers: ['Grantgraph-Confirm-Removal'],
  },
  {
    method: 'post',
    path: `${SOURCE}:plan`,
    summary: 'Tells what a push would answer and change, and does nothing.',
    answer: 'object',
    body: [PushEnvelope],
  },
  {
    method: 'post',
    path: `${SOURCE}:verify`,
    summary: 'Tells what was changed by hand in Neo4j, and puts it right if asked to.',
    answer: 'object',
    query: ['repair'],
  },
  {
    method: 'post',
    path: `${SOURCE}:allow-removal`,
    summary: 'Lets the next push within an hour remove as much as it wants.',
    answer: 'object',
  },
  {
    method: 'get',
    path: `${SOURCE}/pushes`,
    summary: 'Lists the pushes to a data source, newest first.',
    answer: 'list',
    query: LIST,
  },
  {
    method: 'get',
    path: `${SOURCE}/pushes/{push}`,
    summary: 'Reads a push with its warnings or problems.',
    answer: 'value',
  },
  ...eventLists,
  ...questions,
  {
    method: 'get',
    path: '/api/v1/events:stream',
    summary: 'Tells what happens as it happens.',
    answer: 'stream',
    query: ['filter', 'last_event_id'],
    headers: ['Last-Event-ID'],
  },
  { method: 'get', path: TEAM_KEYS, summary: 'Lists team keys.', answer: 'list', query: LIST },
  {
    method: 'post',
    path: TEAM_KEYS,
    summary: 'Creates a team key, told this once.',
    answer: 'value',
    body: [CreateTeamKeyRequest],
  },
  {
    method: 'patch',
    path: `${TEAM_KEYS}/{key}`,
    summary: 'Changes a team key.',
    answer: 'value',
    body: [ChangeTeamKeyRequest],
  },
  {
    method: 'delete',
    path: `${TEAM_KEYS}/{key}`,
    summary: 'Deletes a team key.',
    answer: 'object',
  },
  {
    method: 'post',
    path: `${TEAM_KEYS}/{key}:revoke`,
    summary: 'Shuts a team key out.',
    answer: 'value',
  },
  {
    method: 'post',
    path: `${TEAM_KEYS}/{key}:reinstate`,
    summary: 'Lets a team key in again.',
    answer: 'value',
  },
];
