import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { distribution } from '../../src/embedded/distribution';
import { findJavas, type Java } from '../../src/embedded/java';
import { CALENDAR } from '../../src/embedded/line';

/** A folder for caches of its own, with the jars of this machine's. */
export interface OwnCache {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly java: Java;
  readonly lib: string;
  remove(): Promise<void>;
}

/** Makes such a folder for the newest line, and for the first Java that is new enough. */
export const cacheOfItsOwn = async (leastRelease: number): Promise<OwnCache> => {
  const java = (await findJavas(process.env)).find(
    ({ release }) => release >= leastRelease && CALENDAR.java.includes(release),
  );
  if (java === undefined) throw new Error(`These tests need Java ${leastRelease} or later.`);
  const jars = await distribution(CALENDAR, {
    env: process.env,
    java,
    progress: () => undefined,
  });
  const root = await mkdtemp(join(tmpdir(), 'grantgraph-own-cache-'));
  const folder = join(root, 'grantgraph', `neo4j-${CALENDAR.version}`);
  await mkdir(folder, { recursive: true });
  const lib = join(folder, 'lib');
  await symlink(jars, lib);
  return {
    env: { ...process.env, XDG_CACHE_HOME: root, JAVA_HOME: java.home },
    java,
    lib,
    remove: () => rm(root, { recursive: true }),
  };
};
