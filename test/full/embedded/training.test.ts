import { copyFile, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { CALENDAR } from '../../../src/embedded/line';
import { type EmbeddedOptions, startEmbeddedNeo4j } from '../../../src/embedded/server';
import { aotCacheOf } from '../../../src/embedded/warm-start/training';
import { exists } from '../../../src/embedded/distribution';
import { cacheOfItsOwn, type OwnCache } from '../../support/own-cache';

jest.setTimeout(15 * 60_000);

let own: OwnCache;
let dataFolder: string;
let file: string;

beforeAll(async () => {
  own = await cacheOfItsOwn(25);
  dataFolder = await mkdtemp(join(tmpdir(), 'grantgraph-training-'));
  const cache = await aotCacheOf({ line: CALENDAR, java: own.java, lib: own.lib });
  if (cache === undefined) throw new Error('These tests need Java 25.');
  ({ file } = cache);
});
afterAll(async () => {
  await own.remove();
  await rm(dataFolder, { recursive: true });
});

const left = async (): Promise<readonly string[]> => (await readdir(dirname(file))).sort();

const start = (options: Partial<EmbeddedOptions>) =>
  startEmbeddedNeo4j({
    boltPort: 0,
    httpPort: 0,
    heap: '512m',
    line: 'calendar',
    env: own.env,
    progress: () => undefined,
    trainingDelaySeconds: 0,
    ...options,
  });

test('a training run that is stopped leaves nothing', async () => {
  const server = await start({ dataFolder, aotCache: 'make' });
  await server.stop();
  expect(await left()).toEqual(['lib']);
});

test('the first start makes a cache in the background, and the next one uses it', async () => {
  const noted = await new Promise<string>((resolve, reject) => {
    start({ dataFolder, aotCache: 'make', note: resolve }).then((server) => {
      stop = () => server.stop();
    }, reject);
  });
  await stop();
  expect(noted).toMatch(/^Java made an AOT cache in \d+ s \(\d+ MB, .*\): Neo4j starts faster/);
  expect((await stat(file)).size).toBeGreaterThan(50 * 1024 ** 2);
  expect(await left()).toEqual([file.slice(dirname(file).length + 1), 'lib']);
});

let stop = (): Promise<void> => Promise.resolve();

const DAMAGES: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'is whole': () => Promise.resolve(),
  'is cut off': async (path) => truncate(path, (await stat(path)).size / 2),
  'is empty': (path) => truncate(path, 0),
  'is something else': (path) => writeFile(path, 'something else'),
  'has other bytes within': async (path) => {
    const { size } = await stat(path);
    const handle = await open(path, 'r+');
    await handle.write(Buffer.alloc(4096, 0xa5), 0, 4096, Math.floor(size / 3));
    await handle.close();
  },
};

test.each(Object.entries(DAMAGES))('a cache that %s stops no start', async (what, damage) => {
  const kept = `${dataFolder}/kept`;
  if (await exists(kept)) await copyFile(kept, file);
  else await copyFile(file, kept);
  await damage(file);
  const told: string[] = [];
  const server = await start({ progress: (text) => told.push(text) });
  await server.stop();
  expect(told).toEqual([`Starting Neo4j ${CALENDAR.version} on Java 25, with its AOT cache …`]);
  expect(await exists(file)).toBe(what === 'is whole');
});
