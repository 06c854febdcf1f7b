import { BUILD } from '../../build';
import type { JsonSchema } from '../../codec/codec';
import { SchemaWriter } from '../../contract/json-schema';
import { API_CODES, PROBLEM_CODES } from '../../problem';
import { type AnswerShape, type Route, scopesInWords, toldPath } from '../routing/route';
import { WARNING_CODES } from '../../warning';
import { planSchema } from './plan-schema';
import { ANY_OBJECT, array, COUNTS, object, TEXT, warningsSchema } from './schema-parts';

const WARNINGS = warningsSchema(Object.keys(WARNING_CODES));

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
      warnings: WARNINGS,
      push_id: TEXT,
      at: { type: 'string', format: 'date-time' },
      unchanged: { type: 'boolean' },
      put: COUNTS,
      removed: COUNTS,
      digest: TEXT,
    }),
  ],
  plan: ['application/json', planSchema(WARNINGS)],
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

const parametersOf = ({ query = [], headers = [], ...route }: Route): readonly object[] => [
  ...[...toldPath(route).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: TEXT },
  })),
  ...query.map((name) => ({ name, in: 'query', schema: TEXT })),
  ...headers.map((name) => ({ name, in: 'header', schema: TEXT })),
];

/** Which keys a route admits, in words. */
const admitted = ({ access }: Route): string => {
  if (access === 'open') return 'Needs no key.';
  const limits = {
    never: 'A key that is limited to providers may not ask this.',
    'own provider': 'A key that is limited to providers may ask this of its own.',
    'shown in part': 'A key that is limited to providers sees what is of its own.',
  } as const;
  return `Needs a key with ${scopesInWords(access)}. ${limits[access.limitedKeys]}`;
};

const operationOf = (route: Route, writer: SchemaWriter): object => {
  const { method, summary, answer, body, access } = route;
  const [type, schema] = ANSWERS[answer];
  const bodies = (body ?? []).map((codec) => writer.of(codec));
  return {
    operationId: `${method}${toldPath(route).replace(/\W+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary,
    description: admitted(route),
    parameters: parametersOf(route),
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
    ...(access === 'open' ? { security: [] } : {}),
  };
};

/** The HTTP interface in OpenAPI 3.1 (docs/rules.md: Requests): request bodies from their codecs, everything else from the routes. */
export const openApiDocument = (routes: readonly Route[]): object => {
  const writer = new SchemaWriter('#/components/schemas/');
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const methods = (paths[toldPath(route)] ??= {});
    methods[route.method] = operationOf(route, writer);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Grantgraph',
      version: BUILD.version,
      'x-commit': BUILD.commit,
      'x-rules-version': BUILD.rulesVersion,
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
