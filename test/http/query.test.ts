import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { pushCompany } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
});
afterAll(() => service.close());

const PATH = '/api/v1/query';

const query = (cypher: string, parameters?: object, of = service): supertest.Test =>
  of.post(PATH, { cypher, ...(parameters === undefined ? {} : { parameters }) });

const valueOf = async (cypher: string, parameters?: object): Promise<unknown> => {
  const answer = await query(cypher, parameters);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return (answer.body as { value: unknown }).value;
};

const refusal = async (
  cypher: string,
  parameters?: object,
  of?: ServiceUnderTest,
): Promise<unknown> => {
  const answer = await query(cypher, parameters, of);
  expect(answer.status).toBe(400);
  const { details } = answer.body as { details: { field_violations: object[] }[] };
  return details[0]?.field_violations[0];
};

test('a query is answered by columns and rows', async () => {
  const cypher =
    'MATCH (n:IdpUser) WHERE n.name STARTS WITH $start RETURN n.name AS name, n.is_active AS active ORDER BY name SKIP $skip LIMIT 1';
  expect(await valueOf(cypher, { start: 'N', skip: 0 })).toEqual({
    columns: ['name', 'active'],
    rows: [['Nadia Haddad', true]],
    truncated: false,
    notices: [],
  });
});

test.each([
  ['1', 1],
  ['1.5', 1.5],
  ['9007199254740993', '9007199254740993'],
  ['0.0 / 0.0', 'NaN'],
  ['null', null],
  ["[1, 'a', [true]]", [1, 'a', [true]]],
  ['{a: 1, b: {c: []}}', { a: 1, b: { c: [] } }],
  ["datetime('2024-01-02T03:04:05.006Z')", '2024-01-02T03:04:05.006Z'],
  ["datetime('2024-01-02T03:04:05+02:00')", '2024-01-02T03:04:05+02:00'],
  ["date('2024-01-02')", '2024-01-02'],
  ["localtime('03:04:05')", '03:04:05'],
  ["duration('P1DT2S')", 'P1DT2S'],
  ['point({x: 1, y: 2})', { srid: 7203, x: 1, y: 2 }],
  ['$given', { a: [1, 2.5, 'x', null] }],
])('%s comes as JSON', async (expression, expected) => {
  const value = await valueOf(`RETURN ${expression} AS x`, { given: { a: [1, 2.5, 'x', null] } });
  expect(value).toEqual({ columns: ['x'], rows: [[expected]], truncated: false, notices: [] });
});

test.each([
  [{ date: '2024-02-29' }, 'DATE', '2024-02-29'],
  [{ datetime: '2024-01-02T03:04:05.006Z' }, 'ZONED DATETIME', '2024-01-02T03:04:05.006Z'],
  [{ datetime: '2024-01-02T03:04:05+02:00' }, 'ZONED DATETIME', '2024-01-02T01:04:05Z'],
  [{ duration: 'P1Y2M1W3DT4H5M6.25S' }, 'DURATION', 'P1Y2M10DT4H5M6.250000000S'],
  [{ duration: 'PT90M' }, 'DURATION', 'PT1H30M'],
  [{ integer: '9007199254740993' }, 'INTEGER', '9007199254740993'],
  [{ integer: -7 }, 'INTEGER', -7],
  [{ map: { datetime: 'never' } }, 'MAP', { datetime: 'never' }],
  [{ map: { a: { date: '2024-01-02' } } }, 'MAP', { a: '2024-01-02' }],
  [{ map: 1 }, 'MAP', { map: 1 }],
  [{ date: '2024-01-02', b: 1 }, 'MAP', { date: '2024-01-02', b: 1 }],
  [{ other: 'x' }, 'MAP', { other: 'x' }],
  [{}, 'MAP', {}],
  [[{ date: '2024-01-02' }], 'LIST<DATE NOT NULL>', ['2024-01-02']],
])('the parameter %j is of the type %s', async (given, type, expected) => {
  const value = await valueOf('RETURN valueType($given) AS type, $given AS value', { given });
  expect(value).toMatchObject({ rows: [[`${type} NOT NULL`, expected]], notices: [] });
});

test.each<[unknown]>([[2 ** 53], [{ integer: 2 ** 60 }], [[{ a: -(2 ** 70) }]]])(
  'the parameter %j may have lost digits, and a notice says so',
  async (given) => {
    const value = await valueOf('RETURN $given AS value', { given });
    expect(value).toMatchObject({
      notices: [
        {
          code: 'Grantgraph.ClientNotification.InexactNumber',
          description: expect.stringContaining('$given') as unknown,
        },
      ],
    });
  },
);

test('a time as a parameter is compared with times', async () => {
  const cypher = 'MATCH (push:Push) WHERE push.at >= $since RETURN count(push) AS pushes';
  const pushes = (since: unknown): Promise<unknown> => valueOf(cypher, { since });
  expect(await pushes({ datetime: '2020-01-01T00:00:00Z' })).toMatchObject({
    rows: [[4]],
    notices: [],
  });
  // As a text it finds nothing, and it is told why.
  expect(await pushes('2020-01-01T00:00:00Z')).toMatchObject({
    rows: [[0]],
    notices: [
      {
        code: 'Grantgraph.ClientNotification.TextThatSpellsATime',
        description: expect.stringContaining('$since') as unknown,
        position: null,
      },
    ],
  });
});

test.each([
  [{ a: { datetime: '2024-01-02' } }, '/parameters/a/datetime', /"2024-01-02" is no datetime/],
  [{ a: { datetime: 5 } }, '/parameters/a/datetime', /like "2024-01-31T09:30:00Z"/],
  [{ a: { date: '2023-02-29' } }, '/parameters/a/date', /no date like "2024-01-31"/],
  [{ a: [1, { duration: 'P' }] }, '/parameters/a/1/duration', /no duration like "P1DT2H"/],
  [{ a: { duration: 'P1DT' } }, '/parameters/a/duration', /no duration/],
  [{ 'a/b': { integer: 1.5 } }, '/parameters/a~1b/integer', /"1.5" is no integer/],
  [{ a: { integer: '9223372036854775808' } }, '/parameters/a/integer', /no integer/],
  [{ a: { map: { b: { date: null } } } }, '/parameters/a/map/b/date', /\{"map": \{"date": …\}\}/],
])('the parameters %j are refused where they are wrong', async (given, pointer, description) => {
  expect(await refusal('RETURN 1', given)).toMatchObject({
    pointer,
    code: 'BAD_PARAMETER',
    description: expect.stringMatching(description) as unknown,
  });
});

test('parameters may be nested, but not without end', async () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const asked = (levels: number): supertest.Test =>
    service.post(PATH, `{"cypher": "RETURN 1", "parameters": {"a": ${nested(levels)}}}`);
  expect((await asked(50)).status).toBe(200);
  const refused = await asked(20_000);
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { details: [{ field_violations: [{ code: 'TOO_DEEP' }] }] },
  ]);
});

interface Told {
  readonly code: string;
  readonly position: object | null;
}

const noticesOf = async (cypher: string): Promise<readonly Told[]> =>
  ((await valueOf(cypher)) as { notices: readonly Told[] }).notices;

test.each([
  ['an unknown label', 'MATCH (n:Persn) RETURN n', 'UnknownLabelWarning', [9, 1, 10]],
  [
    'an unknown property',
    'MATCH (n:IdpUser)\nWHERE n.nmae = 1 RETURN n',
    'UnknownPropertyKeyWarning',
    [26, 2, 9],
  ],
  [
    'an unknown type',
    'MATCH (n)-[:MEMBR_OF]->() RETURN n',
    'UnknownRelationshipTypeWarning',
    [12, 1, 13],
  ],
  [
    'a cartesian product',
    'MATCH (a:IdpUser), (b:IdpGroup) RETURN count(*)',
    'CartesianProduct',
    [0, 1, 1],
  ],
  [
    'what is deprecated',
    'MATCH (n:IdpUser) RETURN id(n) LIMIT 1',
    'FeatureDeprecationWarning',
    [25, 1, 26],
  ],
])(
  'Neo4j remarks on %s, and where it stands',
  async (_what, cypher, code, [offset, line, column]) => {
    expect(await noticesOf(cypher)).toContainEqual({
      code: `Neo.ClientNotification.Statement.${code}`,
      severity: expect.stringMatching(/^(WARNING|INFORMATION)$/) as unknown,
      title: expect.stringMatching(/./) as unknown,
      description: expect.stringMatching(/./) as unknown,
      position: { offset, line, column },
    });
  },
);

test('nodes, relationships and paths come with ids by which they fit together', async () => {
  const { rows } = (await valueOf(
    'MATCH way = (n:IdpUser)-[r:MEMBER_OF]->(g:IdpGroup) RETURN n, r, g, way LIMIT 1',
  )) as { rows: { id: string; from: string; to: string }[][] };
  const [node, relationship, group, way] = rows[0] ?? [];
  expect(node).toMatchObject({ labels: expect.arrayContaining(['IdpUser']) as unknown });
  expect(relationship).toMatchObject({ type: 'MEMBER_OF', from: node?.id, to: group?.id });
  expect(way).toEqual({ nodes: [node, group], relationships: [relationship] });
});

test.each([
  ['creates', 'CREATE (n:X) RETURN n'],
  ['sets', 'MATCH (n) SET n.x = 1'],
  ['deletes', 'MATCH (n) DETACH DELETE n'],
  ['deletes inside', 'MATCH (n) CALL (n) { DETACH DELETE n }'],
  ['deletes step by step', 'MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS'],
  ['changes the schema', 'CREATE INDEX x FOR (n:X) ON (n.x)'],
  ['drops what is unique', 'DROP CONSTRAINT idp_user_key'],
  ['makes a user', "CREATE USER x SET PASSWORD 'abcdefghij'"],
  ['changes the password', "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'"],
  ['lists users', 'SHOW USERS'],
  ['lists what others ask', 'SHOW TRANSACTIONS'],
  ['ends what others ask', "TERMINATE TRANSACTIONS 'x'"],
  ['lists settings', 'SHOW SETTINGS'],
  ['reads a file', "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row"],
  ['reads an address', "LOAD CSV FROM 'http://127.0.0.1:1/' AS row RETURN row"],
  [
    'reads a file inside of an expression',
    "RETURN [x IN [1] | COLLECT { LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row }] AS y",
  ],
  [
    'reads a file inside of a condition',
    "MATCH (n) WHERE any(x IN [1] WHERE EXISTS { LOAD CSV FROM 'file:///x' AS row RETURN row }) RETURN n",
  ],
  [
    'reads a file by letters that are written otherwise',
    "RETURN [x IN [1] | COLLECT { \\u004cOAD /* a */ CSV FROM 'file:///x' AS row RETURN row }] AS y",
  ],
  ['lists the configuration', 'CALL dbms.listConfig()'],
  ['calls what is not listed', 'CALL db.info()'],
  [
    'calls what is not listed inside of an expression',
    'RETURN CASE WHEN true THEN COLLECT { CALL db.info() YIELD name RETURN name } END AS x',
  ],
  [
    'calls what is not listed inside of a function',
    'RETURN reduce(a = [], x IN [1] | a + COLLECT { CALL `db`.info() YIELD name RETURN name }) AS x',
  ],
  ['chooses the database', 'USE neo4j RETURN 1'],
  ['chooses another database', 'USE system SHOW USERS'],
  ['chooses a graph by a name', "USE graph.byName('x') RETURN 1"],
  ['chooses the database inside', 'CALL () { use/* a */neo4j RETURN 1 AS x } RETURN x'],
  ['chooses it in a second part', 'RETURN 1 AS x UNION USE\u00a0neo4j RETURN 2 AS x'],
  ['chooses it by letters that are written otherwise', '\\u0055SE neo4j RETURN 1'],
  ['calls a function of others', 'RETURN apoc.util.sleep(1000) AS x'],
  ['calls a function that leads to other graphs', "RETURN graph.byElementId('4:x:1') AS x"],
])('what %s is refused', async (_what, cypher) => {
  const before = await service.counts();
  expect(await refusal(cypher)).toMatchObject({ pointer: '/cypher', code: 'NOT_READING' });
  expect(await service.counts()).toEqual(before);
});

test('procedures that tell of the graph alone can be called', async () => {
  expect(await valueOf('CALL db.labels() YIELD label RETURN count(*) > 3 AS many')).toMatchObject({
    rows: [[true]],
  });
  const inside =
    'RETURN CASE WHEN true THEN COLLECT { CALL db.labels() YIELD label RETURN label } END AS x';
  expect(await valueOf(inside)).toMatchObject({ columns: ['x'] });
});

test.each([
  ['MATCH (n RETURN n', /^Invalid input 'RETURN'.*\(line 1, column 10\)$/],
  ['MATCH (n)\nRETURN m', /^Variable `m` not defined \(line 2, column 8\)$/],
  ['RETURN 1; RETURN 2', /^Expected exactly one statement/],
  ['RETURN 1 / 0', /by zero/],
  ['CALL no.such() YIELD x RETURN x', /no procedure/],
  ['PROFILE RETURN 1', /execution mode/],
])('%s is 400 in the words of Neo4j', async (cypher, description) => {
  expect(await refusal(cypher)).toMatchObject({
    code: 'BAD_CYPHER',
    description: expect.stringMatching(description) as unknown,
  });
});

test('each parameter that is missing is named', async () => {
  const answer = await query('RETURN $b, $given, $a', { given: 1 });
  expect(answer.status).toBe(400);
  const [{ field_violations }] = (answer.body as { details: [{ field_violations: object[] }] })
    .details;
  expect(field_violations).toHaveLength(2);
  for (const name of ['a', 'b']) {
    expect(field_violations).toContainEqual({
      pointer: `/parameters/${name}`,
      field: `parameters.${name}`,
      code: 'MISSING_FIELD',
      description: `the query needs the parameter "${name}"`,
    });
  }
});

test('rows above the limit are cut, and the answer says so', async () => {
  const value = await valueOf('UNWIND range(1, 500) AS x RETURN x');
  expect((value as { rows: unknown[] }).rows).toHaveLength(200);
  expect(value).toMatchObject({ truncated: true, truncated_by: 'LIMIT_QUERY_ROWS' });
  expect(await valueOf('UNWIND range(1, 200) AS x RETURN x')).toMatchObject({ truncated: false });
});

test('rows are read up to a number of bytes, and the answer says so', async () => {
  const text = "reduce(text = 'x', i IN range(1, 13) | text + text)";
  const value = await valueOf(`UNWIND range(1, 150) AS x RETURN x, ${text} AS text`);
  const { rows } = value as { rows: [number, string][] };
  expect(value).toMatchObject({ truncated: true, truncated_by: 'LIMIT_QUERY_BYTES' });
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.length).toBeLessThan(150);
  expect(rows.map(([x, told]) => [x, told.length])).toEqual(
    rows.map((_row, at) => [at + 1, 2 ** 13]),
  );
});

test('of a row that is larger than that no more is read, and it is refused', async () => {
  const enormous = 'RETURN [x IN range(1, 1000000) | x * 1.5] AS all';
  expect(await refusal(enormous)).toMatchObject({
    code: 'BAD_CYPHER',
    description: expect.stringContaining(
      'more than 1000000 bytes: give what it collects as rows',
    ) as unknown,
  });
  expect(await valueOf('RETURN 1 AS x')).toMatchObject({ rows: [[1]] });
});

test('what takes too long is ended', async () => {
  const endless =
    'UNWIND range(1, 100000000) AS a UNWIND range(1, 100000000) AS b RETURN count(a + b)';
  const hasty = await serviceUnderTest({ querySeconds: 1 }, { keep: true });
  expect(await refusal(endless, undefined, hasty)).toMatchObject({
    description: expect.stringContaining('took longer than 1 s') as unknown,
  });
  await hasty.close();
});

test.each([
  [{}, '/cypher', 'MISSING_FIELD'],
  [{ cypher: '' }, '/cypher', 'EMPTY'],
  [{ cypher: 7 }, '/cypher', 'WRONG_TYPE'],
  [{ cypher: 'RETURN 1', parameters: [] }, '/parameters', 'WRONG_TYPE'],
])('%p is 400', async (body, pointer, code) => {
  const answer = await service.post(PATH, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ details: [{ field_violations: [{ pointer, code }] }] });
});

interface Created {
  readonly access_key: string;
}

const keyWith = async (more: object): Promise<string> => {
  const answer = await service.post('/api/preview/teamkeys', { name: 'Analyst', ...more });
  return (answer.body as { value: Created }).value.access_key;
};

describe('a team key', () => {
  const statuses = async (more: object): Promise<readonly number[]> => {
    const key = await keyWith(more);
    const as = (test: supertest.Test): supertest.Test => test.set('authorization', `Bearer ${key}`);
    const request = supertest(service.app);
    const answers = [
      await as(request.post(PATH)).send({ cypher: 'RETURN 1' }),
      await as(request.get('/api/v1/entities')),
      await as(request.get('/api/v1/entities/x')),
      await as(request.get('/api/v1/access?principal=x')),
      await as(request.get('/api/v1/access:check?principal=x')),
      await as(request.get('/api/v1/access:explain?principal=x')),
      await as(request.get('/api/v1/reviewers?principal=x')),
    ];
    return answers.map(({ status }) => status);
  };

  test('that reads may ask everything but queries of its own', async () => {
    expect(await statuses({ scopes: ['read'] })).toEqual([403, 200, 404, 404, 400, 400, 404]);
    expect(await statuses({ scopes: ['admin'] })).toEqual([403, 200, 404, 404, 400, 400, 404]);
  });

  test('with the scope of queries may run them, and nothing else', async () => {
    expect(await statuses({ scopes: ['cypher'] })).toEqual([200, ...Array<number>(6).fill(403)]);
  });

  test('that pushes alone may ask nothing', async () => {
    expect(await statuses({ scopes: ['push'] })).toEqual(Array(7).fill(403));
  });

  test('that is limited to providers may ask nothing that shows others', async () => {
    const { id } = await service.register();
    expect(await statuses({ scopes: ['read', 'cypher'], providers: [id] })).toEqual(
      Array(7).fill(403),
    );
  });

  test('is not told by a query: the graph has its hash alone', async () => {
    const key = await keyWith({});
    const all = await ask(service.graph, 'MATCH (n) RETURN properties(n) AS properties');
    expect(JSON.stringify(all)).not.toContain(key);
    const answer = await query('MATCH (n:TeamKey) RETURN n');
    expect(answer.text).not.toContain(key);
  });
});

// schemathesis sent such a query, and was told to push in parts.
test('a query above 1 MiB is 413', async () => {
  const answer = await query(`RETURN "${'x'.repeat(1024 ** 2)}"`);
  expect([answer.status, (answer.body as { message: unknown }).message]).toEqual([
    413,
    'The body is larger than the 1048576 bytes that this path takes.',
  ]);
});
