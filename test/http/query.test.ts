import supertest from 'supertest';

import { ask } from '../../src/graph/connection/ask';
import { pushCompany } from './company';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await serviceUnderTest();
  await pushCompany(service);
});
afterAll(() => service.close());

const PATH = '/api/v1/query';

const query = (cypher: string, parameters?: object): supertest.Test =>
  service.post(PATH, { cypher, ...(parameters === undefined ? {} : { parameters }) });

const valueOf = async (cypher: string, parameters?: object): Promise<unknown> => {
  const answer = await query(cypher, parameters);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return (answer.body as { value: unknown }).value;
};

const refusal = async (cypher: string, parameters?: object): Promise<unknown> => {
  const answer = await query(cypher, parameters);
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
  expect(value).toEqual({ columns: ['x'], rows: [[expected]], truncated: false });
});

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
  ['RETURN $missing', /^Expected parameter\(s\): missing$/],
  ['RETURN 1 / 0', /by zero/],
  ['CALL no.such() YIELD x RETURN x', /no procedure/],
  ['PROFILE RETURN 1', /execution mode/],
])('%s is 400 in the words of Neo4j', async (cypher, description) => {
  expect(await refusal(cypher)).toMatchObject({
    code: 'BAD_CYPHER',
    description: expect.stringMatching(description) as unknown,
  });
});

test('rows above the limit are cut, and it is told', async () => {
  const value = await valueOf('UNWIND range(1, 500) AS x RETURN x');
  expect((value as { rows: unknown[] }).rows).toHaveLength(200);
  expect(value).toMatchObject({ truncated: true, truncated_by: 'LIMIT_QUERY_ROWS' });
  expect(await valueOf('UNWIND range(1, 200) AS x RETURN x')).toMatchObject({ truncated: false });
});

test('rows are read up to a number of bytes, and it is told', async () => {
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
    description: expect.stringContaining('more than 1000000 bytes (LIMIT_QUERY_BYTES)') as unknown,
  });
  expect(await valueOf('RETURN 1 AS x')).toMatchObject({ rows: [[1]] });
});

test('what takes too long is ended', async () => {
  const endless =
    'UNWIND range(1, 100000000) AS a UNWIND range(1, 100000000) AS b RETURN count(a + b)';
  expect(await refusal(endless)).toMatchObject({
    description: expect.stringContaining('took longer than 2 s') as unknown,
  });
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

  test('that reads may ask everything, queries too', async () => {
    expect(await statuses({ scopes: ['read'] })).toEqual([200, 200, 404, 404, 400, 400, 404]);
  });

  test('that pushes alone may ask nothing', async () => {
    expect(await statuses({ scopes: ['push'] })).toEqual(Array(7).fill(403));
  });

  test('that is limited to providers may ask nothing that shows others', async () => {
    const { id } = await service.register();
    expect(await statuses({ scopes: ['read'], providers: [id] })).toEqual(Array(7).fill(403));
  });

  test('is not told by a query: the graph has its hash alone', async () => {
    const key = await keyWith({});
    const all = await ask(service.graph, 'MATCH (n) RETURN properties(n) AS properties');
    expect(JSON.stringify(all)).not.toContain(key);
    const answer = await query('MATCH (n:TeamKey) RETURN n');
    expect(answer.text).not.toContain(key);
  });
});
