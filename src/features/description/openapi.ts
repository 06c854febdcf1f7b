import { BUILD } from '../../build';
import { ErrorAnswer } from '../../contract/answers/error';
import { CSV } from '../../contract/csv';
import { SchemaWriter } from '../../contract/json-schema';
import type { ApiDescription } from './endpoints';
import { SESSION_COOKIE } from '../../web/admission/visitor';
import { API_CODES, type ApiCode } from '../../problem';
import {
  isForPeople,
  isJson,
  peopleInWords,
  refusalsOf,
  type Route,
  scopesInWords,
  showsPages,
  shownPath,
} from '../../web/routing/route';

const TEXT = { type: 'string' } as const;

const parametersOf = (
  { query, headers = [], ...route }: Route,
  writer: SchemaWriter,
): readonly object[] => [
  ...[...shownPath(route).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: TEXT,
  })),
  ...Object.entries(query?.required ?? {}).map(([name, codec]) => ({
    name,
    in: 'query',
    schema: writer.of(codec),
    required: true,
  })),
  // An empty parameter is unset (docs/api.md: Query parameters).
  ...Object.entries(query?.optional ?? {}).map(([name, codec]) => ({
    name,
    in: 'query',
    schema: writer.of(codec),
    allowEmptyValue: true,
  })),
  ...headers.map((name) => ({ name, in: 'header', schema: TEXT })),
];

/** Which keys a route admits, in words. */
const admitted = ({ access }: Route): string => {
  if (access === 'open') return 'Needs no key.';
  if (isForPeople(access)) return `For browsers: ${peopleInWords(access)} who signed in.`;
  const limits = {
    never: 'A key that is limited to providers may not ask this.',
    'own provider': 'A key that is limited to providers may ask this of its own.',
    'shown in part': 'A key that is limited to providers sees what is of its own.',
  } as const;
  return `Needs a key with ${scopesInWords(access)}. ${limits[access.limitedKeys]}`;
};

/** The content of an answer, by its media type. */
const contentOf = ({ answer, alsoAs }: Route, writer: SchemaWriter): object => {
  if (isJson(answer)) {
    const json = { 'application/json': { schema: writer.of(answer) } };
    return alsoAs === undefined ? json : { ...json, [alsoAs]: { schema: TEXT } };
  }
  const { mediaTypes, event, line, json } = answer;
  const schemaOf = (type: string): object => {
    if (type === CSV) return { schema: TEXT };
    if (json !== undefined) return { schema: writer.of(json) };
    return {
      ...(event === undefined ? {} : { schema: TEXT, 'x-event-schema': writer.of(event) }),
      ...(line === undefined ? {} : { schema: TEXT, 'x-line-schema': writer.of(line) }),
    };
  };
  return Object.fromEntries(mediaTypes.map((type) => [type, schemaOf(type)]));
};

const DONE = 'Done.';

/** The answers of a route that carries out its request, by status. */
const answersOf = (route: Route, writer: SchemaWriter): object => {
  const { answer } = route;
  const { status = 200, mayBeEmpty = false } = isJson(answer) ? {} : answer;
  const empty = { description: DONE };
  if (status === 204) return { 204: empty };
  return {
    [status]: { description: DONE, content: contentOf(route, writer) },
    ...(mayBeEmpty && { 204: empty }),
    ...(showsPages(route) && { 303: { description: 'Another page, such as the sign-in.' } }),
  };
};

/** A refusal: a reference to the usual one, or the form that the route has. */
const refusalOf = ({ access, errors }: Route, code: ApiCode, writer: SchemaWriter): object => {
  if (isForPeople(access)) {
    return { description: API_CODES[code].meaning, content: { 'text/html': {} } };
  }
  return errors === undefined
    ? { $ref: `#/components/responses/${code}` }
    : {
        description: API_CODES[code].meaning,
        content: { [errors.mediaType]: { schema: writer.of(errors.codec) } },
      };
};

/** The body of a request: JSON, a form, or a form with a file. */
const bodyOf = ({ body = [], form, fileBytes }: Route, writer: SchemaWriter): object => {
  const formType =
    fileBytes === undefined ? 'application/x-www-form-urlencoded' : 'multipart/form-data';
  const bodies = body.map((codec) => writer.of(codec));
  const content = {
    ...(bodies.length > 0 && {
      'application/json': { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } },
    }),
    ...(form !== undefined && { [formType]: { schema: writer.of(form) } }),
  };
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
};

/** What admits a request, if it is no key. */
const securityOf = ({ access }: Route): object => {
  if (access === 'open') return { security: [] };
  return isForPeople(access) ? { security: [{ session: [] }] } : {};
};

const operationOf = (route: Route, writer: SchemaWriter): Readonly<Record<string, unknown>> => {
  const { method, summary } = route;
  return {
    operationId: `${method}${shownPath(route).replace(/\W+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary,
    ...(route.topic !== undefined && { tags: [route.topic.name] }),
    description: admitted(route),
    ...(route.more === undefined ? {} : { externalDocs: { url: `/manual/${route.more}` } }),
    parameters: parametersOf(route, writer),
    ...bodyOf(route, writer),
    responses: {
      ...answersOf(route, writer),
      ...Object.fromEntries(
        refusalsOf(route).map((code) => [API_CODES[code].status, refusalOf(route, code, writer)]),
      ),
    },
    ...securityOf(route),
  };
};

/** The topics of the routes, in their order. */
const tagsOf = (routes: readonly Route[]): ApiDescription['tags'] => {
  const topics = new Map(
    routes.flatMap(({ topic }) => (topic === undefined ? [] : [[topic.name, topic.about]])),
  );
  return [...topics].map(([name, description]) => ({ name, description }));
};

/**
 * The OpenAPI 3.1 document of the HTTP interface (docs/rules.md: Requests). Bodies and answers come
 * from their codecs, the rest from the routes.
 */
export const openApiDocument = (routes: readonly Route[]): ApiDescription => {
  const writer = new SchemaWriter('#/components/schemas/');
  const error = writer.of(ErrorAnswer);
  const paths: Record<string, Record<string, Readonly<Record<string, unknown>>>> = {};
  for (const route of routes) {
    const methods = (paths[shownPath(route)] ??= {});
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
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
      },
      responses: {
        ...Object.fromEntries(
          Object.entries(API_CODES).map(([code, { meaning }]) => [
            code,
            { description: meaning, content: { 'application/json': { schema: error } } },
          ]),
        ),
      },
      schemas: writer.definitions,
    },
  };
};
