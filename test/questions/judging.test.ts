import { readdirSync, readFileSync } from 'node:fs';
import { judge } from '../../src/questions/cypher/judging/judge';

const SAVED = readdirSync('cypher/queries', { recursive: true })
  .map(String)
  .filter((n) => n.endsWith('.cypher'))
  .map((n) => 'cypher/queries/' + n);

test.each(SAVED)('%s passes', (file) => {
  expect(judge(readFileSync(file, 'utf8'), {})).toEqual({ _tag: 'Passed' });
});

test.each([
  ['RETURN reduce(sum = 0, x IN range(1, 9000000000) | sum + x) AS y'],
  ['RETURN size([x IN range(1, 9000000000) | x]) AS y'],
  ["RETURN any(x IN range(1, toInteger('9000000000')) WHERE x < 0) AS y"],
  ['WITH range(1, 100000000) AS xs RETURN 5 IN xs AS y'],
  ['WITH range(1, 20000) AS xs RETURN [x IN xs | size([y IN xs WHERE y = x])] AS y'],
  [
    'UNWIND range(1, 100) AS a WITH collect(a) AS xs RETURN size([x IN xs | [y IN xs | [z IN xs | 1]]]) AS n',
  ],
  ['RETURN size([x IN range(0, 9000000000) WHERE EXISTS { RETURN 1 } | x]) AS n'],
  ["RETURN 'aaaa' =~ '(.*a){12}$' AS y"],
  ["RETURN 'aaaa' =~ '(a|a)*b' AS y"],
  ["RETURN 'aaaa' =~ '.*a.*a.*a.*b' AS y"],
  ["RETURN 'aaaa' =~ 'a{2}{3}{4}{5}b' AS y"],
  ["RETURN 'aaaa' =~ '(?x)(a* ) *b' AS y"],
  ['MATCH (n) WHERE n.name =~ n.other RETURN n'],
  ["MATCH (n) WHERE 'x' =~ ('(.*a)' + '{12}') RETURN n"],
  ['MATCH (n) WHERE n.name =~ $evil RETURN n'],
  [`RETURN ${'('.repeat(5000)}1${')'.repeat(5000)} AS y`],
  [`RETURN ${'NOT '.repeat(5000)}true AS y`],
  [`RETURN ${'- '.repeat(5000)}1 AS y`],
  [`RETURN 1${' + 1'.repeat(5000)} AS y`],
  [`RETURN true${' AND true'.repeat(5000)} AS y`],
  [`RETURN ${'CASE WHEN true THEN '.repeat(500)}1${' END'.repeat(500)} AS y`],
  [`RETURN x${'.x'.repeat(5000)} AS y`],
  ["RETURN reduce(t = 'x', i IN range(1, 40) | t + t) AS y"],
  ["RETURN size(reduce(t = 'x', i IN range(1, 30) | t + t)) AS y"],
  ["RETURN size(reduce(t = 'x', i IN range(1, 30) | t || t)) AS y"],
  ["RETURN reduce(t = 'x', i IN range(1, 40) | replace(t, 'x', 'xx')) AS y"],
  ["RETURN reduce(t = 'x', i IN range(1, 100) | replace(t, 'x', 'xx')) AS y"],
  ["RETURN reduce(l = ['x'], i IN range(1, 100) | l + l) AS y"],
  ["RETURN size(reduce(l = ['x'], i IN range(1, 30) | l + l)) AS y"],
  ['RETURN [x IN range(1, 900) | reduce(l = [1], i IN range(1, 19) | l + l)] AS y'],
  ['RETURN reduce(l = [[]], i IN range(1, 40) | l + [l]) AS y'],
  [`WITH 'x' AS x ${'WITH x + x AS x '.repeat(40)} RETURN size(x) AS y`],
  [`WITH ['x'] AS x ${'WITH x + x AS x '.repeat(40)} RETURN size(x) AS y`],
  [`WITH ['x'] AS x ${'WITH [x, x] AS x '.repeat(40)} RETURN x = x AS y`],
  [`WITH {a: 1} AS x ${'WITH {a: x, b: x} AS x '.repeat(40)} RETURN x = x AS y`],
  ["MATCH (n) WITH collect(n.name) AS names RETURN reduce(t = '', name IN names | t + name) AS y"],
  [
    "RETURN reduce(m = {a: 'x', b: '', c: ''}, i IN range(1, 90) | {a: m.b, b: m.c, c: m.a + m.a}) AS y",
  ],
  [
    "RETURN reduce(m = {a: 'x', b: '', c: ''}, i IN range(1, 9000) | {a: m.b, b: m.c, c: m.a + m.a}) AS y",
  ],
  ["RETURN split(reduce(t = 'x', i IN range(1, 22) | t + t), 'x') AS y"],
  ["CALL () { RETURN reduce(t = 'x', i IN range(1, 30) | t + t) AS t } RETURN size(t) AS y"],
  ["MATCH (n {name: reduce(t = 'x', i IN range(1, 30) | t + t)}) RETURN n"],
  ['MATCH (n)-[r:X {a: size([x IN range(1, 9000000000) | x])}]->() RETURN n'],
  ['MATCH (n WHERE any(x IN range(1, 9000000000) WHERE x < 0)) RETURN n'],
  ['MATCH (n)((a)-->(b) WHERE any(x IN range(1, 9000000000) WHERE x < 0)){1,3}() RETURN n'],
  ['MATCH (n) RETURN [(n)-->(m) | size([x IN range(1, 9000000000) | x])] AS y'],
  ['MATCH (n) RETURN n {.name, a: [x IN range(1, 9000000000) | x]} AS y'],
  ['MATCH (n) RETURN n ORDER BY size([x IN range(1, 9000000000) | x])'],
  ['MATCH (n) RETURN n LIMIT size([x IN range(1, 9000000000) | x])'],
  ['MATCH (n) RETURN CASE n.a WHEN size([x IN range(1, 9000000000) | x]) THEN 1 END AS y'],
  ['WITH $many AS xs RETURN size([x IN xs | [y IN xs | [z IN xs | 1]]]) AS y'],
  ['RETURN range(1, 900000000) AS y'],
])('%s is refused', (cypher) => {
  const parameters = { evil: '(.*a){12}$', many: Array(2000).fill(1) };
  expect(judge(cypher, parameters)).toMatchObject({ _tag: 'Refused' });
});

test.each([
  ["MATCH (n:IdpUser) WHERE n.name =~ '(?i).*admin.*' RETURN n"],
  ['MATCH (n:IdpUser) WHERE n.name =~ $p RETURN n'],
  ["MATCH (n) WHERE n.email =~ '^[a-z.]+@(example|test)\\\\.com$' RETURN n"],
  ['UNWIND range(1, 1000000000) AS x RETURN count(x)'],
  ['UNWIND range(0, size($many) - 1) AS i RETURN $many[i]'],
  ["MATCH (n) WITH collect(n) AS all RETURN [x IN all WHERE x.name STARTS WITH 'a' | x.name] AS y"],
  ['MATCH (n) WITH collect(n) AS all RETURN [i IN range(0, size(all) - 1) | all[i].name] AS y'],
  ['MATCH p = (a)-[*1..5]->(b) RETURN [n IN nodes(p) | n.name] AS names, length(p)'],
  [
    'MATCH p = shortestPath((a)-[*..5]->(b)) WHERE all(n IN nodes(p) WHERE n.name IS NOT NULL) RETURN p',
  ],
  [
    'MATCH (n:A|B&!C) WHERE n:A|B RETURN n, [x IN labels(n) WHERE n:A|B | x] AS l, [x IN [n] WHERE x:A | x.name]',
  ],
  ['MATCH (a) WHERE NOT (a)-[:X]->() AND (a)--(:B) AND (a)<-[:C]-() RETURN (1) - 2, (a.x)-3 AS d'],
  ['RETURN 1 <- 2 AS x, 3 - -4 AS y, 1.5e-3 AS z, .5 AS w, 0xFF AS h, -1 ^ 2 AS p'],
  [
    'MATCH (n) RETURN n.a IS :: LIST<INTEGER NOT NULL> AS x, n.b IS NOT NULL AS y, n IS NOT :: STRING | INTEGER AS z',
  ],
  [
    'MATCH (n) RETURN DISTINCT n {.*, also: n.x} AS m, count(*) AS c ORDER BY c DESC, n.name SKIP 1 LIMIT 10',
  ],
  [
    'MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN count(m) AS c UNION ALL RETURN 0 AS c } RETURN n, c',
  ],
  ["CALL db.labels() YIELD label WHERE label STARTS WITH 'I' RETURN label"],
  ['CALL db.labels'],
  ['CYPHER 5 RETURN 1 AS x'],
  ["MATCH (n) RETURN CASE n.x WHEN 1 THEN 'a' WHEN 2, 3 THEN 'b' ELSE 'c' END AS y"],
  [
    "RETURN trim(BOTH ' ' FROM ' x ') AS a, normalize('x', NFKC) AS b, date('2024-01-01') + duration('P1D') AS c",
  ],
  [
    'MATCH (a:A) OPTIONAL MATCH (a)-[r:X*0..3]->(b:B {name: $p}) RETURN a, collect(DISTINCT b.name)[..10] AS names',
  ],
  ['MATCH SHORTEST 1 (a)-[:X]->+(b) RETURN a, b'],
  ['MATCH p = ALL SHORTEST (a)((x)-[:X]->(y)){1,5}(b) RETURN [n IN x | n.name] AS names'],
  [
    'RETURN EXISTS { (a)-->(b) WHERE a.x = 1 } AS x, COUNT { MATCH (n) } AS y, COLLECT { MATCH (n) RETURN n.name LIMIT 3 } AS z',
  ],
])('%s passes', (cypher) => {
  expect(judge(cypher, { p: '.*x', many: Array(2000).fill(1) })).toEqual({ _tag: 'Passed' });
});
