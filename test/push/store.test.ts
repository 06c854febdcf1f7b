import { Neo4jError } from 'neo4j-driver';

import { NO_DIFFERENCE } from '../../src/difference/difference';
import { setTimeout as sleep } from 'node:timers/promises';

import { graphStore } from '../../src/push/graph/store';
import { runTransaction } from '../../src/neo4j/transaction';
import { RULES_VERSION } from '../../src/rows/row/row-hash';
import { LOCK_BINDING } from '../../src/graph/statements/data-source-statements';
import { dumpGraph } from '../support/graph-dump';
import { type FilledGraph, filledGraph, TEST_LIMITS } from '../support/push';

const directory = (users: readonly object[], more: object = {}): object => ({
  domains: [{ name: 'corp.example' }],
  users,
  ...more,
});
const application = (users: readonly object[], type = 'wiki', more: object = {}): object => ({
  applications: [{ name: 'Wiki', application_type: type, local_users: users, ...more }],
});

let filled: FilledGraph;

beforeAll(async () => {
  filled = await filledGraph();
});
afterAll(() => filled.close());
beforeEach(() => filled.clear());

const names = async (label: string): Promise<readonly unknown[]> =>
  (await filled.ask(`MATCH (n:${label}) RETURN n.name AS name ORDER BY name`)).map(
    ({ name }) => name,
  );

/** A hold on a data source that lasts until it is released. */
const holdUntilReleased = async (
  dataSource: string,
): Promise<{ readonly release: () => void; readonly done: Promise<void> }> => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((entered, failed) => {
    done = graphStore(filled.graph, TEST_LIMITS).hold(dataSource, 'holder', async () => {
      entered();
      await released;
    });
    done.catch(failed);
  });
  return { release, done };
};

/** How many transactions wait for a lock, by default those of a data source, which are asked for together. */
const waiting = async (lock = 'lock = $push'): Promise<number> => {
  const rows = await filled.ask(
    `SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS '${lock}' RETURN count(*) AS count`,
  );
  // The question itself holds the words that it looks for.
  return Number(rows[0]?.count) - 1;
};

test('a push that waits for its turn to bind holds nothing that the one before may need', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  await filled.accept(corp, directory([{ name: 'ann' }, { name: 'bob', email: 'b@corp' }]));
  const mended = directory([{ name: 'ann', email: 'ann@corp' }, { name: 'cyd' }]);
  const pushed = await runTransaction(filled.graph, { mode: 'write' }, async (tx) => {
    await tx.run(LOCK_BINDING, { push: 'before' });
    const waits = filled.accept(corp, mended);
    while ((await waiting('lock.push')) === 0) await sleep(20);
    // In a transaction of its own, which ends when it has to wait.
    await runTransaction(filled.graph, { mode: 'write', timeoutSeconds: 60 }, async (other) => {
      await other.run('MATCH (user:IdpUser) SET user.key = user.key');
    });
    return { waits };
  });
  expect((await pushed.waits).outcome).toBe('accepted');
  expect(await names('IdpUser')).toEqual(['ann', 'cyd']);
});

test('each try of a push says that it begins, before it asks for the locks', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  const told: string[] = [];
  const work = (): Promise<void> => {
    told.push('holds');
    if (told.length > 2) return Promise.resolve();
    return Promise.reject(new Neo4jError('deadlock', 'Neo.TransientError.Transaction.X', '', ''));
  };
  await graphStore(filled.graph, TEST_LIMITS).hold(corp.dataSource.id, 'x', work, () =>
    told.push('begins'),
  );
  expect(told).toEqual(['begins', 'holds', 'begins', 'holds']);
});

describe('a data source that another push holds', () => {
  test('lets the next push wait, then go on', async () => {
    const corp = await filled.register('corp', 'identity_provider');
    const { release, done } = await holdUntilReleased(corp.dataSource.id);
    let isDone = false;
    const pushed = filled.accept(corp, directory([{ name: 'ann' }])).then((result) => {
      isDone = true;
      return result;
    });
    while ((await waiting()) === 0) await sleep(20);
    expect(isDone).toBe(false);
    release();
    await done;
    expect((await pushed).outcome).toBe('accepted');
  });

  test('does not hold up another one', async () => {
    const corp = await filled.register('corp', 'identity_provider');
    const other = await filled.register('other', 'identity_provider');
    const { release, done } = await holdUntilReleased(corp.dataSource.id);
    expect((await filled.accept(other, directory([{ name: 'bob' }]))).outcome).toBe('accepted');
    release();
    await done;
  });

  test('is busy after the time that a push may wait, and nothing is left waiting in the database', async () => {
    const corp = await filled.register('corp', 'identity_provider');
    const impatient = await filledGraph({ ...TEST_LIMITS, waitSeconds: 3 }, { keep: true });
    const { release, done } = await holdUntilReleased(corp.dataSource.id);
    // A push may be over before somebody sees it wait.
    for (let seen = 0; seen === 0;) {
      let isOver = false;
      const pushed = impatient
        .push(corp, directory([{ name: 'ann' }]))
        .finally(() => (isOver = true));
      while (seen === 0 && !isOver) seen = await waiting();
      expect(await pushed).toMatchObject({ left: { _tag: 'Conflict' } });
      expect(await waiting()).toBe(0);
    }
    release();
    await done;
    expect(await names('IdpUser')).toEqual([]);
    expect((await impatient.push(corp, directory([{ name: 'bob' }])))._tag).toBe('Right');
    expect(await names('IdpUser')).toEqual(['bob']);
    await impatient.close();
  });

  test('takes two pushes at once one after the other', async () => {
    const corp = await filled.register('corp', 'identity_provider');
    const users = (name: string): object => directory([{ name }, { name: 'both' }]);
    const [one, two] = await Promise.all([
      filled.accept(corp, users('one')),
      filled.accept(corp, users('two')),
    ]);
    const last = one.at > two.at ? 'one' : 'two';
    expect(await names('IdpUser')).toEqual(['both', last].sort());
    expect(await filled.ask('MATCH (n:IdpUser {name: "both"}) RETURN n.since AS since')).toEqual([
      { since: one.at < two.at ? one.at : two.at },
    ]);
  });
});

test('a data source that is gone is not found', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  await filled.clear();
  expect(await filled.push(corp, directory([]))).toMatchObject({ left: { _tag: 'NotFound' } });
});

test('work that fails leaves nothing behind', async () => {
  const corp = await filled.register('corp', 'identity_provider');
  await filled.accept(corp, directory([{ name: 'ann' }]));
  const before = await dumpGraph(filled);
  const held = graphStore(filled.graph, TEST_LIMITS).hold(corp.dataSource.id, 'x', async (one) => {
    const rows = await one.rows((await one.hashes()).keys());
    const removed = [...rows.values()];
    const at = { utc: '2024-01-01T00:00:00Z', toJSON: () => '' };
    await one.write({ ...NO_DIFFERENCE, removed }, new Map(), at);
    expect((await one.hashes()).size).toBe(0);
    throw new Error('changed my mind');
  });
  await expect(held).rejects.toThrow('changed my mind');
  expect(await dumpGraph(filled)).toEqual(before);
});

test('the two ends of a derived relationship may come at one moment', async () => {
  for (let round = 0; round < 5; round += 1) {
    await filled.clear();
    const corp = await filled.register('corp', 'identity_provider');
    const wiki = await filled.register('wiki', 'application');
    await Promise.all([
      filled.accept(corp, directory([{ name: 'Ann' }])),
      filled.accept(wiki, application([{ name: 'a', identities: ['ann'] }])),
    ]);
    expect(
      await filled.ask('MATCH (:IdpUser)-[r:KNOWN_AS]->(:Identity) RETURN count(r) AS count'),
    ).toEqual([{ count: 1 }]);
  }
});

describe('relationships drawn by hand', () => {
  test('do not hinder the removal of the nodes that they hang on', async () => {
    const corp = await filled.register('corp', 'identity_provider');
    const wiki = await filled.register('wiki', 'application');
    await filled.accept(
      corp,
      directory([{ name: 'ann', tags: [{ key: 'old' }] }, { name: 'bob' }]),
    );
    await filled.accept(wiki, application([{ name: 'a', identities: ['cyd'] }]));
    const { graph } = filled;
    await graph.driver.executeQuery(
      `MATCH (ann:IdpUser {name: 'ann'}), (bob:IdpUser {name: 'bob'}), (tag:Tag), (cyd:Identity)
       CREATE (ann)-[:LIKES]->(bob), (bob)-[:LIKES]->(tag), (bob)-[:KNOWS]->(cyd), (:Note)-[:ABOUT]->(ann)`,
      {},
      { database: graph.database },
    );
    await filled.accept(corp, directory([{ name: 'bob' }]));
    await filled.accept(wiki, application([{ name: 'a' }]));
    expect(await names('IdpUser')).toEqual(['bob']);
    expect(await names('Tag')).toEqual([]);
    expect(await names('Identity')).toEqual([]);
  });
});

describe('rules that made rows in another way', () => {
  test('are followed by a rewriting of what differs; since stays', async () => {
    const corp = await filled.register('corp', 'identity_provider');
    const payload = directory([{ name: 'ann', manager_id: 'bob' }, { name: 'Bob' }]);
    const first = await filled.accept(corp, payload);
    const before = await dumpGraph(filled);
    const { driver, database } = filled.graph;
    await driver.executeQuery(
      `MATCH (source:DataSource) SET source.rules_version = 0
       WITH source MATCH (ann:IdpUser {name: 'ann'}) SET ann.fold_manager_id = 'other', ann.row_hash = '0f'
       WITH ann MATCH (bob:IdpUser {name: 'Bob'}) SET bob.fold_id = 'other'`,
      {},
      { database },
    );
    const second = await filled.accept(corp, payload);
    expect(second.digest).toBe(first.digest);
    const { nodes, relationships } = await dumpGraph(filled);
    expect(nodes.map((node) => ({ ...node, changed: first.at }))).toEqual(before.nodes);
    expect(relationships.map(({ type }) => type)).toEqual(
      before.relationships.map(({ type }) => type),
    );
    expect(await filled.ask('MATCH (s:DataSource) RETURN s.rules_version AS version')).toEqual([
      { version: RULES_VERSION },
    ]);
  });
});

test('the longest names and the deepest trees fit into every index', async () => {
  const long = (letter: string): string =>
    letter.repeat(Math.floor(256 / Buffer.byteLength(letter)));
  const name = long('\u0130');
  const deep = Array.from({ length: 99 }).reduce<object>(
    (below) => ({ name, resource_type: name, sub_resources: [below] }),
    { name, resource_type: name },
  );
  const wiki = await filled.register('wiki', 'application');
  const user = {
    name,
    id: long('x'),
    unique_id: long('y'),
    identities: [name],
    tags: [{ key: long('z'), value: long('v') }],
  };
  const { outcome } = await filled.accept(wiki, application([user], name, { resources: [deep] }));
  expect(outcome).toBe('accepted');
  const corp = await filled.register('corp', 'identity_provider');
  const directoryUser = {
    name,
    identity: name,
    email: name,
    manager_id: name,
    source_identity: { identity: name, provider_type: 'any' },
    entities_owned: [{ node_type: name, id: name }],
  };
  expect((await filled.accept(corp, directory([directoryUser]))).outcome).toBe('accepted');
  expect(await names('Resource')).toHaveLength(100);
  expect(
    await filled.ask(
      'MATCH (:ExternalEntity)-[r:RESOLVES_TO]->(:Resource) RETURN count(r) AS count',
    ),
  ).toEqual([{ count: 100 }]);
});
