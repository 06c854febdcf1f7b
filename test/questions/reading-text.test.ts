import { ask } from '../../src/neo4j/ask';
import { closeGraph, type Graph, openGraph } from '../../src/neo4j/driver';
import { READING_FUNCTIONS, textRefusalOf } from '../../src/questions/cypher/reading-text';
import { testNeo4j } from '../support/neo4j';

let graph: Graph;
beforeAll(() => {
  graph = openGraph(testNeo4j());
});
afterAll(() => closeGraph(graph));

const FOREIGN = /^calls the function apoc\.text\.join; allowed are/;
const USED = /^chooses a database by USE/;

test.each([
  ['at the top', "RETURN apoc.text.join(['a'], ',')", FOREIGN],
  ['in a condition', 'MATCH (n) WHERE n.name = apoc.text.join(n.names) RETURN n', FOREIGN],
  ['in a pattern', 'MATCH (n {name: apoc.text.join([])}) RETURN n', FOREIGN],
  ['in a subquery', 'MATCH (n) CALL (n) { RETURN apoc.text.join([]) AS x } RETURN x', FOREIGN],
  [
    'in a nested subquery',
    'CALL () { CALL () { RETURN apoc.text.join([]) AS x } RETURN x } RETURN x',
    FOREIGN,
  ],
  ['in COLLECT', 'RETURN COLLECT { RETURN apoc.text.join([]) } AS x', FOREIGN],
  ['in EXISTS', 'MATCH (n) WHERE EXISTS { (n) WHERE apoc.text.join([]) } RETURN n', FOREIGN],
  ['in a list', 'RETURN [x IN [1] | apoc.text.join([x])] AS x', FOREIGN],
  ['in a key of an order', 'MATCH (n) RETURN n ORDER BY apoc.text.join([])', FOREIGN],
  ['given to a procedure', 'CALL db.labels(apoc.text.join([])) YIELD label RETURN label', FOREIGN],
  ['with spaces and comments', 'RETURN apoc /* a */ . text // b\n.\u2028join\u00a0([])', FOREIGN],
  ['in backquotes', 'RETURN `apoc`.text.`join`([])', FOREIGN],
  ['in backquotes as a whole', 'RETURN `apoc.text.join`([])', FOREIGN],
  ['by letters that are written otherwise', 'RETURN \\u0061poc.text\\u002ejoin\\u0028[])', FOREIGN],
  ['behind a text that ends in a backslash', "RETURN 'a\\\\', apoc.text.join([]) // '", FOREIGN],
  [
    'behind a quote that is written otherwise',
    "RETURN 'a\\u0027, apoc.text.join([]) // '",
    FOREIGN,
  ],
  ['behind a comment that ends early', 'RETURN /* a */ apoc.text.join([]) /* */', FOREIGN],
  ['behind a comment to the end of its line', 'RETURN // a\rapoc.text.join([])', FOREIGN],
  ['behind a quote within a name', "RETURN 1 AS `'`, apoc.text.join([]) AS `'1`", FOREIGN],
  ['USE at the beginning', 'USE neo4j RETURN 1', USED],
  ['USE behind options', 'CYPHER runtime=slotted USE neo4j RETURN 1', USED],
  ['USE in any case', 'uSe neo4j RETURN 1', USED],
  ['USE behind a comment', '/* a */USE// b\nneo4j RETURN 1', USED],
  ['USE with a name in backquotes', 'USE `neo4j` RETURN 1', USED],
  ['USE with parentheses', "USE(graph.byName('x')) RETURN 1", /graph\.byName|USE/],
  ['USE with a function', 'USE graph.byName($x) RETURN 1', /^calls the function graph\.byName/],
  ['USE in a subquery', 'CALL () { USE neo4j RETURN 1 AS x } RETURN x', USED],
  [
    'USE behind what a subquery imports',
    'WITH 1 AS a CALL { WITH a USE neo4j RETURN 1 AS x } RETURN x',
    USED,
  ],
  ['USE in COLLECT', 'RETURN COLLECT { USE neo4j RETURN 1 } AS x', USED],
  ['USE in a second part', 'RETURN 1 AS x UNION ALL USE neo4j RETURN 2 AS x', USED],
  ['USE by letters that are written otherwise', 'U\\u0053E neo4j RETURN 1', USED],
])('refuses %s', (_where, cypher, refusal) => {
  expect(textRefusalOf(cypher)).toMatch(refusal);
});

test.each([
  ['texts', `RETURN 'apoc.text.join([]) USE neo4j' AS a, "USE apoc.x()" AS b`],
  [
    'texts with quotes of the other kind',
    `RETURN 'it is "apoc.x() USE' AS a, "'apoc.x() USE" AS b`,
  ],
  ['texts with escaped quotes', `RETURN 'it\\'s apoc.x() USE neo4j' AS a`],
  ['texts with escaped backslashes', `RETURN 'C:\\\\users apoc.x() USE neo4j' AS a`],
  ['comments', '/* USE neo4j apoc.x() */ RETURN 1 AS a // USE apoc.x()'],
  ['quotes in comments', "RETURN 1 AS a // it's\n, 2 AS b // don't"],
  ['names in backquotes', 'MATCH (`use`) RETURN `use`.x AS `apoc.x`, `use`.y AS `USE`'],
  [
    'properties',
    'MATCH (n) WHERE n.use = 1 AND n.USE IS NULL RETURN n.use AS a, {use: n.use} AS b',
  ],
  ['labels and types', 'MATCH (n:Use|USE)-[r:USE]->(:!USE&Use) RETURN n'],
  ['parameters', 'WITH $use AS a RETURN a'],
  ['steps of properties before parentheses', 'MATCH (n) WHERE n.flag AND (n.x IN (n.y)) RETURN n'],
  ['ranges', 'WITH [1, 2] AS a RETURN a[0..size(a)] AS b, a[..toInteger(1)] AS c'],
  ['ways of any length', 'MATCH (n)-[*1..3]->(m) RETURN count(m) AS a'],
  [
    "Neo4j's own functions",
    "RETURN date.truncate('day', date()) AS a, DURATION . inDays(date(), date()) AS b",
  ],
  ['functions without a dot', 'RETURN coalesce(toUpper($use), `toLower`($use)) AS a'],
])('admits %s, and Neo4j reads them so', async (_what, cypher) => {
  expect(textRefusalOf(cypher)).toBeNull();
  await expect(ask(graph, `EXPLAIN ${cypher}`, { use: 'x' })).resolves.toEqual([]);
});

test('admits all functions of Neo4j itself but those that lead to other graphs', async () => {
  const rows = await ask(
    graph,
    "SHOW FUNCTIONS YIELD name, isBuiltIn WHERE isBuiltIn AND name CONTAINS '.' RETURN DISTINCT name",
  );
  const known = new Set([...READING_FUNCTIONS].map((name) => name.toLowerCase()));
  const names = rows.map(({ name }) => String(name));
  expect(names.length).toBeGreaterThan(30);
  const others = names.filter((name) => !known.has(name.toLowerCase()));
  expect(others.filter((name) => !name.startsWith('graph.'))).toEqual([]);
});

test('is quick with a query of the largest size', () => {
  const text = `RETURN '${'\\\\'.repeat(49_000)}' AS a`;
  expect(textRefusalOf(text)).toBeNull();
  expect(textRefusalOf(`RETURN ${'`'.repeat(99_000)}`)).toBeNull();
  expect(textRefusalOf(`RETURN ${'a.'.repeat(49_000)}b(1)`)).toMatch(/^calls the function a\.a\./);
});
