import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, mapOf } from '../../codec/exact';
import { anyText } from '../../codec/text';
import { anyJson } from '../../contract/answers/values';
import { PayloadSchema } from '../../contract/json-schema';
import { NoParameters } from '../../contract/parameters/query-parameters';
import type { Endpoints } from '../../web/routing/route';

const schema = mapOf('JSON Schema', anyJson);
const named = mapOf('named parts of a description', schema);

/** The interface in OpenAPI 3.1. */
const ApiDescription = exact('API description', {
  openapi: has(anyText, 'The version of OpenAPI.'),
  info: has(mapOf('about the interface', anyJson), 'Which interface it is, and of which build.'),
  servers: has(list(exact('server', { url: has(anyText, 'Its address.') })), 'Where it is served.'),
  security: has(list(mapOf('security', list(anyText))), 'What a request needs.'),
  tags: has(
    list(
      exact('topic', { name: has(anyText, 'Its name.'), description: has(anyText, 'What it is.') }),
    ),
    'The topics by which operations are grouped.',
  ),
  paths: has(named, 'The operations, by path and method.'),
  components: has(named, 'What operations refer to.'),
});
export type ApiDescription = t.TypeOf<typeof ApiDescription>;

/** What all these endpoints have: they hold no data of the graph, and accept no parameters. */
const SHARED = { method: 'get', access: 'open', query: NoParameters } as const;

/** The endpoints of the description and of the analyst's kit, without their handlers. */
export const endpoints = {
  description: {
    ...SHARED,
    path: '/openapi.json',
    summary: 'This interface in OpenAPI 3.1.',
    answer: ApiDescription,
  },
  schema: {
    ...SHARED,
    path: '/schemas/:template.json',
    summary: "JSON Schema of a template's payloads.",
    answer: PayloadSchema,
  },
  page: {
    ...SHARED,
    path: '/docs',
    summary: 'This interface as a page, for browsers.',
    answer: { mediaTypes: ['text/html'] },
  },
  program: {
    ...SHARED,
    path: '/docs/rapidoc.js',
    summary: 'The program of that page.',
    answer: { mediaTypes: ['text/javascript'] },
  },
  queries: {
    ...SHARED,
    path: '/kit/queries.zip',
    summary: 'The saved queries of the analyst, for Neo4j Browser.',
    isSharedWithPages: true,
    answer: { mediaTypes: ['application/zip'] },
  },
  style: {
    ...SHARED,
    path: '/kit/style.grass',
    summary: "Neo4j Browser's style for the graph.",
    isSharedWithPages: true,
    answer: { mediaTypes: ['text/plain'] },
  },
  guide: {
    ...SHARED,
    path: '/kit/guide.html',
    summary: "A guide for Neo4j Browser through the demo's graph.",
    isSharedWithPages: true,
    answer: { mediaTypes: ['text/html'] },
  },
} as const satisfies Endpoints;
