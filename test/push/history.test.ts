import { records } from '../../src/features';
import { graphDeletions } from '../../src/push/graph/deletion';
import { migrate } from '../../src/graph/migration/migrate';
import { graphRetention, removeWhatIsOld } from '../../src/features/retention/retention';
import { readStoredHistory } from '../../src/graph/records/past-facts';
import { graphVerifier } from '../../src/features/verification/checks/verification';
import type { DataSourceOfProvider } from '../../src/graph/records/provider-record';
import { finishDeletions } from '../../src/registry/deletion';
import { verifyDataSource } from '../../src/features/verification/verify-data-source';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

interface Someone {
  readonly name: string;
  readonly [field: string]: unknown;
}

const directory = (users: readonly Someone[], groups: readonly string[] = []): object => ({
  domains: [{ name: 'corp.example' }],
  users,
  groups: groups.map((name) => ({ name })),
  apps: [{ id: 'mail', name: 'Mail' }],
});

const ann = (more: object = {}): Someone => ({ name: 'ann', email: 'ann@corp.example', ...more });

const corp = (): Promise<DataSourceOfProvider> => filled.register('corp', 'identity_provider');

/** The facts that ended, in the order of their ends, with the numbers of the accepted pushes in place of times. */
const past = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const pushes = await filled.ask('MATCH (p:Push) RETURN toString(p.at) AS at ORDER BY p.at');
  const numbers = new Map(pushes.map(({ at }, index) => [at, index + 1]));
  const rows = await filled.ask(`MATCH (n:Past)
    RETURN n {.*, since: toString(n.since), from: toString(n.from), until: toString(n.until), data_source: null, provider: null} AS fact
    ORDER BY n.until, n.type, n.key, n.start, n.end`);
  return rows.map(({ fact }) =>
    Object.fromEntries(
      Object.entries(fact as Record<string, unknown>)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [
          name,
          typeof value === 'string'
            ? (numbers.get(value) ?? value.replace(/^[0-9a-f-]{36}\|/, ''))
            : value,
        ]),
    ),
  );
};

const count = async (match: string): Promise<number> =>
  Number((await filled.ask(`MATCH ${match} RETURN count(*) AS count`))[0]?.count);

test('a node keeps what it said until a push changes or removes it', async () => {
  const source = await corp();
  await filled.accept(source, directory([ann({ full_name: 'Ann' })]));
  await filled.accept(source, directory([ann({ full_name: 'Ann Lee' })]));
  await filled.accept(source, directory([]));
  const same = { label: 'IdpUser', key: 'IdpUser|ann', name: 'ann', email: 'ann@corp.example' };
  expect(await past()).toMatchObject([
    { ...same, full_name: 'Ann', since: 1, from: 1, until: 2 },
    { ...same, full_name: 'Ann Lee', since: 1, from: 2, until: 3 },
  ]);
  expect(
    await count(
      '(n:PastNode) WHERE n.row_hash IS NOT NULL OR n.changed IS NOT NULL OR n.fold_id IS NOT NULL',
    ),
  ).toBe(0);
  expect(
    await count('(n:PastNode:Past) WHERE n.provider = "corp" AND n.data_source IS NOT NULL'),
  ).toBe(2);
});

test('a row that states something else keeps its version, which reaches back to its beginning', async () => {
  const source = await corp();
  const groups = ['ops', 'dev'];
  const member = (group: string, more: object = {}): Someone =>
    ann({ groups: [{ identity: group }], ...more });
  await filled.accept(source, directory([member('ops')], groups));
  await filled.accept(source, directory([member('dev')], groups));
  expect(await past()).toEqual([
    {
      type: 'MEMBER_OF',
      since: 1,
      until: 2,
      start: 'IdpUser|ann',
      start_label: 'IdpUser',
      end: 'IdpGroup|ops',
      end_label: 'IdpGroup',
    },
  ]);
  // The row changed with the second push, its node with the third.
  await filled.accept(source, directory([member('dev', { department: ['x'] })], groups));
  expect((await past()).at(-1)).toMatchObject({ label: 'IdpUser', since: 1, from: 1, until: 3 });
});

test('a relationship that stays with other properties ends as a version', async () => {
  const source = await corp();
  const assigned = (...apps: readonly object[]): object =>
    directory([ann({ app_assignments: apps })]);
  const other = { id: 'b', app_id: 'mail' };
  await filled.accept(source, assigned({ id: 'a', app_id: 'mail', name: 'one' }, other));
  await filled.accept(source, assigned({ id: 'a', app_id: 'mail', name: 'two' }, other));
  await filled.accept(source, assigned({ id: 'a', app_id: 'mail' }, other));
  await filled.accept(source, assigned(other));
  await filled.accept(source, assigned());
  const said = { type: 'ASSIGNED_TO', since: 1, start: 'IdpUser|ann', end: 'IdpApp|mail' };
  const facts = await past();
  expect(facts).toMatchObject([
    { ...said, id: 'a', name: 'one', until: 2 },
    { ...said, id: 'a', name: 'two', from: 2, until: 3 },
    { ...said, id: 'a', from: 3, until: 4 },
    { ...said, id: 'b', until: 5 },
  ]);
  expect(facts.map((fact) => 'from' in fact)).toEqual([false, true, true, false]);
  // What comes again is another one.
  await filled.accept(source, assigned({ id: 'a', app_id: 'mail' }));
  await filled.accept(source, assigned());
  expect((await past()).at(-1)).toMatchObject({ id: 'a', since: 6, until: 7 });
  expect((await past()).at(-1)).not.toHaveProperty('from');
});

test('a derived relationship ends with whatever bound it, and no data source has stated it', async () => {
  const source = await corp();
  await filled.accept(source, directory([ann()]));
  const wiki = await filled.register('wiki', 'application');
  const holding = (identity: string): object => ({
    applications: [{ name: 'Wiki', application_type: 'wiki' }],
    permissions: [{ name: 'read', permission_type: ['DataRead'] }],
    identity_to_permissions: [
      { identity, application_permissions: [{ application: 'Wiki', permission: 'read' }] },
    ],
  });
  await filled.accept(wiki, holding('ann'));
  await filled.accept(wiki, holding('bob'));
  const known = {
    type: 'KNOWN_AS',
    start: 'IdpUser|ann',
    start_label: 'IdpUser',
    end_label: 'Identity',
  };
  const derived = async () => (await past()).filter(({ type }) => type === 'KNOWN_AS');
  expect(await derived()).toMatchObject([{ ...known, end: 'Identity|ann', since: 2, until: 3 }]);
  expect(
    await count("(n:PastRelationship {type: 'KNOWN_AS'}) WHERE n.data_source IS NOT NULL"),
  ).toBe(0);
  expect(await count('(n:PastNode {label: "Identity"})')).toBe(0);
});

test('a derived relationship ends although both its nodes stay', async () => {
  const arn = 'arn:aws:iam::1:role/editor';
  const owned = ['home', 'news'].map((id) => ({ node_type: 'page', id }));
  const owner = ann({ entities_owned: owned, assumed_role_arns: [{ identity: arn }] });
  await filled.accept(await corp(), directory([owner]));
  const wiki = await filled.register('wiki', 'application');
  const pages = (first: string, role: object): object => ({
    applications: [
      {
        name: 'Wiki',
        application_type: 'wiki',
        local_users: [{ name: 'u' }],
        local_roles: [{ unique_id: 'r', name: 'editor', ...role }],
        resources: [first, 'news'].map((name, at) => ({
          name,
          id: `${at}`,
          resource_type: 'page',
        })),
      },
    ],
  });
  await filled.accept(wiki, pages('home', { id: arn }));
  await filled.accept(wiki, pages('start', {}));
  const derived = (await past()).filter((fact) => 'type' in fact);
  expect(derived.map(({ type, since, until }) => [type, since, until])).toEqual(
    ['ACTS_AS', 'RESOLVES_TO', 'SYSTEM_resource_managers', 'TAGGED'].map((type) => [type, 2, 3]),
  );
  expect(derived.at(-1)).toMatchObject({ derived: true });
  const stand = '(n:PastRelationship) MATCH (a {key: n.start}) MATCH (b {key: n.end})';
  expect(await count(`${stand} WHERE NOT a:Past AND NOT b:Past`)).toBe(4);
});

test('an increment ends a version of an assignment', async () => {
  const source = await corp();
  const assignment = { id: 'a', app_id: 'mail', name: 'one' };
  await filled.accept(source, directory([ann({ app_assignments: [assignment] })]));
  await filled.accept(source, {
    incremental_change: true,
    domains: [{ name: 'corp.example' }],
    users: [ann({ operation: 'modify', app_assignments: [{ ...assignment, name: 'two' }] })],
  });
  expect(await past()).toMatchObject([
    { type: 'ASSIGNED_TO', id: 'a', name: 'one', since: 1, until: 2 },
  ]);
});

test('a push that changes nothing keeps nothing, and neither does a plan or a refused push', async () => {
  const source = await corp();
  await filled.accept(source, directory([ann()]));
  expect((await filled.accept(source, directory([ann()]))).outcome).toBe('unchanged');
  await filled.push(source, { domains: [] });
  expect(await past()).toEqual([]);
});

test('what came and went at one moment, or went before it came, is not kept', async () => {
  const source = await corp();
  await filled.accept(source, directory([ann(), { name: 'bob' }, { name: 'cyd' }]));
  const { driver, database } = filled.graph;
  const since = (user: string, time: string): Promise<unknown> =>
    driver.executeQuery(
      `MATCH (n:IdpUser {name: $user}) SET n.since = ${time}`,
      { user },
      { database },
    );
  await since('ann', "datetime() + duration('P1D')");
  await since('bob', 'null');
  await filled.accept(source, directory([]));
  expect((await past()).map(({ name }) => name)).toEqual(['cyd']);
});

test('a repair keeps nothing of what it takes back', async () => {
  const source = await corp();
  await filled.accept(source, directory([ann({ groups: [{ identity: 'ops' }] })], ['ops']));
  const { driver, database } = filled.graph;
  await driver.executeQuery(
    `MATCH (n:IdpUser) SET n.full_name = 'x'
     MERGE (n)-[r:MANAGED_BY]->(n) SET r.since = n.since - duration('P1D')
     CREATE (:IdpUser:Principal {key: n.key + ' too', data_source: n.data_source})
     CREATE (:Identity:Principal {key: 'Identity|lost', name: 'lost'})<-[:KNOWN_AS {since: n.since - duration('P1D')}]-(n)`,
    {},
    { database },
  );
  const verifier = graphVerifier(filled.graph, TEST_LIMITS, records);
  const repaired = await verifyDataSource({ verifier, listedChanges: 100 })({
    source,
    requestId: '',
    isRepairing: true,
    seesOthers: true,
    by: { keyId: null, name: 'API_KEY', address: null },
  })();
  expect(repaired).toMatchObject({ right: { sound: false, repaired: true } });
  expect(await count("(n:IdpUser) WHERE n.key ENDS WITH 'too'")).toBe(0);
  expect(await past()).toEqual([]);
});

test("past facts are nobody's stray nodes", async () => {
  const source = await corp();
  await filled.accept(source, directory([ann()]));
  await filled.accept(source, directory([{ name: 'bob' }]));
  const verifier = graphVerifier(filled.graph, TEST_LIMITS, records);
  const found = await verifyDataSource({ verifier, listedChanges: 100 })({
    source,
    requestId: '',
    isRepairing: true,
    seesOthers: true,
    by: { keyId: null, name: 'API_KEY', address: null },
  })();
  expect(found).toMatchObject({ right: { sound: true } });
  expect(await past()).toHaveLength(1);
});

describe('a deletion', () => {
  const remove = async (
    { dataSource }: DataSourceOfProvider,
    { erases = false, atOnce = 2, steps = Infinity } = {},
  ): Promise<void> => {
    const deletions = graphDeletions(filled.graph, TEST_LIMITS, records, atOnce);
    const act = { requestId: 'request', erases };
    await deletions.markDataSource(dataSource.id, act, () => undefined);
    let done = 0;
    await finishDeletions(deletions, () => (done += 1) > steps);
  };

  /** What refers to others goes after these in a deletion, so they take references with them. */
  const filledSource = async (): Promise<DataSourceOfProvider> => {
    const source = await filled.register('wiki', 'application');
    await filled.accept(source, wiki(['a', 'b', 'c', 'd', 'e']));
    return source;
  };

  const wiki = (agents: readonly string[]): object => ({
    applications: [
      {
        name: 'Wiki',
        application_type: 'wiki',
        local_models: [{ name: 'm' }, { name: 'n' }],
        local_agents: agents.map((name) => ({ name, models: ['m', 'n'] })),
      },
    ],
  });

  test('ends all facts of the data source at the moment that its event tells', async () => {
    const source = await filledSource();
    const nodes = await count('(n) WHERE n.row_hash IS NOT NULL');
    const relationships = await count('(n)-[r]->() WHERE n.row_hash IS NOT NULL');
    await remove(source);
    expect(await count('(n:PastNode)')).toBe(nodes);
    expect(await count('(n:PastRelationship)')).toBe(relationships);
    const [ends] = await filled.ask(
      'MATCH (n:Past) RETURN collect(DISTINCT toString(n.until)) AS untils',
    );
    const [event] = await filled.ask(
      "MATCH (n:Event {event_type: 'DATASOURCE_DELETED'}) RETURN n.metadata AS metadata",
    );
    const { ended_at } = JSON.parse(String(event?.metadata)) as { ended_at: string };
    expect((ends?.untils as string[]).map((until) => until.replace(/0+Z$/, 'Z'))).toEqual([
      ended_at,
    ]);
  });

  test('with erasing keeps nothing, and takes what was kept before', async () => {
    const source = await filledSource();
    await filled.accept(source, wiki(['a']));
    expect(await count('(n:Past)')).toBeGreaterThan(5);
    await remove(source, { erases: true });
    expect(await count('(n:Past)')).toBe(0);
  });

  test('erases if somebody asks for that while it is under way', async () => {
    const source = await filledSource();
    await remove(source, { steps: 2 });
    expect(await count('(n:Past)')).toBeGreaterThan(0);
    await remove(source, { erases: true });
    expect(await count('(n:Past)')).toBe(0);
    expect(await count('(n:DataSource)')).toBe(0);
  });

  test('of one data source leaves the history of others', async () => {
    const source = await filledSource();
    const other = await filled.register('other', 'identity_provider');
    await filled.accept(other, directory([ann()]));
    await filled.accept(other, directory([]));
    await remove(source, { erases: true });
    expect(await count('(n:Past)')).toBe(1);
  });
});

describe('how long history is kept', () => {
  const since = async (): Promise<unknown> =>
    (await filled.ask('MATCH (s:Store) RETURN toString(s.history_since) AS since'))[0]?.since;

  test('none where the settings say so, and whole again from when they no longer do', async () => {
    const before = await since();
    expect(before).toEqual(expect.any(String));
    const none = await filledGraph(
      { ...TEST_LIMITS, keepsHistory: false },
      { keep: true, transactionRows: 1 },
    );
    await migrate(filled.graph, records, false);
    expect(await since()).toBeNull();
    const source = await none.register('corp', 'identity_provider');
    await none.accept(
      source,
      directory([ann(), { name: 'bob', app_assignments: [{ id: 'a', app_id: 'mail' }] }]),
    );
    await none.accept(source, directory([ann({ full_name: 'Ann' })]));
    await none.close();
    expect(await past()).toEqual([]);
    await migrate(filled.graph, records);
    const again = await since();
    expect([again, String(again) > String(before)]).toEqual([expect.any(String), true]);
    await migrate(filled.graph, records);
    expect(await since()).toBe(again);
  });

  test('old facts go in small steps, and the history begins where they end', async () => {
    const source = await corp();
    await filled.accept(
      source,
      directory(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name }))),
    );
    await filled.accept(source, directory([ann()]));
    const { driver, database } = filled.graph;
    await driver.executeQuery(
      `MATCH (n:Past) SET n.until = n.until - duration('P10D')
       WITH DISTINCT 1 AS one MATCH (s:Store) SET s.history_since = s.history_since - duration('P30D')`,
      {},
      { database },
    );
    const begun = await since();
    await filled.accept(source, directory([]));
    const keep = (historyDays?: number): Promise<void> =>
      removeWhatIsOld(
        graphRetention(filled.graph, records, 3),
        { eventDays: 0, pushDays: 0, historyDays },
        () => false,
      );
    await keep();
    expect(await count('(n:Past)')).toBe(8);
    await keep(11);
    expect(await count('(n:Past)')).toBe(8);
    expect(String(await since()) > String(begun)).toBe(true);
    await keep(9);
    expect((await past()).map(({ name }) => name)).toEqual(['ann']);
    await keep(0);
    expect(await past()).toEqual([]);
  });

  test('how many facts there are, and how large, is told', async () => {
    const source = await corp();
    await filled.accept(source, directory([ann({ groups: [{ identity: 'ops' }] })], ['ops']));
    expect(await readStoredHistory(filled.graph)()).toMatchObject({
      right: {
        since: expect.stringMatching(/Z$/) as unknown,
        facts: { nodes: 0, relationships: 0 },
        bytes: 0,
      },
    });
    await filled.accept(source, directory([]));
    const told = await readStoredHistory(filled.graph)();
    expect(told).toMatchObject({ right: { facts: { nodes: 2, relationships: 1 } } });
    if (told._tag === 'Right') expect(told.right.bytes).toBeGreaterThan(3 * 256);
  });
});
