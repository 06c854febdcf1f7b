import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists } from '../distribution';
import type { Java } from '../java';

/**
 * A file in which Java stores the classes of Neo4j, loaded and linked, and what it learned of their
 * methods (JEP 483, 514 and 515). With it Neo4j starts with less work.
 */
export interface AotCache {
  readonly file: string;
  readonly exists: boolean;
}

/** Whether the service makes such a cache, only uses one that exists, or does neither. */
export type AotCacheUse = 'make' | 'use' | 'off';

/** The first Java that makes a cache in one run. */
const FIRST_RELEASE = 25;

/** How the names of all caches begin, and of the folders of their training runs. */
const PREFIX = 'aot-';

/**
 * The cache of a Java and of the jars of a line, in the folder above the jars. Its name changes with
 * whatever Java compares when it opens a cache: with Java itself, the jars and the options. An older
 * Java has none.
 */
export const aotCache = async (
  java: Java,
  lib: string,
  options: readonly string[],
): Promise<AotCache | undefined> => {
  if (java.release < FIRST_RELEASE) return undefined;
  const hash = createHash('sha256');
  const note = (...what: readonly unknown[]) => hash.update(`${JSON.stringify(what)}\n`);
  note(java.executable, options);
  note(await readFile(join(java.home, 'release'), 'utf8').catch(() => ''));
  for (const file of [join(java.home, 'lib', 'modules'), ...(await jarsIn(lib))]) {
    const { size, mtimeMs } = await stat(file);
    note(file, size, mtimeMs);
  }
  const file = join(dirname(lib), `${PREFIX}${hash.digest('hex').slice(0, 16)}`);
  return { file, exists: await exists(file) };
};

/**
 * The options with which Java uses a cache. It compares the checksums of the cache first, which takes
 * a tenth of a second. Java warns of a cache that it does not take, and goes on.
 */
export const usingOptions = ({ file }: AotCache): readonly string[] => [
  `-XX:AOTCache=${file}`,
  '-XX:+VerifySharedSpaces',
];

/** The option with which Java makes a cache when it ends. */
export const makingOption = (file: string): string => `-XX:AOTCacheOutput=${file}`;

/**
 * Whether Java said that a cache is damaged or made for something else. A cache that only does not
 * fit the settings of this run, such as a heap above 32 GB, is not.
 */
export const isDamaged = (output: string): boolean =>
  output.includes('An error has occurred while processing the AOT cache') &&
  !output.includes('Unable to use AOT cache');

/** A place for a training run, in the same file system as the cache. */
export const trainingFolder = ({ file }: AotCache): string => `${file}.`;

/** Removes a cache. A Neo4j that uses it goes on. */
export const discard = ({ file }: AotCache): Promise<void> => rm(file, { force: true });

/** Removes the caches of other Javas and jars, and what interrupted training runs left. */
export const discardOthers = async ({ file }: AotCache): Promise<void> => {
  const folder = dirname(file);
  const others = (await readdir(folder)).filter(
    (name) => name.startsWith(PREFIX) && ![basename(file), `${basename(file)}.lock`].includes(name),
  );
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true });
};

async function jarsIn(lib: string): Promise<string[]> {
  return (await readdir(lib)).sort().map((name) => join(lib, name));
}
