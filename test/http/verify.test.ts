/** @more pushes */

import supertest from 'supertest';

import { ask } from '../../src/neo4j/ask';
import { dumpGraph } from '../support/graph-dump';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let directory: RegisteredIds;
let wiki: RegisteredIds;

const LISTED = 6;

const people = {
  idp_type: 'ldap',
  domains: [{ name: 'corp' }],
  users: [
    { name: 'ann', email: 'ann@x', tags: [{ key: 'level', value: 'high' }] },
    { name: 'bob', groups: [{ identity: 'staff' }], manager_id: 'ann' },
    { name: 'cid', entities_owned: [{ node_type: 'page', id: 'home' }] },
  ],
  groups: [{ name: 'staff' }, { name: 'board' }],
};

const application = {
  applications: [
    {
      name: 'wiki',
      application_type: 'wiki',
      local_users: [{ name: 'ann', identities: ['ann@x'] }],
      resources: [
        {
          name: 'home',
          resource_type: 'page',
          sub_resources: [{ name: 'a', resource_type: 'page' }],
        },
      ],
    },
  ],
};

const push = ({ path, ...ids }: RegisteredIds, payload: object) =>
  service.post(path, { ...ids, json_data: JSON.stringify(payload) });

const pushBoth = async (): Promise<void> => {
  expect((await push(directory, people)).status).toBe(200);
  expect((await push(wiki, application)).status).toBe(200);
};

beforeAll(async () => {
  service = await serviceUnderTest({ listedChanges: LISTED });
});
afterAll(() => service.close());
beforeEach(async () => {
  for (const { path } of [directory, wiki].filter((ids) => ids !== undefined)) {
    await service.send('delete', path.replace(/:push$/, ''));
  }
  directory = await service.register('identity_provider');
  wiki = await service.register('application');
  await pushBoth();
});

interface Finding {
  readonly what: string;
  readonly remedy: string;
  readonly node?: { readonly id: string | null } | null;
  readonly property?: string;
  readonly relationship?: {
    readonly type: string;
    readonly from: { readonly id: string | null } | null;
    readonly to: { readonly id: string | null } | null;
  };
}

interface Body {
  readonly sound: boolean;
  readonly rows: object;
  readonly digest: object;
  readonly findings: {
    readonly total: number;
    readonly truncated: boolean;
    readonly values: readonly Finding[];
  };
}

const verify = async ({ path }: RegisteredIds, query = ''): Promise<Body> => {
  const answer = await service.post(path.replace(/:push$/, `:verify${query}`), {});
  expect(answer.status).toBe(200);
  return answer.body as Body;
};

/** Does something by hand; `$ds` and `$app` are the data sources. */
const byHand = (cypher: string): Promise<unknown> =>
  service.graph.driver.executeQuery(
    cypher,
    { ds: directory.data_source_id, app: wiki.data_source_id },
    { database: service.graph.database },
  );

/** The graph without dates: what is put right is dated anew. */
const graph = async (): Promise<string> => {
  const dump = await dumpGraph({ ask: (...asked) => ask(service.graph, ...asked) });
  return JSON.stringify(dump, null, 1).replace(/"(since|changed)": "\d[^"]*"/g, '"$1": "…"');
};

const told = ({ what, remedy, node, property, relationship }: Finding): string =>
  [
    what,
    node?.id?.replace(/^[-0-9a-f]{36}\|/, ''),
    property,
    relationship &&
      [relationship.from, relationship.to]
        .map((end) => end?.id?.replace(/^[-0-9a-f]{36}\|/, ''))
        .join(` -${relationship.type}-> `),
    remedy === 'REPAIR' ? undefined : remedy,
  ]
    .filter((part) => part !== undefined)
    .join(' ');

test('what pushes left is sound', async () => {
  for (const ids of [directory, wiki]) {
    expect(await verify(ids)).toMatchObject({
      sound: true,
      repaired: false,
      hashes_checked: true,
      findings: { total: 0, next_full_push: 0, truncated: false, values: [] },
    });
  }
});

test('accounts of people stay theirs: a repair removes nothing that the service itself wrote', async () => {
  await byHand(
    `MATCH ${BOB} CREATE (:ManagedAccount {key: 'app|' + n.key, person: n.key, isOfTest: true})-[:ACCOUNT_OF]->(n)`,
  );
  expect(await verify(directory, '?repair=true')).toMatchObject({ sound: true });
  const accounts =
    'MATCH (a:ManagedAccount {isOfTest: true})-[:ACCOUNT_OF]->(n) RETURN n.name AS of';
  expect(await ask(service.graph, accounts)).toEqual([{ of: 'bob' }]);
  await byHand('MATCH (a:ManagedAccount {isOfTest: true}) DETACH DELETE a');
});

const ANN = '(n:IdpUser {key: $ds + "|IdpUser|ann"})';
const BOB = '(n:IdpUser {key: $ds + "|IdpUser|bob"})';
const CORP = '(d:IdpDomain {key: $ds + "|IdpDomain|corp"})';

// What is done by hand to the directory, and what is found there.
test.each<readonly [string, string, readonly string[]]>([
  [
    'a property',
    `MATCH ${ANN} SET n.email = 'eve@x'`,
    [
      'CONTENT_CHANGED IdpUser|ann NEXT_FULL_PUSH',
      'PROPERTY_CHANGED IdpUser|ann fold_email',
      'DERIVED_SUPERFLUOUS IdpUser|ann -KNOWN_AS-> Identity|ann@x',
    ],
  ],
  [
    'a property taken off',
    `MATCH ${BOB} REMOVE n.domain`,
    ['CONTENT_CHANGED IdpUser|bob NEXT_FULL_PUSH'],
  ],
  [
    'a property that nothing has',
    `MATCH ${ANN} SET n.colour = 'red'`,
    ['PROPERTY_ADDED IdpUser|ann colour'],
  ],
  [
    'a custom property',
    `MATCH ${ANN} SET n.customprop_colour = 'red'`,
    ['CONTENT_CHANGED IdpUser|ann NEXT_FULL_PUSH'],
  ],
  ['a date', `MATCH ${ANN} SET n.since = 'long ago'`, ['PROPERTY_CHANGED IdpUser|ann since']],
  [
    'the data source',
    `MATCH ${ANN} SET n.data_source = $app`,
    ['PROPERTY_CHANGED IdpUser|ann data_source'],
  ],
  [
    'a look-up',
    `MATCH ${BOB} REMOVE n.fold_manager_id`,
    ['PROPERTY_CHANGED IdpUser|bob fold_manager_id'],
  ],
  [
    'a hash',
    `MATCH ${BOB} SET n.row_hash = 'none'`,
    ['CONTENT_CHANGED IdpUser|bob NEXT_FULL_PUSH'],
  ],
  ['a label', `MATCH ${BOB} SET n:Leaver`, ['LABELS_CHANGED IdpUser|bob']],
  ['a label taken off', `MATCH ${BOB} REMOVE n:Principal`, ['LABELS_CHANGED IdpUser|bob']],
  [
    'the label of the kind taken off',
    `MATCH ${BOB} REMOVE n:IdpUser`,
    ['LABELS_CHANGED IdpUser|bob'],
  ],
  [
    'a node',
    `CREATE (:IdpUser {key: $ds + '|IdpUser|eve', data_source: $ds, name: 'eve'})`,
    ['NODE_ADDED IdpUser|eve'],
  ],
  [
    'a node of another label',
    `CREATE (:Robot {key: 'robot', data_source: $ds})`,
    ['NODE_ADDED robot'],
  ],
  ['a node without a key', `CREATE (:Robot {data_source: $ds})`, ['NODE_ADDED']],
  [
    'a relationship',
    `MATCH ${ANN} MATCH (g:IdpGroup {key: $ds + '|IdpGroup|staff'}) CREATE (n)-[:MEMBER_OF {since: datetime()}]->(g)`,
    ['CONTENT_CHANGED IdpUser|ann NEXT_FULL_PUSH'],
  ],
  [
    'a relationship a second time',
    `MATCH ${BOB}-[r:MEMBER_OF]->(g) CREATE (n)-[:MEMBER_OF {since: r.since}]->(g)`,
    ['RELATIONSHIP_ADDED IdpUser|bob IdpUser|bob -MEMBER_OF-> IdpGroup|staff'],
  ],
  [
    'a relationship taken off',
    `MATCH ${BOB}-[r:MEMBER_OF]->() DELETE r`,
    ['CONTENT_CHANGED IdpUser|bob NEXT_FULL_PUSH'],
  ],
  [
    'a relationship of no kind',
    `MATCH ${BOB} MATCH ${CORP} CREATE (n)-[:LIKES]->(d)`,
    ['RELATIONSHIP_ADDED IdpDomain|corp IdpUser|bob -LIKES-> IdpDomain|corp'],
  ],
  [
    "a relationship's property",
    `MATCH ${BOB}-[r:MEMBER_OF]->() SET r.note = 'why'`,
    ['PROPERTY_ADDED IdpUser|bob note IdpUser|bob -MEMBER_OF-> IdpGroup|staff'],
  ],
  [
    "a relationship's date",
    `MATCH ${BOB}-[r:MEMBER_OF]->() REMOVE r.since`,
    ['RELATIONSHIP_UNDATED IdpUser|bob -MEMBER_OF-> IdpGroup|staff'],
  ],
  [
    'a tag',
    `MATCH ${BOB} MATCH (t:Tag {key: 'Tag|level|high'}) CREATE (n)-[:TAGGED]->(t)`,
    ['RELATIONSHIP_ADDED IdpUser|bob IdpUser|bob -TAGGED-> Tag|level|high'],
  ],
  [
    'what is derived',
    `MATCH ${BOB} MATCH (i:Identity) CREATE (n)-[:KNOWN_AS]->(i)`,
    ['DERIVED_SUPERFLUOUS IdpUser|bob -KNOWN_AS-> Identity|ann@x'],
  ],
  [
    'what is derived taken off',
    `MATCH ${ANN}-[r:KNOWN_AS]->() DELETE r`,
    ['DERIVED_MISSING IdpUser|ann -KNOWN_AS-> Identity|ann@x'],
  ],
  [
    'what is derived a second time',
    `MATCH ${ANN}-[r:KNOWN_AS]->(i) CREATE (n)-[:KNOWN_AS {since: r.since}]->(i)`,
    ['DERIVED_SUPERFLUOUS IdpUser|ann -KNOWN_AS-> Identity|ann@x'],
  ],
  [
    'managers',
    `MATCH (r:Resource)-[m:SYSTEM_resource_managers]->() DELETE m`,
    ['DERIVED_MISSING Resource|wiki|/page|home -SYSTEM_resource_managers-> IdpUser|cid'],
  ],
  [
    'what a shared node says',
    `MATCH (t:Tag {key: 'Tag|level|high'}) SET t.value = 'low', t.colour = 'red'`,
    ['PROPERTY_CHANGED Tag|level|high value', 'PROPERTY_ADDED Tag|level|high colour'],
  ],
  [
    'the label of all rows taken off',
    `MATCH ${BOB} REMOVE n:Entity`,
    ['LABELS_CHANGED IdpUser|bob'],
  ],
  [
    'the label of the kind of a shared node taken off',
    `MATCH (t:Tag {key: 'Tag|level|high'}) REMOVE t:Tag`,
    ['LABELS_CHANGED Tag|level|high'],
  ],
  [
    'the label of all taken off a shared node',
    `MATCH (t:Tag {key: 'Tag|level|high'}) REMOVE t:Entity`,
    ['LABELS_CHANGED Tag|level|high'],
  ],
  [
    'a shared node',
    `CREATE (:Tag:Entity {key: 'Tag|by|hand', name: 'by', value: 'hand'})`,
    ['SHARED_ORPHANED Tag|by|hand'],
  ],
  [
    'a shared node that lacks a label',
    `CREATE (:Tag {key: 'Tag|by|hand', name: 'by', value: 'hand'})`,
    ['LABELS_CHANGED Tag|by|hand', 'SHARED_ORPHANED Tag|by|hand'],
  ],
  [
    'a shared node that lacks a label, and is there already',
    `CREATE (:Tag {key: 'Tag|level|high', name: 'level', value: 'high'})`,
    ['NODE_ADDED Tag|level|high'],
  ],
])(
  '%s changed by hand is found, repaired, and what is left is told to the next full push',
  async (_what, cypher, expected) => {
    const before = await graph();
    await byHand(cypher);
    const damaged = await graph();
    expect(damaged).not.toBe(before);

    const found = await verify(directory);
    expect(found.findings.values.map(told).toSorted()).toEqual(expected.toSorted());
    expect(found).toMatchObject({ sound: false, repaired: false });
    expect(await graph()).toBe(damaged);

    const repaired = await verify(directory, '?repair=true');
    expect(repaired.findings).toEqual(found.findings);
    expect((await push(directory, people)).status).toBe(200);
    expect(await graph()).toBe(before);
    expect(await verify(directory)).toMatchObject({ sound: true });
  },
);

test('a node that is gone is counted, for nothing tells which it was; the next full push brings it back', async () => {
  const before = await graph();
  await byHand(`MATCH ${ANN} DETACH DELETE n`);
  // Until then the push is taken for what stands.
  expect((await push(directory, people)).body).toMatchObject({ unchanged: true });
  const { rows, digest } = await verify(directory, '?repair=True');
  expect(rows).toEqual({ recorded: 6, found: 5, gone: 1 });
  expect(Object.keys(digest)).toEqual(['recorded', 'found']);
  const again = await push(directory, people);
  expect(again.body).toMatchObject({ unchanged: false, put: { nodes: 1 } });
  expect(await graph()).toBe(before);
});

test('a row whose hash is no hash does not stop pushes', async () => {
  await byHand(`MATCH ${ANN} REMOVE n.row_hash`);
  await byHand(`MATCH ${BOB} SET n.row_hash = 7`);
  const payload = { ...people, groups: [...people.groups, { name: 'new' }] };
  const answer = await push(directory, payload);
  expect(answer.body).toMatchObject({ unchanged: false, put: { nodes: 3 } });
  expect(await verify(directory)).toMatchObject({ sound: true });
});

test('hashes that other rules made are not checked, all else is', async () => {
  await byHand('MATCH (d:DataSource {key: $ds}) SET d.rules_version = 0');
  await byHand(`MATCH ${ANN} SET n.name = 'eve', n:Leaver`);
  const { findings } = await verify(directory);
  expect(findings.values.map(told)).toContain('LABELS_CHANGED IdpUser|ann');
  expect(findings.values.map(({ what }) => what)).not.toContain('CONTENT_CHANGED');
  expect(await verify(directory)).toMatchObject({ hashes_checked: false });
});

test('a list of findings that is cut says so', async () => {
  await byHand('MATCH (n {data_source: $ds}) SET n.colour = "red", n.size = "large"');
  expect(await verify(directory)).toMatchObject({
    findings: {
      total: 12,
      truncated: true,
      values: Array(LISTED).fill(expect.anything()) as unknown[],
    },
  });
});

test('a repair is an event, a verification is none', async () => {
  const latest = async (): Promise<unknown> => {
    const answer = await service.send('get', '/api/v1/events?page_size=1');
    return (answer.body as { readonly events: readonly unknown[] }).events[0];
  };
  await byHand(`MATCH ${ANN} SET n:Leaver`);
  await verify(directory);
  expect(await latest()).not.toMatchObject({ event_type: 'DATASOURCE_VERIFIED' });
  await verify(directory, '?repair=true');
  expect(await latest()).toMatchObject({
    event_type: 'DATASOURCE_VERIFIED',
    severity: 'WARNING',
    entity_id: directory.data_source_id,
    metadata: { findings: 1, next_full_push: 0, rows_gone: 0 },
  });
  await verify(directory, '?repair=true');
  expect(await latest()).toMatchObject({ event_type: 'DATASOURCE_VERIFIED', severity: 'INFO' });
});

test('a data source that was never pushed to holds nothing, and is sound', async () => {
  expect(await verify(await service.register())).toMatchObject({
    sound: true,
    rows: { recorded: 0, found: 0, gone: 0 },
    digest: { recorded: null },
  });
});

test('a team key needs the scopes push and read, and sees nothing of other providers', async () => {
  const withKey = async (more: object): Promise<supertest.Response> => {
    const created = await service.post('/api/preview/teamkeys', { name: 'Connector', ...more });
    const { access_key } = (created.body as { value: { access_key: string } }).value;
    return supertest(service.app)
      .post(directory.path.replace(/:push$/, ':verify'))
      .set('authorization', `Bearer ${access_key}`)
      .send();
  };
  expect((await withKey({ scopes: ['push'] })).status).toBe(403);
  expect((await withKey({ scopes: ['read'] })).status).toBe(403);
  await byHand('MATCH ()-[r:SYSTEM_resource_managers]->() DELETE r');
  const limited = await withKey({ providers: [directory.id] });
  expect(limited.status).toBe(200);
  // That a manager is missing tells who manages what elsewhere.
  expect(limited.body).toMatchObject({ limited: true, sound: true, findings: { total: 0 } });
  expect(JSON.stringify(limited.body)).not.toContain(wiki.data_source_id);
  expect(await verify(directory)).toMatchObject({ sound: false, findings: { total: 1 } });
  await byHand(`MATCH ${ANN} SET n:Leaver`);
  expect((await withKey({ providers: [directory.id] })).body).toMatchObject({
    sound: false,
    findings: { total: 1, values: [{ what: 'LABELS_CHANGED' }] },
  });
});

test.each(['repair=yes', 'repare=true'])(
  '%s is 400: nothing is left undone in silence',
  async (query) => {
    const source = await service.register();
    const path = source.path.replace(/:push$/, ':verify');
    const answer = await service.post(`${path}?${query}`, '');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'InvalidArgument' });
  },
);
