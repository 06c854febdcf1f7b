import fc from 'fast-check';

import { neo4jBrowserLink, withValuesOf } from '../../../src/features/console/asking/neo4j-browser';
import { closeGraph, type Graph, openGraph } from '../../../src/neo4j/driver';
import { ask } from '../../../src/neo4j/ask';
import { withNeo4jBrowser } from '../../../src/start/open-neo4j';
import { testNeo4j } from '../../support/neo4j';
import { testConfig } from '../../support/test-config';
import { sized } from '../../support/test-size';

let graph: Graph;
beforeAll(() => {
  graph = openGraph(testNeo4j());
});
afterAll(() => closeGraph(graph));

/** What Neo4j Browser fills in for a link (its `getUrlParamValue`). */
const filledIn = (link: string): readonly string[] => {
  const text = decodeURIComponent(link.replaceAll('+', ' '));
  return [...text.matchAll(/[?&]arg=([^&#]*)/g)].map(([, value = '']) => value);
};

/** Texts that look like the end of a text in Cypher, or of a query in a link. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('\\', '"', "'", '`', 'u0022', '\\u0027', '&', '#', '?arg=', '+', '%26', '$x'),
      fc.constantFrom('\n', '\u0007', ' RETURN 1 //', ';', '/*', '*/', 'ü', '\u{1f9d1}'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const values = fc.oneof(
  texts,
  fc.array(texts, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('name', 'b c', '`'), texts, {
    minKeys: 2,
    maxKeys: 3,
    noNullPrototype: true,
  }),
  fc.constantFrom(null, true, 7, -0.5),
);

test('a query that is filled in has the values of its parameters, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (x) => {
      const query = 'RETURN $x AS x, [$x] AS list';
      const filled = withValuesOf(query, { x }) ?? '';
      expect(await ask(graph, filled)).toEqual([{ x, list: [x] }]);
      expect(filledIn(neo4jBrowserLink('http://here/browser', query, { x }) ?? '')).toEqual([
        filled,
      ]);
    }),
    { numRuns: sized(150, 3000) },
  );
});

test('times and spans are those of Cypher', () => {
  expect(
    withValuesOf('RETURN $since, $days', {
      since: { datetime: '2026-01-01T00:00:00Z' },
      days: { duration: 'P7D' },
    }),
  ).toBe('RETURN datetime("2026-01-01T00:00:00Z"), duration("P7D")');
});

test('a query of which Browser would not read all, or that lacks a value, has no link', () => {
  for (const query of ['MATCH (n:A&B) RETURN n', 'RETURN 1 // #', 'RETURN $missing']) {
    expect(neo4jBrowserLink('http://here/browser', query, {})).toBeNull();
  }
});

test('unset, it is the Browser of the Neo4j that the service started, for this machine alone', () => {
  const own = { httpAddress: 'http://127.0.0.1:7474' };
  const of = (host: string, neo4jBrowserUrl?: string, from: typeof own | object = own) =>
    withNeo4jBrowser(testConfig({ http: { host }, console: { neo4jBrowserUrl } }), {
      httpAddress: undefined,
      ...from,
    }).console.neo4jBrowserUrl;
  expect(of('127.0.0.1')).toBe('http://127.0.0.1:7474/browser');
  expect(of('0.0.0.0')).toBeUndefined();
  expect(of('127.0.0.1', undefined, {})).toBeUndefined();
  expect(of('0.0.0.0', 'https://neo4j.example.org/browser')).toBe(
    'https://neo4j.example.org/browser',
  );
});
