import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, mapOf } from '../../codec/exact';
import { anyText, enumeration } from '../../codec/text';
import { anyJson, count } from './values';

/** The process lives (docs/rules.md: Requests). */
export const Health = exact('health', {
  status: has(enumeration('health status', ['ok']), 'Always `ok`.'),
  version: has(anyText, 'The version of the program.'),
  commit: has(
    anyText,
    'The commit that it was built from; `unknown` if the build did not record it.',
  ),
  rules_version: has(count, 'The version of the rules that make rows from payloads.'),
});

/** Neo4j answers and has its schema (docs/rules.md: Requests). */
export const Readiness = exact('readiness', {
  status: has(enumeration('readiness status', ['ready']), 'Always `ready`.'),
  store_version: has(count, 'The version of the way in which the graph is written.'),
  access_graph: has(
    enumeration('state of the graph of access', ['waiting', 'loading', 'ready', 'too large']),
    'Whether the process has the graph of access in memory. `too large`: it needs more than `ACCESS_MEMORY`; questions about access are answered 503.',
  ),
});
export type Readiness = t.TypeOf<typeof Readiness>;

const schema = mapOf('JSON Schema', anyJson);
const named = mapOf('named parts of a description', schema);

/** The interface in OpenAPI 3.1. */
export const ApiDescription = exact('API description', {
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

/** The JSON Schema of a template's payloads. */
export const PayloadSchema = exact('payload schema', {
  $schema: has(anyText, 'The dialect of JSON Schema.'),
  title: has(anyText, 'Of which template it is.'),
  description: has(anyText, 'What it cannot say.'),
  if: has(schema, 'Whether a payload is an increment.'),
  then: has(schema, 'An increment.'),
  else: has(schema, 'A full payload.'),
  $defs: has(mapOf('definitions', schema), 'What these refer to.'),
});
export type PayloadSchema = t.TypeOf<typeof PayloadSchema>;
