import * as E from 'fp-ts/Either';
import fc from 'fast-check';

import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { readingQuery } from '../../src/questions/cypher/reading-query';
import { testNeo4j } from '../support/neo4j';
import { sized } from '../support/test-size';

const LIMITS = { seconds: 1, rows: 10, bytes: 1e6 };

let graph: Graph;
beforeAll(() => {
  graph = openGraph(testNeo4j());
});
afterAll(() => closeGraph(graph));

/** Parts that are harmless alone, nested in each other at random. */
const { list, text } = fc.letrec<{ list: string; text: string }>((tie) => {
  const much = fc.constantFrom('3', '40', '5000', '100000', '9000000000', '$many');
  const copies = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(of, fc.constantFrom('30', '200'), fc.constantFrom('s + s', 's + [1]', '[1] + s', 's'))
      .map(([first, rounds, body]) => `reduce(s = ${first}, i IN range(1, ${rounds}) | ${body})`);
  return {
    list: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('[1, 2]', 'xs', '$list'),
      much.map((most) => `range(1, ${most})`),
      fc.tuple(tie('list'), tie('list')).map(([a, b]) => `[x IN ${a} | ${b}]`),
      fc
        .tuple(tie('list'), tie('list'))
        .map(([a, b]) => `[x IN ${a} WHERE any(y IN ${b} WHERE y = x) | 1]`),
      fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
      tie('list').map((a) => `${a}[..50]`),
      tie('text').map((a) => `split(${a}, 'a')`),
      copies(tie('list')),
      tie('list').map((a) => `COLLECT { UNWIND ${a} AS z RETURN z }`),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom("'aaaa'", '$text'),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `replace(${a}, 'a', ${b})`),
      fc
        .tuple(tie('text'), fc.constantFrom('10', '30', '400'))
        .map(([a, rounds]) => `reduce(t = ${a}, i IN range(1, ${rounds}) | t + t)`),
      fc.tuple(tie('list'), tie('text')).map(([a, b]) => `reduce(t = '', i IN ${a} | t + ${b})`),
      fc
        .tuple(tie('text'), fc.constantFrom('.*a.*b', '(a|a)*b', '(.*a){12}$', '(?i)b.*'))
        .map(([a, pattern]) => `toString(${a} =~ '${pattern}')`),
    ),
  };
});

const query = fc.oneof(
  list.map((made) => `WITH [1] AS xs RETURN size(${made}) AS n`),
  list.map((made) => `UNWIND range(1, 3000) AS x WITH collect(x) AS xs RETURN ${made} AS made`),
  text.map((made) => `WITH [1] AS xs RETURN size(${made}) AS n`),
  fc
    .tuple(list, fc.integer({ min: 1, max: 60 }))
    .map(
      ([made, times]) =>
        `WITH [1] AS xs WITH ${made} AS xs ${'WITH xs + xs AS xs '.repeat(times)}RETURN xs = xs AS same`,
    ),
);

test('each hostile query is refused or ends within its limit, and leaves no transaction behind', async () => {
  const ended = { refused: 0, answered: 0 };
  await fc.assert(
    fc.asyncProperty(query, async (cypher) => {
      const parameters = { many: 9_000_000_000, list: Array(100).fill(7), text: 'a'.repeat(500) };
      const outcome = await readingQuery(graph, LIMITS, { cypher, parameters })();
      // Whatever Neo4j does not end would be `Unavailable`.
      if (E.isLeft(outcome)) expect(outcome.left._tag).toBe('Invalid');
      ended[E.isLeft(outcome) ? 'refused' : 'answered'] += 1;
    }),
    { numRuns: sized(150, 1_000) },
  );
  expect(ended.refused).toBeGreaterThan(5);
  expect(ended.answered).toBeGreaterThan(5);
  const left = await ask(
    graph,
    'SHOW TRANSACTIONS YIELD metaData WHERE metaData.question IS NOT NULL RETURN metaData',
  );
  expect(left).toEqual([]);
});
