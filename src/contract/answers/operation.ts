import type * as t from 'io-ts';

import { list } from '../../codec/collections';
import { exact, has, mapOf } from '../../codec/exact';
import { anyText } from '../../codec/text';
import { anyJson } from './values';

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
