import type { JsonSchema } from '../../src/codec/codec';
import { openApiDocument } from '../../src/features/description/openapi';
import { endpoints, type Readiness } from '../../src/features/health/endpoints';
import type { Handler } from '../../src/web/exchange/handle';
import { isJson, route, shownPath } from '../../src/web/routing/route';
import { nameOf } from '../support/answer-check';
import { idleRoutes } from '../support/idle-app';

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
type Described = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        { readonly responses: Readonly<Record<string, { readonly content?: Content }>> }
      >
    >
  >
>;

const { paths, components } = openApiDocument(idleRoutes());
const contentOf = (path: string, method: string): Content => {
  const responses = (paths as unknown as Described)[path]?.[method]?.responses ?? {};
  return (responses[200] ?? responses[201] ?? responses[204])?.content ?? {};
};

const REF = '#/components/schemas/';
const schemas = components.schemas as Readonly<Record<string, JsonSchema>>;

/** Where answers hold what the service does not know: data of senders and of Neo4j, and descriptions themselves. */
const FREE = [
  'error_of_an_event.metadata',
  'event.metadata',
  'Cypher_query.parameters',
  'query_answer.rows',
  'finding.found',
  'request_to_an_application.body',
  'list_of_descriptions_for_SCIM.Resources',
  'API_description.info',
  'API_description.paths',
  'API_description.components',
  'payload_schema.if',
  'payload_schema.then',
  'payload_schema.else',
  'payload_schema.$defs',
];

const within = (schema: JsonSchema): readonly JsonSchema[] =>
  [schema.items, schema.additionalProperties, schema.anyOf]
    .flat()
    .filter((each): each is JsonSchema => typeof each === 'object' && each !== null);

/** Whether a schema does not say what it takes: any object, any list, or anything at all. */
const isFree = (schema: JsonSchema): boolean => {
  if (['$ref', 'enum', 'const', 'properties', 'maxProperties'].some((word) => word in schema)) {
    return false;
  }
  const inner = within(schema);
  if (inner.length > 0) return inner.some(isFree);
  const types = [schema.type].flat();
  return [undefined, 'object', 'array'].some((type) => types.includes(type));
};

/** The names of a schema and of all that it refers to. */
const named = (schema: unknown, known: Set<string> = new Set()): ReadonlySet<string> => {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(
    /"\$ref":"#\/components\/schemas\/(.*?)"/g,
  )) {
    if (known.has(name)) continue;
    known.add(name);
    named(schemas[name], known);
  }
  return known;
};

const answers = idleRoutes().map((route) => contentOf(shownPath(route), route.method));
const ofAnswers = [...named([...answers, components.responses])].map(
  (name) => [name, schemas[name] ?? {}] as const,
);
const fields = ofAnswers.flatMap(([name, { properties = {} }]) =>
  Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([field, schema]) => [`${name}.${field}`, schema] as const,
  ),
);

test.each(idleRoutes().map((route) => [nameOf(route), route] as const))(
  '%s describes its answer',
  (_name, route) => {
    const content = contentOf(shownPath(route), route.method);
    const { answer, alsoAs = [] } = route;
    const hasContent = isJson(answer) || answer.status !== 204;
    const mediaTypes = isJson(answer) ? ['application/json', alsoAs].flat() : answer.mediaTypes;
    expect(Object.keys(content)).toEqual(hasContent ? mediaTypes : []);
    if (isJson(answer)) expect(String(content['application/json']?.schema?.$ref)).toContain(REF);
  },
);

test('an answer may be anything only where the service cannot know more', () => {
  expect(ofAnswers.filter(([, schema]) => isFree(schema)).map(([name]) => name)).toEqual([]);
  const free = fields.filter(([, schema]) => isFree(schema)).map(([name]) => name);
  expect(free.toSorted()).toEqual(FREE.toSorted());
});

test('a sentence tells what each field of an answer holds', () => {
  const silent = fields.filter(([, { description }]) => !/[.…]$/.test(String(description)));
  expect(silent.map(([name]) => name)).toEqual([]);
});

test('the compiler compares what a handler answers with the codec of its route', () => {
  const asked = { method: 'get', path: '/x', access: 'open', summary: 'x' } as const;
  const handler: Handler<Readiness> = () => undefined;
  const { health, readiness } = endpoints;
  expect(route({ ...readiness, handler }).answer).toBe(readiness.answer);
  // @ts-expect-error The handler does not answer that.
  route({ ...health, handler });
  // @ts-expect-error A route says what it answers.
  route({ ...asked, handler });
});
