import type { JsonSchema } from '../../contract/codec';
import { SchemaWriter } from '../../contract/json-schema';
import { API_CODES, PROBLEM_CODES } from '../../problem';
import { WARNING_CODES } from '../../warning';
import { type AnswerShape, API_OPERATIONS, type ApiOperation } from './api-operations';

const array = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const ANY_OBJECT: JsonSchema = { type: 'object' };
const TEXT: JsonSchema = { type: 'string' };
const COUNTS = object({ nodes: { type: 'integer' }, relationships: { type: 'integer' } });

const ANSWERS: { readonly [A in AnswerShape]: readonly [type: string, schema: JsonSchema] } = {
  object: ['application/json', ANY_OBJECT],
  value: ['application/json', object({ value: ANY_OBJECT })],
  list: [
    'application/json',
    {
      ...object({ values: array(ANY_OBJECT) }),
      description: 'Pages also have has_more and next_page_token.',
    },
  ],
  events: [
    'application/json',
    object({ events: array(ANY_OBJECT), has_more: { type: 'boolean' }, next_page_token: TEXT }),
  ],
  push: [
    'application/json',
    object({
      warnings: array(
        object({
          message: TEXT,
          code: { type: 'string', enum: Object.keys(WARNING_CODES) },
          pointer: TEXT,
          subject: {
            ...object({ kind: TEXT, name: TEXT, application: TEXT }),
            required: ['kind', 'name'],
          },
        }),
      ),
      push_id: TEXT,
      at: { type: 'string', format: 'date-time' },
      unchanged: { type: 'boolean' },
      put: COUNTS,
      removed: COUNTS,
      digest: TEXT,
    }),
  ],
  stream: ['text/event-stream', TEXT],
  text: ['text/plain', TEXT],
  page: ['text/html', TEXT],
  archive: ['application/zip', {}],
};

const ERROR = object({
  code: { enum: Object.keys(API_CODES) },
  message: TEXT,
  request_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  timestamp: { type: 'string', format: 'date-time' },
  details: array({
    type: 'object',
    properties: {
      '@type': TEXT,
      total: { type: 'integer' },
      field_violations: array(
        object({
          field: TEXT,
          description: TEXT,
          pointer: TEXT,
          code: { enum: Object.keys(PROBLEM_CODES) },
        }),
      ),
    },
  }),
});

const parametersOf = ({ path, query = [], headers = [] }: ApiOperation): readonly object[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: TEXT },
  })),
  ...query.map((name) => ({ name, in: 'query', schema: TEXT })),
  ...headers.map((name) => ({ name, in: 'header', schema: TEXT })),
];

const operationOf = (operation: ApiOperation, writer: SchemaWriter): object => {
  const { method, path, summary, answer, body, isWithoutKey } = operation;
  const [type, schema] = ANSWERS[answer];
  const bodies = (body ?? []).map((codec) => writer.of(codec));
  return {
    operationId: `${method}${path.replace(/\W+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary,
    parameters: parametersOf(operation),
    ...(bodies.length === 0
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } },
            },
          },
        }),
    responses: {
      200: { description: 'Done.', content: { [type]: { schema } } },
      default: { $ref: '#/components/responses/Refused' },
    },
    ...(isWithoutKey === true ? { security: [] } : {}),
  };
};

/** The HTTP interface in OpenAPI 3.1 (api.md 7): request bodies from their codecs, everything else from one table. */
export const openApiDocument = (): object => {
  const writer = new SchemaWriter('#/components/schemas/');
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of API_OPERATIONS) {
    const methods = (paths[operation.path] ??= {});
    methods[operation.method] = operationOf(operation, writer);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Grantgraph',
      version: 'v1',
      description: 'Payloads are described by /schemas/{template}.json.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      responses: {
        Refused: {
          description: Object.entries(API_CODES)
            .map(([code, { status, meaning }]) => `${status} ${code}: ${meaning}`)
            .join('\n'),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
        },
      },
      schemas: { error: ERROR, ...writer.definitions },
    },
  };
};
