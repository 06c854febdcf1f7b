import { Neo4jError, type ResultObserver, type Transaction } from 'neo4j-driver';

import { nodeKinds } from '../../../src/templates/graph/nodes';
import { BUILD } from '../../../src/build';
import { records as KINDS } from '../../../src/features';
import { closeGraph, type Graph, openGraph } from '../../../src/neo4j/driver';
import {
  migrate,
  STORE_VERSION,
  StoreTooNew,
  StoreTooOld,
} from '../../../src/graph/migration/migrate';
import { MEET_LABELS, schemaItems } from '../../../src/graph/statements/schema';
import { withTransactions } from '../../support/killed-graph';
import { clearGraph, testNeo4j } from '../../support/neo4j';

let opened: Graph;
/** The same graph, with the statements of its transactions looked at. */
let graph: Graph;
/** Statements that were sent, and an error that the next one that creates something ends with. */
let sent: string[];
let fault: Error | null;

const observed = (tx: Transaction): Transaction => {
  const run = tx.run.bind(tx);
  tx.run = ((text: string, parameters: object) => {
    sent.push(text);
    const error = fault;
    if (error === null || !text.startsWith('CREATE')) return run(text, parameters);
    fault = null;
    return { subscribe: (observer: ResultObserver) => observer.onError?.(error) };
  }) as Transaction['run'];
  return tx;
};

beforeEach(async () => {
  [sent, fault] = [[], null];
  opened = openGraph(testNeo4j());
  await clearGraph(opened.driver);
  graph = withTransactions(opened, (begin) => observed(begin()));
});
afterEach(() => closeGraph(opened));

/** What was made since this was last asked. */
const made = (): readonly string[] => sent.splice(0).filter((text) => text.startsWith('CREATE'));

const online = async (): Promise<readonly string[]> => {
  const { records } = await graph.driver.executeQuery(
    "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name",
    {},
    { database: graph.database },
  );
  return records.map((record) => String(record.get('name')));
};

test('the first label of a node is that of its kind', async () => {
  await migrate(graph, KINDS);
  const kinds = nodeKinds.map(({ label, also }) => `(:${[label, ...also].join(':')})`);
  const first = await graph.driver.executeQuery(
    `CREATE ${kinds.join(', ')} WITH 1 AS made MATCH (n:Entity) WITH labels(n)[0] AS label, n DETACH DELETE n RETURN label`,
    {},
    { database: graph.database },
  );
  expect(first.records.map((record) => String(record.get('label'))).sort()).toEqual(
    nodeKinds.map(({ label }) => label).sort(),
  );
});

test('the graph says which release brought it to which version', async () => {
  await migrate(graph, KINDS);
  const { records } = await graph.driver.executeQuery(
    'MATCH (store:Store) RETURN store.version AS version, store.release AS release, store.lock AS lock',
    {},
    { database: graph.database },
  );
  expect(records.map((record) => record.toObject())).toEqual([
    { version: STORE_VERSION, release: BUILD.version, lock: null },
  ]);
});

test('what stands is not made again; what is gone is', async () => {
  await migrate(graph, KINDS);
  made();
  await migrate(graph, KINDS);
  expect(made()).toEqual([]);

  const lost = ['entity_key', 'idp_user_fold_id'];
  await graph.driver.executeQuery(`DROP CONSTRAINT ${lost[0]}`);
  await graph.driver.executeQuery(`DROP INDEX ${lost[1]}`);
  await migrate(graph, KINDS);
  expect(made()).toEqual([
    MEET_LABELS,
    ...schemaItems(KINDS)
      .filter(({ name }) => lost.includes(name))
      .map(({ statement }) => statement),
  ]);
  expect(await online()).toEqual(
    expect.arrayContaining(schemaItems(KINDS).map(({ name }) => name)),
  );
});

test('several may make it at once', async () => {
  await migrate(graph, KINDS);
  await graph.driver.executeQuery('DROP CONSTRAINT entity_key');
  await Promise.all([migrate(graph, KINDS), migrate(graph, KINDS), migrate(graph, KINDS)]);
  expect(await online()).toContain('entity_key');
});

test('where Neo4j breaks a deadlock of several, the statement runs again', async () => {
  await migrate(graph, KINDS);
  await graph.driver.executeQuery('DROP CONSTRAINT entity_key');
  fault = new Neo4jError(
    'a deadlock',
    'Neo.TransientError.Transaction.DeadlockDetected',
    '50N05',
    'deadlock detected',
  );
  await migrate(graph, KINDS);
  expect(fault).toBeNull();
  expect(await online()).toContain('entity_key');
});

test.each([
  ['of before 1.0.0', { version: STORE_VERSION }, StoreTooOld],
  ['of before 1.0.0, of a later version', { version: STORE_VERSION + 6 }, StoreTooOld],
  ['without a version', null, StoreTooOld],
  ['of the next version', { version: STORE_VERSION + 1, release: '1.9.0' }, StoreTooNew],
])('a store %s is refused in a sentence, and nothing is written', async (_what, store, refusal) => {
  const write = (statement: string, parameters: object = {}) =>
    opened.driver.executeQuery(statement, parameters, { database: opened.database });
  await write("CREATE (:Provider {key: 'p'})");
  if (store !== null) await write("CREATE (s:Store {key: 'store'}) SET s += $store", { store });
  sent.length = 0;
  const error: unknown = await migrate(graph, KINDS).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(refusal);
  expect((error as Error).message).toMatch(
    refusal === StoreTooNew
      ? /^Release 1\.9\.0 wrote this graph, .*: use release 1\.9\.0, or a newer one\.$/
      : /^A version before 1\.0\.0 wrote this graph, .*: begin with an empty Neo4j, and push everything again\.$/,
  );
  expect(sent.filter((text) => /\b(CREATE|SET|MERGE|REMOVE)\b/.test(text))).toEqual([]);
  await clearGraph(opened.driver);
});
