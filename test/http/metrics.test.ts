import supertest from 'supertest';

import { BUILD } from '../../src/build';
import { ask } from '../../src/neo4j/ask';
import {
  COUNT_NODES,
  COUNT_ALL_PAST,
  COUNT_RELATIONSHIPS,
  graphFigures,
} from '../../src/graph/records/figures';
import { testNeo4j } from '../support/neo4j';
import { breakableProxy } from './breakable-proxy';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;

beforeEach(async () => {
  service = await serviceUnderTest();
});
afterEach(() => service.close());

const lines = async (of = service): Promise<readonly string[]> => {
  const { status, headers, text } = await of.send('get', '/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=/);
  return text.split('\n');
};

test('pushes are counted by how they end, with what they wrote and where the time went', async () => {
  const { id, data_source_id, path } = await service.register();
  const push = (users: readonly object[]) =>
    service.post(path, {
      id,
      data_source_id,
      json_data: JSON.stringify({ domains: [{ name: 'd' }], users }),
    });
  for (const users of [[{ name: 'ann' }], [{ name: 'ann' }], [{ name: '' }], []]) await push(users);
  const told = await lines();
  const pushes = 'grantgraph_pushes_total{template="identity_provider",outcome=';
  const written = 'grantgraph_push_written_total{template="identity_provider",what="nodes",change=';
  expect(told).toEqual(
    expect.arrayContaining([
      `${pushes}"accepted"} 2`,
      `${pushes}"unchanged"} 1`,
      `${pushes}"refused"} 1`,
      `${written}"put"} 2`,
      `${written}"removed"} 1`,
      'grantgraph_neo4j_up 1',
      'grantgraph_event_streams 0',
    ]),
  );
  expect(told.join('\n')).toMatch(
    /grantgraph_push_step_seconds_total\{template="identity_provider",step="write"\} \d+\.\d/,
  );
});

test('requests are counted by route, so that ids make no series', async () => {
  const { id } = await service.register();
  await service.send('get', `/api/v1/providers/custom/${id}`);
  await service.send('get', '/api/v1/providers/custom/nobody');
  await service.send('get', '/no/such/path');
  const count = (route: string, status: number): string =>
    `grantgraph_http_request_seconds_count{method="GET",route="${route}",status="${status}"} 1`;
  const told = await lines();
  expect(told).toEqual(
    expect.arrayContaining([
      count('/api/v1/providers/custom/:providerId', 200),
      count('/api/v1/providers/custom/:providerId', 404),
      count('none', 404),
    ]),
  );
  expect(told.join('\n')).not.toContain(id);
});

test('they tell when Neo4j is down', async () => {
  const proxy = await breakableProxy(testNeo4j().uri);
  const cut = await serviceUnderTest({}, { uri: `bolt://127.0.0.1:${proxy.port}`, keep: true });
  await proxy.cut();
  const told = await lines(cut);
  expect(told).toContain('grantgraph_neo4j_up 0');
  expect(told.join('\n')).not.toMatch(/^grantgraph_graph_nodes /m);
  await cut.close();
});

test('a key is needed, and one that may read', async () => {
  expect((await supertest(service.app).get('/metrics')).status).toBe(401);
  const keyed = async (scopes: readonly string[], providers: readonly string[] = []) => {
    const made = await service.post('/api/preview/teamkeys', { name: 'k', scopes, providers });
    const { access_key } = (made.body as { value: { access_key: string } }).value;
    const request = supertest(service.app).get('/metrics');
    return (await request.set('authorization', `Bearer ${access_key}`)).status;
  };
  expect(await keyed(['read'])).toBe(200);
  expect(await keyed(['push'])).toBe(403);
  const { id } = await service.register();
  expect(await keyed(['read'], [id])).toBe(403);
});

test('they tell how large the graph is, how old its data are, and what runs', async () => {
  const { id, data_source_id, path } = await service.register();
  const before = (await lines()).join('\n');
  expect(before).not.toMatch(/^grantgraph_data_source_last_push_age_seconds\{/m);
  for (const name of ['a', 'b']) {
    const pushed = { domains: [{ name: 'd' }], users: [{ name, identity: name }] };
    const json_data = JSON.stringify(pushed);
    expect((await service.post(path, { id, data_source_id, json_data })).status).toBe(200);
  }
  const told = await lines();
  const [{ nodes, past, relationships } = {}] = await ask(
    service.graph,
    `RETURN COUNT { MATCH (n) WHERE NOT n:Past } AS nodes, COUNT { MATCH (n:Past) } AS past,
      COUNT { MATCH ()-->() } AS relationships`,
  );
  expect(past).toBeGreaterThan(0);
  expect(told).toContain(`grantgraph_graph_nodes ${String(nodes)}`);
  expect(told).toContain(`grantgraph_graph_relationships ${String(relationships)}`);
  expect(told).toContain(`grantgraph_history_facts ${String(past)}`);
  expect(told.join('\n')).toMatch(/^grantgraph_access_changes_delay_seconds \d/m);
  expect(told).toContain(
    `grantgraph_build_info{version="${BUILD.version}",commit="unknown",rules_version="${BUILD.rulesVersion}"} 1`,
  );
  const provider = (await service.send('get', `/api/v1/providers/custom/${id}`)).body as {
    readonly value: { readonly name: string };
  };
  expect(told.join('\n')).toMatch(
    new RegExp(
      `^grantgraph_data_source_last_push_age_seconds\\{provider="${provider.value.name}",data_source="[^"]+"\\} \\d`,
      'm',
    ),
  );
});

test.each([
  [COUNT_NODES, 'NodeCountFromCountStore'],
  [COUNT_RELATIONSHIPS, 'RelationshipCountFromCountStore'],
  [COUNT_ALL_PAST, 'NodeCountFromCountStore'],
])('the size costs nothing, however large: %s', async (statement, operator) => {
  const session = service.graph.driver.session();
  const { summary } = await session.run(`EXPLAIN ${statement}`);
  await session.close();
  expect(JSON.stringify(summary.plan)).toContain(operator);
});

test('the graph is asked once in a while, however often the figures are wanted', async () => {
  const figures = graphFigures(service.graph, 3600);
  const first = await figures();
  await service.register();
  expect(await figures()).toBe(first);
});
