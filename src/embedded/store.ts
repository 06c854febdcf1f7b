import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Progress } from './distribution';
import { LINES, type LineName } from './line';
import { isAlive } from './process-state';
import { GRACE_SECONDS } from './server-process';
import { StartFailure } from './start-failure';

/** The folder of a line's server in the data folder. Each line has a store of its own. */
export const storeFolder = (dataFolder: string, line: LineName): string =>
  join(dataFolder, `neo4j-${line}`);

/** The lines of the stores in the data folder. */
export const existingStores = async (dataFolder: string): Promise<readonly LineName[]> => {
  const found = await Promise.all(
    LINES.map(async ({ name }) => {
      const databases = join(storeFolder(dataFolder, name), 'data', 'databases');
      return (await stat(databases).catch(() => undefined)) === undefined ? [] : [name];
    }),
  );
  return found.flat();
};

/** Makes the folders of a server, and writes its neo4j.conf. */
export const prepareHome = async (home: string, configuration: string): Promise<void> => {
  await mkdir(join(home, 'conf'), { recursive: true, mode: 0o700 });
  await mkdir(join(home, 'logs'), { recursive: true });
  await writeFile(join(home, 'conf', 'neo4j.conf'), configuration);
};

/** The processes that run a store: the server, and the service that started it, if it is known. */
interface Run {
  readonly server: number;
  readonly service: number | undefined;
}

const runFile = (folder: string): string => join(folder, 'run.json');

/** Records which processes run the store. The next start reads it. */
export const noteRun = (folder: string, server: number): Promise<void> =>
  writeFile(runFile(folder), JSON.stringify({ server, service: process.pid }));

/**
 * Waits until nothing runs the store. A server whose service is gone will soon end by itself. If
 * its service is alive, this function throws.
 */
export const awaitStore = async (folder: string, progress: Progress): Promise<void> => {
  const deadline = Date.now() + (GRACE_SECONDS + 10) * 1000;
  let isReported = false;
  for (let run = await runOf(folder); run !== undefined; run = await runOf(folder)) {
    const service =
      run.service !== undefined && (await isAlive(run.service)) ? run.service : undefined;
    if (service !== undefined || Date.now() > deadline) throw lockedBy(folder, run.server, service);
    if (!isReported)
      progress(`Waiting for the Neo4j of an earlier run to end (process ${run.server}) …`);
    isReported = true;
    await delay(200);
  }
};

/** The failure of a start on a store that another server holds. */
export const lockedBy = (folder: string, server?: number, service?: number): StartFailure => {
  const by = service === undefined ? '' : `, run by the Grantgraph of process ${service}`;
  const holder = server === undefined ? 'another Neo4j' : `another Neo4j (process ${server}${by})`;
  return new StartFailure(
    'store-locked',
    `The store in ${folder} is in use by ${holder}. Stop that one, or choose another DATA_DIR.`,
  );
};

async function runOf(folder: string): Promise<Run | undefined> {
  const noted = await notedRun(folder);
  if (noted !== undefined && (await isServerOf(folder, noted.server))) return noted;
  const server = await lockHolder(join(folder, 'data', 'databases', 'store_lock'));
  return server === undefined ? undefined : { server, service: undefined };
}

async function notedRun(folder: string): Promise<Run | undefined> {
  const text = await readFile(runFile(folder), 'utf8').catch(() => 'null');
  try {
    const run = JSON.parse(text) as Run | null;
    return run ?? undefined;
  } catch {
    // A crash cut the file short.
    return undefined;
  }
}

/** Whether the process is the server of this store, and not a later process with the same id. */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.includes(`--home-dir=${folder}\0`);
}

/** The process that holds a lock on the file, if the system shows it (Linux). */
async function lockHolder(file: string): Promise<number | undefined> {
  const [locks, lock] = await Promise.all([
    readFile('/proc/locks', 'utf8').catch(() => ''),
    stat(file).catch(() => undefined),
  ]);
  for (const line of locks.split('\n')) {
    const [, pid, inode] = /WRITE\s+(\d+)\s+\S+:(\d+)\s/.exec(line) ?? [];
    if (lock !== undefined && Number(inode) === lock.ino) return Number(pid);
  }
  return undefined;
}
