/** @more restarts */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exists } from '../../src/embedded/distribution';
import { CALENDAR } from '../../src/embedded/line';
import { isAlive } from '../../src/embedded/process-state';
import {
  type EmbeddedOptions,
  type LocalNeo4j,
  startEmbeddedNeo4j,
} from '../../src/embedded/server';
import { aotCacheOf } from '../../src/embedded/warm-start/training';
import { builtSources } from '../support/built-sources';
import { cacheOfItsOwn } from '../support/own-cache';
import { type TestNeo4j, testDriver } from '../support/neo4j';

let dataFolder: string;
let owner: ChildProcess | undefined;
let server: LocalNeo4j | undefined;

const start = (options: Partial<EmbeddedOptions> = {}): Promise<LocalNeo4j> =>
  startEmbeddedNeo4j({
    dataFolder,
    boltPort: 0,
    httpPort: 0,
    heap: '512m',
    progress: () => undefined,
    ...options,
  });

const ask = async (
  on: Pick<TestNeo4j, 'uri'> & { password?: string | undefined },
  cypher: string,
) => {
  const password = on.password === undefined ? {} : { password: on.password };
  const driver = testDriver({ uri: on.uri, user: 'neo4j', database: 'neo4j', ...password });
  try {
    return (await driver.executeQuery(cypher)).records.map((record) => record.toObject());
  } finally {
    await driver.close();
  }
};

const serverOf = async (folder: string): Promise<number> => {
  const text = await readFile(join(folder, 'neo4j-5.26', 'run.json'), 'utf8');
  return (JSON.parse(text) as { server: number }).server;
};

const untilEnded = async (pid: number): Promise<void> => {
  while (await isAlive(pid)) await sleep(100);
};

beforeAll(async () => {
  dataFolder = await mkdtemp(join(os.tmpdir(), 'grantgraph-embedded-'));
});

afterAll(async () => {
  owner?.kill('SIGKILL');
  await server?.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

test('a first start makes a password that only its owner can read, and asks for it', async () => {
  owner = fork(join(__dirname, 'owner.cjs'), [builtSources(), dataFolder]);
  const [started] = (await once(owner, 'message')) as [{ uri: string; password: string }];
  const file = join(dataFolder, 'neo4j-password');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, 'utf8')).trim()).toBe(started.password);
  await ask(started, "CREATE (:Kept {name: 'over the crash'})");
  await expect(ask({ uri: started.uri, password: 'neo4j' }, 'RETURN 1')).rejects.toThrow(
    /unauthorized/,
  );
});

test('a second service on the same data folder is told which process runs it', async () => {
  const neo4j = await serverOf(dataFolder);
  await expect(start()).rejects.toThrow(
    `(process ${neo4j}, run by the Grantgraph of process ${owner?.pid})`,
  );
});

test('a taken port is named', async () => {
  const configuration = await readFile(
    join(dataFolder, 'neo4j-5.26', 'conf', 'neo4j.conf'),
    'utf8',
  );
  const port = Number(/bolt\.listen_address=127\.0\.0\.1:(\d+)/.exec(configuration)?.[1]);
  const other = await mkdtemp(join(os.tmpdir(), 'grantgraph-embedded-'));
  await expect(start({ dataFolder: other, boltPort: port })).rejects.toThrow(
    `Port ${port} (NEO4J_BOLT_PORT) is used`,
  );
  await rm(other, { recursive: true });
});

test('kill -9 of the service leaves no Neo4j behind, and the next start has line and data', async () => {
  const neo4j = await serverOf(dataFolder);
  owner?.kill('SIGKILL');
  // At once: the next start waits for the dying server by itself.
  server = await start({ routes: true });
  expect(server.line).toBe('5.26');
  expect(await isAlive(neo4j)).toBe(false);
  expect(await ask(server, 'MATCH (n:Kept) RETURN n.name AS name')).toEqual([
    { name: 'over the crash' },
  ]);
  const routed = { uri: server.uri.replace('bolt:', 'neo4j:'), password: server.password };
  expect(await ask(routed, 'RETURN 1 AS one')).toHaveLength(1);
  const running = await serverOf(dataFolder);
  expect(running).not.toBe(neo4j);
  await server.stop();
  server = undefined;
  await untilEnded(running);
});

test('a store is not opened by another line', async () => {
  await expect(start({ line: 'calendar' })).rejects.toThrow(/store of Neo4j's line 5\.26/);
});

test('a password that is not the store’s is refused in words, and nothing is left running', async () => {
  await expect(start({ password: 'another-password' })).rejects.toThrow(/password is another one/);
  expect(await isAlive(await serverOf(dataFolder))).toBe(false);
});

test('a throw-away server asks for no sign-in and takes its data with it', async () => {
  // Java takes no such cache.
  const cacheFolder = await cacheOfItsOwn(21);
  const cache = await aotCacheOf({ ...cacheFolder, line: CALENDAR });
  if (cache !== undefined) await writeFile(cache.file, 'no cache');
  // Its own: other tests start and stop such servers at the same time.
  const folder = await mkdtemp(join(os.tmpdir(), 'grantgraph-lifecycle-'));
  const temporary = jest.spyOn(os, 'tmpdir').mockReturnValue(folder);
  const one = await startEmbeddedNeo4j({
    boltPort: 0,
    httpPort: 0,
    heap: '512m',
    env: cacheFolder.env,
    progress: () => undefined,
  });
  if (cache !== undefined) expect(await exists(cache.file)).toBe(false);
  expect(await ask({ uri: one.uri }, 'RETURN 1 AS one')).toHaveLength(1);
  // The newest line, which would broadcast.
  expect(
    await ask(
      { uri: one.uri },
      "SHOW SETTINGS YIELD name, value WHERE name STARTS WITH 'server.fleet_discovery.enabled' RETURN value",
    ),
  ).toEqual([{ value: 'false' }]);
  const browser = await fetch(`${one.httpAddress}/browser/`);
  expect(await browser.text()).toContain('<title>Neo4j Browser</title>');
  expect(await readdir(folder)).toHaveLength(1);
  await one.stop();
  expect(await readdir(folder)).toEqual([]);
  temporary.mockRestore();
  await rmdir(folder);
  await cacheFolder.remove();
});
