/** @more access */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import * as E from 'fp-ts/Either';
import type { Driver, SessionConfig } from 'neo4j-driver';

import { finishDeletions } from '../../src/registry/deletion';
import { records } from '../../src/features';
import { restoreBackup, takeBackup } from '../../src/features/backup/backup';
import { checkBackup } from '../../src/features/backup/backup-file';
import * as digest from '../../src/access/columns/digest';
import { AccessChangesPacker } from '../../src/graph/records/access-commit';
import {
  LOCK_BINDING,
  TAKE_TURN,
  TELL_ACCESS,
} from '../../src/graph/statements/data-source-statements';
import { present } from '../../src/model/instant';
import { ask } from '../../src/neo4j/ask';
import { closeGraph, openGraph } from '../../src/neo4j/driver';
import { runTransaction } from '../../src/neo4j/transaction';
import { whileWanted } from '../../src/neo4j/unwanted';
import { toDateTime } from '../../src/neo4j/values';
import {
  accessMemory,
  type AccessMemory,
  type AccessThen,
} from '../../src/questions/memory/access-memory';
import { buffersOf } from '../../src/questions/memory/access-copy';
import { CatchUp } from '../../src/questions/memory/catch-up';
import * as commitFeed from '../../src/questions/memory/commits';
import { compareMemory, followCommits } from '../../src/questions/memory/watch-memory';
import { accessMemoryOf } from '../../src/questions/in-context';
import { breakableProxy } from '../http/breakable-proxy';
import { type PushedSource, pushCompany } from '../http/company';
import {
  type RegisteredIds,
  type ServiceUnderTest,
  serviceUnderTest,
  VAULT_KEY,
} from '../http/service-under-test';
import { testNeo4j } from '../support/neo4j';
import { testConfig } from '../support/test-config';
import { wikiOf } from './wiki';

let service: ServiceUnderTest;
let other: ServiceUnderTest;
let company: readonly PushedSource[];

beforeAll(async () => {
  service = await serviceUnderTest({ transactionRows: 40 });
  // Another process on the same graph, which nobody pushes to.
  other = await serviceUnderTest({}, { keep: true });
  company = await pushCompany(service);
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const memories = () => [service, other].map(({ context }) => accessMemoryOf(context));

const askBoth = async (): Promise<readonly AccessThen[]> => {
  const answers: AccessThen[] = [];
  for (const memory of memories()) {
    const answer = await memory.then(null, '/at')();
    if (E.isLeft(answer)) throw new Error(JSON.stringify(answer.left));
    answers.push(answer.right);
  }
  return answers;
};

/** Both processes hold what Neo4j holds. Returns how often they have loaded it. */
const expectSame = async (): Promise<readonly number[]> => {
  await askBoth();
  for (const memory of memories()) expect(await memory.compare()).toEqual([]);
  return memories().map((memory) => memory.state().loads);
};

/** Something happens, and no process loads the graph again because of it. */
const expectFed = async (happens: () => Promise<unknown>): Promise<void> => {
  const before = await expectSame();
  await happens();
  expect(await expectSame()).toEqual(before);
};

const sourceNamed = (at: number): PushedSource => company[at] as PushedSource;

const push = async (
  { path, id, data_source_id }: RegisteredIds,
  json_data: string,
): Promise<void> => {
  const answer = await service.post(path, { id, data_source_id, json_data });
  expect([answer.status, answer.text]).toMatchObject([200, expect.any(String)]);
};

/** The directory with some of its users only. */
const directoryOf = (from: number, to: number): string => {
  const { users, ...rest } = JSON.parse(sourceNamed(0).json_data) as { users: readonly object[] };
  return JSON.stringify({ ...rest, users: users.slice(from, to) });
};

/** Somebody writes to Neo4j by hand. */
const write = (cypher: string): Promise<unknown> =>
  runTransaction(service.graph, { mode: 'write' }, (tx) => tx.run(cypher));

const sourcePath = ({ path }: RegisteredIds): string => path.replace(/:push$/, '');

test('pushes that create, change and end facts reach both processes', async () => {
  const wiki = await service.register('application');
  await expectFed(() => push(wiki, wikiOf(['ann', 'bob'])));
  await expectFed(() => push(wiki, wikiOf(['bob', 'cleo'])));
  await expectFed(() => push(wiki, wikiOf(['ann', 'bob', 'cleo'])));
  const [one, two] = await askBoth();
  expect(one?.asOf).toEqual(two?.asOf);
});

test('a push in chunks, which begins and ends facts at one instant, reaches both processes', async () => {
  const directory = sourceNamed(0);
  await expectFed(() => push(directory, directoryOf(0, 24)));
  await expectFed(() => push(directory, directoryOf(12, 42)));
  await expectFed(() => push(directory, directory.json_data));
});

test('many pushes between two questions reach a process at once', async () => {
  const wiki = await service.register('application');
  await expectFed(async () => {
    for (let number = 0; number < 60; number += 1) {
      await push(wiki, wikiOf(['ann', `user ${number % 7}`]));
    }
  });
});

test('the deletion of a data source reaches both processes', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(Array.from({ length: 60 }, (_, number) => `user ${number}`)));
  await expectFed(async () => {
    expect((await service.send('delete', sourcePath(wiki))).status).toBe(200);
    await finishDeletions(service.deletions, () => false);
  });
});

test('processes forget the history of a data source that is deleted with it', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['zoe', 'ann']));
  await push(wiki, wikiOf(['ann']));
  const gone = `${wiki.data_source_id}|LocalUser|wiki|zoe`;
  for (const { graph } of await askBoth()) expect(graph.kind(graph.find(gone))).not.toBeNull();
  await expectSame();
  expect((await service.send('delete', `${sourcePath(wiki)}?erase=true`)).status).toBe(200);
  await finishDeletions(service.deletions, () => false);
  await expectSame();
  for (const { graph } of await askBoth()) expect(graph.find(gone)).toBe(-1);
});

test('processes forget an erased person', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['yara quillon', 'ann']));
  await expectSame();
  const plan = await service.post('/api/v1/erase', { principal: 'yara quillon' });
  const { confirmation: token } = (plan.body as { value: { confirmation: string } }).value;
  const done = await service
    .post('/api/v1/erase', { principal: 'yara quillon' })
    .set('Grantgraph-Confirm-Removal', token);
  expect([done.status, done.text]).toMatchObject([200, expect.stringContaining('"erased":true')]);
  await expectSame();
  for (const { graph } of await askBoth()) {
    expect(graph.find(`${wiki.data_source_id}|LocalUser|wiki|yara quillon`)).toBe(-1);
    expect(graph.texts.find('yara quillon')).toBe(-1);
  }
  expect(await ask(service.graph, 'MATCH (commit:AccessCommit) RETURN commit')).toEqual([]);
});

// Before, the one transaction of an erasure removed all records of a day.
test('an erasure removes most records of commits before its own transaction', async () => {
  await write(
    'UNWIND range(1, 1200) AS number CREATE (:AccessCommit {key: "old " + number, turn: 1})',
  );
  const removals: number[] = [];
  const { driver } = service.graph;
  const session = driver.session.bind(driver);
  const opening = jest.spyOn(driver, 'session').mockImplementation((config) => {
    removals.push(0);
    const at = removals.length - 1;
    const opened = session(config);
    const begin = opened.beginTransaction.bind(opened);
    opened.beginTransaction = (options) => {
      const tx = begin(options);
      const run = tx.run.bind(tx);
      tx.run = ((...statement: Parameters<typeof tx.run>) => {
        const result = run(...statement);
        void result.summary().then(
          ({ counters }) => (removals[at] = (removals[at] ?? 0) + counters.updates().nodesDeleted),
          () => undefined,
        );
        return result;
      }) as typeof tx.run;
      return tx;
    };
    return opened;
  });
  const plan = await service.post('/api/v1/erase', { principal: 'bob' });
  const { confirmation: token } = (plan.body as { value: { confirmation: string } }).value;
  const done = await service
    .post('/api/v1/erase', { principal: 'bob' })
    .set('Grantgraph-Confirm-Removal', token);
  expect([done.status, done.text]).toMatchObject([200, expect.any(String)]);
  opening.mockRestore();
  expect(removals.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(1_200);
  expect(Math.max(...removals)).toBeLessThanOrEqual(500);
});

test('what somebody changes in Neo4j is found, and the process loads the graph again', async () => {
  const before = await expectSame();
  await write('MATCH (:LocalUser)-[fact:HOLDS]->() WITH fact LIMIT 1 DELETE fact');
  for (const memory of memories()) {
    await compareMemory({ memory: () => memory, graph: service.graph });
  }
  const events = await ask(
    service.graph,
    "MATCH (event:Event {event_type: 'ACCESS_MEMORY_DIFFERED'}) RETURN event.message AS message",
  );
  expect(events).toMatchObject(
    [1, 2].map(() => ({ message: expect.stringContaining('HOLDS') as string })),
  );
  expect(await expectSame()).toEqual(before.map((loads) => loads + 1));
});

test('a commit of which nobody says what it changed is loaded', async () => {
  const before = await expectSame();
  await write(
    `MATCH (lock:BindingLock {key: 'binding'}) SET lock.turns = lock.turns + 1
     WITH lock MATCH (:LocalUser)-[fact:HOLDS]->() WITH fact LIMIT 1 DELETE fact`,
  );
  expect(await expectSame()).toEqual(before.map((loads) => loads + 1));
});

/** A memory of its own on the same graph. */
const freshMemory = () =>
  accessMemory(service.graph, { memoryBytes: 2 ** 26, loadSeconds: 60, seconds: 30 });

/** Asks, and says what went wrong. */
const answerOf = async (memory: AccessMemory): Promise<unknown> => {
  const answer = await memory.then(null, '/at')();
  return E.isRight(answer) ? 'answered' : answer.left;
};

/** Writes a commit by hand, which changes some nodes. */
const commitByHand = (keys: readonly string[] = []): Promise<unknown> => {
  const packer = new AccessChangesPacker();
  for (const key of keys) packer.node('put', key);
  return runTransaction(service.graph, { mode: 'write' }, async (tx) => {
    await tx.run(LOCK_BINDING, { push: 'by hand' });
    const { records } = await tx.run<{ turn: unknown }>(TAKE_TURN);
    const key = String(Number(records[0]?.get('turn')));
    await tx.run(TELL_ACCESS, { key, at: toDateTime(present()), changes: packer.packed });
  });
};

/** Whether a promise is pending until a transaction waits for a lock. */
const waitsForLock = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  void promise.finally(() => (isSettled = true));
  for (;;) {
    if (isSettled) return false;
    const blocked = await ask(
      service.graph,
      "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status",
    );
    if (blocked.length > 0) return true;
  }
};

// Neo4j shows a number before all of its commit for less than a millisecond. Here the number is one
// commit, and what it changed is another transaction, which still holds the lock of its record.
test.each(['follows', 'loads'])('a process that %s waits for the end of a commit', async (what) => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['ann']));
  const user = `${wiki.data_source_id}|LocalUser|wiki|ann`;
  const memory = freshMemory();
  if (what === 'follows') await memory.follow();
  await commitByHand([user]);
  const session = service.graph.driver.session();
  const ending = session.beginTransaction();
  await ending.run(
    `MATCH (lock:BindingLock) MATCH (commit:AccessCommit {turn: lock.turns})
     MATCH (user:LocalUser {key: $user}) SET commit.written = datetime(), user.name = 'as it ended'`,
    { user },
  );
  const answer = memory.then(null, '/at')();
  expect(await waitsForLock(answer)).toBe(true);
  await ending.commit();
  await session.close();
  const found = await answer;
  if (E.isLeft(found)) throw new Error(JSON.stringify(found.left));
  const { graph, moment } = found.right;
  expect(graph.name(graph.version(graph.find(user), moment))).toBe('as it ended');
  expect(await memory.compare()).toEqual([]);
});

test('who awaits a commit that is under way gets on after its end', async () => {
  const session = service.graph.driver.session();
  const writing = session.beginTransaction();
  await writing.run(LOCK_BINDING, { push: 'by hand' });
  const { records } = await writing.run<{ turn: unknown }>(TAKE_TURN);
  const turn = Number(records[0]?.get('turn'));
  const awaiting = runTransaction(service.graph, { mode: 'write', end: 'rollback' }, (tx) =>
    commitFeed.awaitCommit(tx, turn),
  );
  expect(await waitsForLock(awaiting)).toBe(true);
  await writing.rollback();
  await session.close();
  await awaiting;
});

// Before, two comparisons while Neo4j showed a part of a commit were a difference.
test('a comparison waits for the end of a commit of which Neo4j shows a part', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['ann']));
  const user = `${wiki.data_source_id}|LocalUser|wiki|ann`;
  const memory = freshMemory();
  await memory.follow();
  const session = service.graph.driver.session();
  const ending = session.beginTransaction();
  await ending.run(LOCK_BINDING, { push: 'by hand' });
  const { records } = await ending.run<{ turn: unknown }>(TAKE_TURN);
  await write(`MATCH (user:LocalUser {key: '${user}'}) SET user.name = 'as a part'`);
  const comparing = memory.compare();
  expect(await waitsForLock(comparing)).toBe(true);
  const packer = new AccessChangesPacker();
  packer.node('put', user);
  await ending.run(TELL_ACCESS, {
    key: String(Number(records[0]?.get('turn'))),
    at: toDateTime(present()),
    changes: packer.packed,
  });
  await ending.commit();
  await session.close();
  expect(await comparing).toEqual([]);
});

// Before, what a process had of a commit while it followed it could count as a difference.
test('a comparison leaves out what memory has of a commit that it follows', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['ann']));
  const memory = freshMemory();
  await memory.follow();
  const gate = (): { readonly opened: Promise<void>; open: () => void } => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { opened, open };
  };
  const [applied, followed] = [gate(), gate()];
  const { readNewest } = commitFeed;
  let read = 0;
  const reading = jest.spyOn(commitFeed, 'readNewest').mockImplementation(async (tx) => {
    const newest = await readNewest(tx);
    read += 1;
    // The second one ends a comparison, which waits until a commit is applied in part.
    if (read === 2) await applied.opened;
    return newest;
  });
  // What the commits changed is read from Neo4j after a part of it is in memory.
  const catching = jest.spyOn(CatchUp.prototype, 'mustRead', 'get').mockImplementation(() => {
    applied.open();
    return 1;
  });
  const reads = jest.spyOn(CatchUp.prototype, 'read').mockImplementation(() => followed.opened);
  const digested = jest.spyOn(digest, 'digestInSteps');
  const comparing = memory.compare();
  while (read < 2) await nextTurn();
  await commitByHand([`${wiki.data_source_id}|LocalUser|wiki|ann`]);
  const following = memory.follow();
  await applied.opened;
  await nextTurn();
  await nextTurn();
  expect(digested).not.toHaveBeenCalled();
  followed.open();
  await following;
  expect(await comparing).toEqual([]);
  for (const spy of [reading, catching, reads, digested]) spy.mockRestore();
});

// Before, a question was refused after 20 looks with news.
test('a question is answered although commits never rest', async () => {
  const memory = freshMemory();
  await memory.follow();
  let isDone = false;
  const writers = Array.from({ length: 8 }, async () => {
    while (!isDone) await commitByHand();
  });
  for (let asked = 0; asked < 5; asked += 1) {
    expect(await answerOf(memory)).toEqual('answered');
  }
  isDone = true;
  await Promise.all(writers);
  expect(memory.state().loads).toBe(1);
});

test('what was fed beside constant looks is what a process loads', async () => {
  const wiki = await service.register('application');
  const memory = freshMemory();
  const users = (from: number) => Array.from({ length: 60 }, (_, user) => `user ${from + user}`);
  for (const from of [0, 30, 10]) {
    let isDone = false;
    const looks = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        expect(await answerOf(memory)).toEqual('answered');
      }
    });
    await push(wiki, wikiOf(users(from)));
    isDone = true;
    await Promise.all(looks);
    expect(await memory.compare()).toEqual([]);
  }
  expect(memory.state().loads).toBe(1);
});

// Before, whoever repaired their own sound data source made each process load everything again.
test('a repair that finds nothing to repair makes nobody load the graph again', async () => {
  const verifyPath = `${sourcePath(sourceNamed(0))}:verify?repair=true`;
  await expectFed(async () => expect((await service.post(verifyPath, {})).status).toBe(200));
});

test('another graph in the same Neo4j is loaded, whatever its number is', async () => {
  const before = await expectSame();
  await write("MATCH (lock:BindingLock {key: 'binding'}) SET lock.epoch = randomUUID()");
  expect(await expectSame()).toEqual(before.map((loads) => loads + 1));
});

test('a graph that needs more memory than it may use is answered 503, and pushes go on', async () => {
  const wiki = await service.register('application');
  const small = accessMemory(service.graph, {
    memoryBytes: 50_000,
    loadSeconds: 60,
    seconds: 30,
  });
  for (let number = 0; number < 2; number += 1) {
    expect(await small.then(null, '/at')()).toMatchObject({
      left: {
        _tag: 'Unavailable',
        message: expect.stringContaining('ACCESS_MEMORY') as string,
      },
    });
  }
  // A minute long nobody tries again.
  expect(small.state()).toMatchObject({ phase: 'too large', loads: 1 });
  await followCommits({ memory: () => small, graph: service.graph })();
  const events = await ask(
    service.graph,
    "MATCH (event:Event {event_type: 'ACCESS_MEMORY_TOO_SMALL'}) RETURN event.message AS message",
  );
  expect(events).toMatchObject([
    {
      message: expect.stringMatching(
        /ACCESS_MEMORY.* Most of it comes from the provider .+: \d+ rows and \d+ past facts/,
      ) as string,
    },
  ]);
  await push(wiki, wikiOf(['ann']));
});

test('a question that waits too long for the graph is answered 503, and says how far it is', async () => {
  const limits = { memoryBytes: 2 ** 26, loadSeconds: 0, seconds: 30 };
  const memory = accessMemory(service.graph, limits);
  expect(await memory.then(null, '')()).toMatchObject({
    left: {
      _tag: 'Unavailable',
      message: expect.stringMatching(/^The service loads the graph of access: \d+ nodes/) as string,
    },
  });
  await memory.follow();
});

test('a plan, which is rolled back, changes nothing in memory', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['ann']));
  await expectFed(async () => {
    const { path, id, data_source_id } = wiki;
    const json_data = wikiOf(['bob']);
    const plan = await service.post(path.replace(/:push$/, ':plan'), {
      id,
      data_source_id,
      json_data,
    });
    expect(plan.status).toBe(200);
  });
});

test('a push that is dated before others, which ends what they began, reaches both processes', async () => {
  const [one, two] = [await service.register('application'), await service.register('application')];
  await push(one, wikiOf(['ann']));
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000);
  try {
    await expectFed(() => push(two, wikiOf(['ann', 'bob'])));
    await expectFed(() => push(two, wikiOf(['bob'])));
  } finally {
    clock.mockRestore();
  }
  await expectFed(() => push(one, wikiOf(['cleo'])));
});

test('many questions at once share a look at the commits', async () => {
  const memory = accessMemory(service.graph, {
    memoryBytes: 2 ** 26,
    loadSeconds: 60,
    seconds: 30,
  });
  await memory.follow();
  const looks = jest.spyOn(service.graph.driver, 'session');
  await Promise.all(Array.from({ length: 20 }, () => memory.then(null, '/at')()));
  // The first look began before the others came, so these need another one.
  expect(looks).toHaveBeenCalledTimes(2);
  looks.mockRestore();
});

// Before, the look of somebody who had left ended for those who came after them too.
test('a question is answered although another one, which waited for the same look, has left', async () => {
  const memory = freshMemory();
  await memory.follow();
  const running = answerOf(memory);
  const leaving = new AbortController();
  const left = whileWanted(leaving.signal, () => answerOf(memory));
  leaving.abort();
  expect(await answerOf(memory)).toEqual('answered');
  await Promise.all([running, left]);
});

// Before, what was read beside the graph could end after the next commit was applied in part.
test('a question at an instant is answered from a graph that nobody feeds meanwhile', async () => {
  const wiki = await service.register('application');
  await push(wiki, wikiOf(['ann']));
  const proxy = await breakableProxy(testNeo4j().uri);
  const slow = openGraph({ ...testNeo4j(), uri: `bolt://127.0.0.1:${proxy.port}` });
  // What a question at an instant reads beside the graph is slow.
  const driver = new Proxy(service.graph.driver, {
    get: (real, name: keyof Driver) =>
      name === 'session'
        ? (config: SessionConfig) =>
            (config.defaultAccessMode === 'READ' ? slow.driver : real).session(config)
        : (Reflect.get(real, name) as unknown),
  });
  const memory = accessMemory(
    { ...service.graph, driver },
    { memoryBytes: 2 ** 26, loadSeconds: 60, seconds: 30 },
  );
  try {
    await memory.follow();
    const reached = proxy.hold();
    const asking = memory.then(present(), '/at')();
    await reached;
    // The graph for the question is there.
    await memory.follow();
    await push(wiki, wikiOf(['bob']));
    await memory.follow();
    proxy.release();
    const found = await asking;
    if (E.isLeft(found)) throw new Error(JSON.stringify(found.left));
    expect(found.right.turns).toBe(memory.state().commit);
  } finally {
    memory.stop();
    await closeGraph(slow);
    await proxy.cut();
  }
});

// Before, a plan that held the derivation lock waited for the copy as long as another one compared.
test('who waits too long for a copy goes on without one', async () => {
  const memory = accessMemory(service.graph, {
    memoryBytes: 2 ** 26,
    loadSeconds: 60,
    seconds: 30,
    lendSeconds: 4,
  });
  await memory.loaded();
  const first = await memory.lend();
  // All but the orders is memory that ends with the copy.
  expect(buffersOf(first?.opened ?? {}).length).toBeGreaterThan(20);
  expect(await memory.lend()).toBeNull();
  first?.release();
  const next = await memory.lend();
  expect([first, next]).not.toContain(null);
  next?.release();
});

test('two processes that push by turns hold the same', async () => {
  const [one, two] = [await service.register('application'), await service.register('application')];
  await expectFed(async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const [by, to] = turn % 2 === 0 ? [service, one] : [other, two];
      const { path, id, data_source_id } = to;
      const json_data = wikiOf(['ann', `user ${turn}`]);
      expect((await by.post(path, { id, data_source_id, json_data })).status).toBe(200);
      if (turn === 3) await askBoth();
    }
  });
});

test('without a history, what ends is read from Neo4j, and the process does not load again', async () => {
  const without = await serviceUnderTest(
    {},
    { keep: true, settings: { retention: { ...testConfig().retention, historyDays: 0 } } },
  );
  try {
    const wiki = await service.register('application');
    const pushThere = async (users: readonly string[]): Promise<void> => {
      const { path, id, data_source_id } = wiki;
      const json_data = wikiOf(users);
      expect((await without.post(path, { id, data_source_id, json_data })).status).toBe(200);
    };
    await pushThere(['ann', 'bob']);
    await expectFed(() => pushThere(['bob']));
    await expectFed(() => pushThere(['ann']));
  } finally {
    await without.close();
  }
});

test('a restore under a running process is loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-memory-'));
  try {
    const file = join(folder, 'backup.gz');
    const patience = { waitSeconds: 20, mostSeconds: 600 };
    const build = { version: '9.9.9', commit: 'abc', rulesVersion: 3 };
    await takeBackup(service.graph, records, file, patience, build, VAULT_KEY);
    const wiki = await service.register('application');
    await push(wiki, wikiOf(['zoe']));
    const before = await expectSame();
    await write('MATCH (n) DETACH DELETE n');
    await restoreBackup(service.graph, records, await checkBackup(file, VAULT_KEY), {});
    expect(await expectSame()).toEqual(before.map((loads) => loads + 1));
    for (const { graph } of await askBoth()) {
      expect(graph.find(`${wiki.data_source_id}|LocalUser|wiki|zoe`)).toBe(-1);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a process that stops ends the load that it waits for', async () => {
  const memory = accessMemory(service.graph, {
    memoryBytes: 2 ** 26,
    loadSeconds: 60,
    seconds: 30,
  });
  memory.stop();
  await expect(memory.follow()).rejects.toThrow('nobody wants the answer');
  expect(memory.state()).toMatchObject({ phase: 'waiting' });
});

test('/readyz and the metrics say how far the graph is', async () => {
  const [memory] = memories();
  await memory?.follow();
  expect((await service.send('get', '/readyz')).body).toMatchObject({ access_graph: 'ready' });
  const { text } = await service.send('get', '/metrics');
  const { commit, loads } = memory?.state() ?? {};
  expect(text).toContain(`grantgraph_access_memory_commit ${commit}\n`);
  expect(text).toContain(`grantgraph_access_memory_loads ${loads}\n`);
  for (const what of ['nodes', 'relationships', 'bytes', 'limit_bytes']) {
    expect(text).toMatch(new RegExp(`grantgraph_access_memory_${what} [1-9]`));
  }
});
