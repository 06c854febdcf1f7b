import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { ask } from '../../src/neo4j/ask';
import { runTransaction } from '../../src/neo4j/transaction';
import { settledAnswer } from '../../src/questions/answering/settled-answer';
import { instantBefore, readVersions } from '../../src/questions/answering/versions';
import { askMemoryOf } from '../../src/questions/in-context';
import type { AskMemory } from '../../src/questions/memory/asked-in-memory';
import { searchEntities, type SearchPlace } from '../../src/questions/search/entities';
import { entityQuestion } from '../../src/questions/search/entity-page';
import { ReadAhead } from '../../src/questions/search/read-ahead';
import { entityKinds } from '../../src/templates/graph/searched';
import { testNeo4j } from '../support/neo4j';
import {
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
} from '../http/service-under-test';

let service: ServiceUnderTest;
let doors: RegisteredIds;
let windows: RegisteredIds;

const write = (cypher: string, parameters: object = {}): Promise<unknown> =>
  service.graph.driver.executeQuery(cypher, parameters, { database: testNeo4j().database });

const house = (of: string, users: readonly string[]): object => ({
  applications: [
    {
      name: of,
      application_type: of,
      local_users: users.map((name) => ({ name })),
      local_groups: [{ name: 'all' }],
      resources: [{ name: `${of} 1`, resource_type: of }],
    },
  ],
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
});
afterAll(() => service.close());

/** How often a question is read if something happens while it is read the first time. */
const readsBeside = async (happens: () => Promise<unknown>): Promise<number> => {
  let reads = 0;
  const answer = await settledAnswer(service.graph, 30, async (_, before) => {
    reads += 1;
    // It happens on another connection, which Neo4j may answer before the versions are read.
    if (reads === 1) await before.then(happens);
    return reads;
  })();
  expect(answer).toMatchObject(E.right({ answer: reads }));
  return reads;
};

const TURN = "MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1";

test.each<[string, () => Promise<unknown>]>([
  ['a push', () => push(windows, 'window')],
  ['a commit that is no push', () => write(TURN)],
  [
    'a chunked push has begun',
    () =>
      write(
        "MATCH (source:DataSource {key: $id}) SET source.status = 'PENDING', source.pending_push = 'a push'",
        { id: windows.data_source_id },
      ),
  ],
  [
    'it has ended',
    () =>
      write(
        "MATCH (source:DataSource {key: $id}) SET source.status = 'SUCCESS' REMOVE source.pending_push",
        { id: windows.data_source_id },
      ),
  ],
])('a search is read again after %s', async (_, happens) => {
  expect(await readsBeside(happens)).toBe(2);
});

test('the answer is as of the newest push', async () => {
  let id = '';
  let reads = 0;
  const answer = await settledAnswer(service.graph, 30, async () => {
    reads += 1;
    if (reads === 1) id = await push(windows, 'window');
  })();
  expect(answer).toMatchObject(E.right({ asOf: { push: id } }));
});

test('chunks of a chunked push leave an answer', async () => {
  const { data_source_id: id } = windows;
  await write("MATCH (source:DataSource {key: $id}) SET source.pending_push = 'a push'", { id });
  expect(await readsBeside(() => write(TURN))).toBe(1);
  await write('MATCH (source:DataSource {key: $id}) REMOVE source.pending_push', { id });
});

// Before, it was refused.
test('a search is answered as it was read last if something is committed each time', async () => {
  const all: string[] = [];
  const answer = await settledAnswer(service.graph, 30, async () => {
    all.push(await push(windows, 'window'));
    return all.length;
  })();
  expect(all.length).toBe(3);
  expect(answer).toMatchObject(E.right({ answer: 3, asOf: { push: all[1] } }));
});

test('later pages of a search are the rows that were read, until something is committed', async () => {
  const ahead = new ReadAhead();
  const find = jest.spyOn(ahead, 'find');
  const search = async (size: number, after: SearchPlace | null, isAhead = true) => {
    const answer = await searchEntities(
      service.graph,
      30,
      isAhead ? ahead : new ReadAhead(),
    )({
      filter: null,
      kinds: entityKinds,
      order: { field: 'name', type: 'text' },
      isDescending: false,
      size,
      after,
    })();
    if (E.isLeft(answer)) throw new Error(JSON.stringify(answer.left));
    return answer.right.answer;
  };
  const all = (await search(100, null, false)).entities;
  expect(all.length).toBeGreaterThan(5);
  const first = await search(2, null);
  expect(first.entities).toEqual(all.slice(0, 2));
  const second = await search(2, first.next);
  expect([second.entities, second.total]).toEqual([all.slice(2, 4), all.length]);
  expect(find).toHaveLastReturnedWith(expect.objectContaining({ total: all.length }));
  await push(windows, 'window');
  const now = await search(2, first.next, false);
  expect(await search(2, first.next)).toEqual(now);
  expect(find).toHaveLastReturnedWith(null);
});

const older = async (): Promise<void> => {
  const id = await push(windows, 'window');
  await write('MATCH (push:Push {id: $id}) SET push.at = push.at - duration("P9D")', { id });
};

test.each<[string, boolean, () => Promise<unknown>]>([
  ['a push', true, () => push(windows, 'window')],
  ['a push with an earlier time than those before', false, older],
  [
    'a push, and a commit that is none',
    false,
    async () => {
      await push(windows, 'window');
      await write(TURN);
    },
  ],
])('the history shows what %s changed: %s', async (_, isShown, happens) => {
  const instant = await runTransaction(service.graph, { mode: 'read' }, async (tx) => {
    const before = await readVersions(tx);
    await happens();
    return instantBefore(tx, before, await readVersions(tx));
  });
  expect(instant !== null).toBe(isShown);
});

/** Asks for the page of the application, while a push comes after memory was read some times. */
const pageBeside = async (times: number) => {
  const [row] = await ask(
    service.graph,
    "MATCH (n:Application {name: 'door'}) RETURN n.key AS key",
  );
  let asked = 0;
  const beside: AskMemory = (at, keys, answer) =>
    pipe(
      askMemoryOf(service.context)(at, keys, answer),
      TE.tap(() => {
        asked += 1;
        return asked > times ? TE.right(null) : TE.fromTask(() => push(doors, 'door'));
      }),
    );
  const found = await entityQuestion(beside, service.graph, 30)(String(row?.key), null, false)();
  return { asked, found };
};

test('the page of an entity is read again if something was committed after memory was read', async () => {
  const { asked, found } = await pageBeside(2);
  expect(asked).toBe(3);
  const [newest] = await ask(
    service.graph,
    'MATCH (push:Push) RETURN push.id AS id ORDER BY push.at DESC LIMIT 1',
  );
  expect(found).toMatchObject(E.right({ asOf: { push: newest?.id } }));
});

test('it is refused if that happens each time', async () => {
  const { found } = await pageBeside(Infinity);
  expect(found).toMatchObject(E.left({ _tag: 'Unavailable' }));
});
