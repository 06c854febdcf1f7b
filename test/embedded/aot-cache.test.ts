import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import {
  aotCache,
  discardOthers,
  isDamaged,
  trainingFolder,
} from '../../src/embedded/warm-start/aot-cache';

let root: string;
let lib: string;
const home = () => join(root, 'jvm');
const java = (release = 25) => ({ release, home: home(), executable: join(home(), 'bin', 'java') });
const OPTIONS = ['-XX:+UseG1GC'];
const nameNow = async (options: readonly string[] = OPTIONS): Promise<string> =>
  basename((await aotCache(java(), lib, options))?.file ?? '');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'grantgraph-aot-'));
  lib = join(root, 'neo4j', 'lib');
  await mkdir(lib, { recursive: true });
  await mkdir(join(home(), 'lib'), { recursive: true });
  await writeFile(join(home(), 'release'), 'JAVA_VERSION="25.0.1"');
  await writeFile(join(home(), 'lib', 'modules'), 'modules');
  await writeFile(join(lib, 'a.jar'), 'jar');
});
afterEach(() => rm(root, { recursive: true }));

test('the cache is above the jars, and an older Java has none', async () => {
  const cache = await aotCache(java(), lib, OPTIONS);
  expect(cache).toEqual({ file: join(root, 'neo4j', await nameNow()), exists: false });
  expect(await aotCache(java(24), lib, OPTIONS)).toBeUndefined();
});

test.each<[string, () => Promise<unknown>]>([
  ['Java has another build', () => writeFile(join(home(), 'release'), 'JAVA_VERSION="25.0.2"')],
  ['the modules of Java change', () => writeFile(join(home(), 'lib', 'modules'), 'other')],
  ['a jar changes', () => writeFile(join(lib, 'a.jar'), 'another')],
  ['a jar is as large, and newer', () => utimes(join(lib, 'a.jar'), 1, 1)],
  ['there is another jar', () => writeFile(join(lib, 'b.jar'), 'jar')],
])('the cache has another name once %s', async (_what, change) => {
  const before = await nameNow();
  expect(await nameNow()).toBe(before);
  await change();
  expect(await nameNow()).not.toBe(before);
});

test('the cache has another name with other options of Java', async () => {
  expect(await nameNow(['-XX:+UseSerialGC'])).not.toBe(await nameNow());
});

test('caches of other Javas and leavings of training runs go; jars, the cache and its lock stay', async () => {
  const cache = await aotCache(java(), lib, OPTIONS);
  if (cache === undefined) throw new Error('Java 25 has a cache.');
  const folder = join(root, 'neo4j');
  const name = basename(cache.file);
  for (const file of [name, `${name}.lock`, 'aot-0123456789abcdef', 'pom.xml']) {
    await writeFile(join(folder, file), '');
  }
  await mkdtemp(trainingFolder(cache));
  await discardOthers(cache);
  expect((await readdir(folder)).sort()).toEqual([name, `${name}.lock`, 'lib', 'pom.xml'].sort());
});

test.each([
  ['[0.004s][warning][aot] The AOT cache has been truncated.', true],
  ['[0.089s][warning][aot] Checksum verification failed.', true],
  ['[0.022s][warning][aot] Unable to use AOT cache.', false],
])('a cache is damaged where Java says %s: %s', (text, is) => {
  const error = '[0.1s][error  ][aot] An error has occurred while processing the AOT cache.';
  expect(isDamaged(`${text}\n${error}\n`)).toBe(is);
  // Java also warns of parts of a cache that it makes itself.
  expect(isDamaged('[0.3s][warning][aot] Failed to link AdapterHandlerEntry')).toBe(false);
});
