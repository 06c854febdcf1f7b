import * as E from 'fp-ts/Either';

import { ask } from '../../src/neo4j/ask';
import type { Runner } from '../../src/neo4j/transaction';
import { ListCache } from '../../src/questions/answering/list-cache';
import { answerOf } from '../../src/questions/answering/answer-of';
import { settledAnswer } from '../../src/questions/answering/settled-answer';
import type { Reach } from '../../src/questions/instant/at-instant';
import { WALKS } from '../../src/questions/statements/instant-statements';
import { testNeo4j } from '../support/neo4j';
import {
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../http/service-under-test';

let service: ServiceUnderTest;
let doors: RegisteredIds;
let windows: RegisteredIds;
let reach: Reach;

const write = (cypher: string, parameters: object = {}): Promise<unknown> =>
  service.graph.driver.executeQuery(cypher, parameters, { database: testNeo4j().database });

const house = (of: string, users: readonly string[]): object => ({
  applications: [
    {
      name: of,
      application_type: of,
      local_users: users.map((name) => ({ name })),
      resources: [{ name: `${of} 1`, resource_type: of }],
    },
  ],
  permissions: [{ name: 'open' }],
  identity_to_permissions: users.map((identity) => ({
    ...{ identity, identity_type: 'local_user' },
    application_permissions: [{ application: of, permission: 'open', resources: [`${of} 1`] }],
  })),
});

let pushes = 0;
const push = async ({ path, ...ids }: RegisteredIds, of: string): Promise<string> => {
  pushes += 1;
  const json_data = JSON.stringify(house(of, ['ann', `user ${pushes}`]));
  const answer = await service.post(path, { ...ids, json_data });
  expect(answer.status).toBe(200);
  return (answer.body as { push_id: string }).push_id;
};

beforeAll(async () => {
  service = await serviceUnderTest();
  doors = await service.register('application');
  windows = await service.register('application');
  await push(doors, 'door');
  await push(windows, 'window');
  const [row] = await ask(service.graph, "MATCH (r:Resource {name: 'door 1'}) RETURN r.key AS key");
  reach = { asked: { resource: String(row?.key) }, steps: WALKS.resource, looksUpNames: false };
});
afterAll(() => service.close());

/** How often a question is read if something happens while it is read the first time. */
const readsBeside = async (asked: Reach | null, happens: () => Promise<unknown>) => {
  let reads = 0;
  const answer = await settledAnswer(service.graph, 30, asked, async () => {
    reads += 1;
    if (reads === 1) await happens();
    return reads;
  })();
  expect(answer).toMatchObject(E.right({ answer: reads }));
  return reads;
};

test('a push that touches nothing of a question leaves its answer', async () => {
  expect(await readsBeside(reach, () => push(windows, 'window'))).toBe(1);
});

test('the answer is as of the newest push', async () => {
  let id = '';
  const answer = await settledAnswer(service.graph, 30, reach, async () => {
    id = await push(windows, 'window');
  })();
  expect(answer).toMatchObject(E.right({ asOf: { push: id } }));
});

const older = async (): Promise<void> => {
  const id = await push(windows, 'window');
  await write('MATCH (push:Push {id: $id}) SET push.at = push.at - duration("P9D")', {
    id,
  });
};

test.each<[string, () => Reach | null, () => Promise<unknown>]>([
  ['a push that changes what it reads', () => reach, () => push(doors, 'door')],
  ['any push, if it may read everything', () => null, () => push(windows, 'window')],
  [
    'any push, if it looks names up among everything',
    () => ({ ...reach, looksUpNames: true }),
    () => push(windows, 'window'),
  ],
  ['a push with an earlier time than those before', () => reach, older],
  [
    'a commit that is no push, and leaves nothing in the history',
    () => reach,
    async () => {
      await push(windows, 'window');
      await write("MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1");
    },
  ],
  [
    'a chunked push has begun',
    () => reach,
    () =>
      write(
        "MATCH (source:DataSource {key: $id}) SET source.status = 'PENDING', source.pending_push = 'a push'",
        { id: windows.data_source_id },
      ),
  ],
  [
    'it has ended',
    () => reach,
    () =>
      write(
        "MATCH (source:DataSource {key: $id}) SET source.status = 'SUCCESS' REMOVE source.pending_push",
        { id: windows.data_source_id },
      ),
  ],
])('a question is read again after %s', async (_, asked, happens) => {
  expect(await readsBeside(asked(), happens)).toBe(2);
});

test('chunks of a chunked push leave an answer', async () => {
  const { data_source_id: id } = windows;
  await write("MATCH (source:DataSource {key: $id}) SET source.pending_push = 'a push'", { id });
  const turn = "MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1";
  expect(await readsBeside(null, () => write(turn))).toBe(1);
  await write('MATCH (source:DataSource {key: $id}) REMOVE source.pending_push', { id });
});

test('a question is read again after a push if the service stores no history', async () => {
  const since =
    'MATCH (store:Store {key: "store"}) SET store.was = store.history_since REMOVE store.history_since';
  await write(since);
  expect(await readsBeside(reach, () => push(windows, 'window'))).toBe(2);
  await write('MATCH (store:Store) SET store.history_since = store.was REMOVE store.was');
});

const LIMITS = { seconds: 30, instantFacts: 10_000 };

/** Who has a permission on the door of a key. */
const holders = async (tx: Runner, key: string): Promise<readonly string[]> => {
  const { records } = await tx.run<{ name: string }>(
    'MATCH (:Entity {key: $key})<-[:ON]-()<-[:HOLDS]-(who) RETURN who.name AS name ORDER BY name',
    { key },
  );
  return records.map((record) => record.get('name'));
};

test('a question whose facts every push changes is answered as of the newest push', async () => {
  const { resource } = reach.asked as { resource: string };
  let reads = 0;
  let newest = '';
  const answer = await answerOf(service.graph, LIMITS, null, reach, async (tx, keyOf) => {
    reads += 1;
    const isStaged = keyOf('') !== '';
    // What comes while the graph of the newest push is read does not change that graph.
    if (isStaged) await push(doors, 'door');
    const found = await holders(tx, keyOf(resource));
    if (!isStaged) newest = await push(doors, 'door');
    return found;
  })();
  expect(reads).toBe(4);
  const expected = { answer: ['ann', `user ${pushes - 1}`], asOf: { push: newest } };
  expect(answer).toMatchObject(E.right(expected));
});

test('it is read once more if something was committed meanwhile that the history does not tell', async () => {
  let staged = 0;
  const answer = await answerOf(service.graph, LIMITS, null, reach, async (_, keyOf) => {
    if (keyOf('') === '') await push(doors, 'door');
    else if ((staged += 1) === 1)
      await write("MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1");
    return staged;
  })();
  expect(answer).toMatchObject(E.right({ answer: 2 }));
});

test('it is refused if that happens each time', async () => {
  const answer = await answerOf(service.graph, LIMITS, null, reach, async (_, keyOf) => {
    if (keyOf('') === '') await push(doors, 'door');
    else await write("MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1");
    return [];
  })();
  expect(answer).toMatchObject(E.left({ _tag: 'Unavailable' }));
});

interface Row {
  readonly key: string;
}

test('later pages of a list come from the rows that were read, if no push touched them', async () => {
  const kept = new ListCache();
  let reads = 0;
  const page = (after: string | null) =>
    kept.page<Row, null>(service.graph, 30, {
      ...{ name: 'list', size: 1, ahead: 3, reach },
      after: after === null ? null : { value: after, key: after },
      placeOf: ({ key }) => ({ value: key, key }),
      weightOf: () => 1,
      read: (_: Runner, size) => {
        reads += 1;
        const rows = ['a', 'b', 'c', 'd'].filter((key) => after === null || key > after);
        return Promise.resolve({
          head: null,
          rows: rows.slice(0, size).map((key) => ({ key })),
          hasMore: rows.length > size,
        });
      },
    })();
  await page(null);
  await push(windows, 'window');
  expect(await page('a')).toMatchObject(E.right({ answer: { rows: [{ key: 'b' }] } }));
  expect(reads).toBe(1);
  await push(doors, 'door');
  expect(await page('a')).toMatchObject(E.right({ answer: { rows: [{ key: 'b' }] } }));
  expect(reads).toBe(2);
});
