import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { storedSecret } from '../secrets/stored-secret';
import { configurationText, FIRST_COMPILER, javaArguments } from './configuration';
import { exists, type Progress } from './distribution';
import { fetchedNeo4j } from './fetch';
import type { LineChoice, LineName } from './line';
import { freePort } from './port';
import { awaitAnswer } from './readiness';
import { type ServerProcess, startServerProcess } from './server-process';
import { StartFailure } from './start-failure';
import { awaitStore, lockedBy, noteRun, prepareHome, storeFolder } from './store';
import {
  type AotCache,
  type AotCacheUse,
  discard,
  isDamaged,
  usingOptions,
} from './warm-start/aot-cache';
import { aotCacheOf, trainInBackground } from './warm-start/training';

/** How to start the embedded Neo4j. */
export interface EmbeddedOptions {
  /**
   * The folder of the store and the password. Without it the server is a throw-away one: it
   * requires no sign-in, and its data are removed with it.
   */
  readonly dataFolder?: string;
  /** 0 picks a free port. */
  readonly boltPort: number;
  /** 0 picks a free port. */
  readonly httpPort: number;
  /** The Java heap, such as `1g`. */
  readonly heap: string;
  readonly line?: LineName | undefined;
  /** If unset, the service makes a password once and stores it in the data folder. */
  readonly password?: string | undefined;
  /** Whether `neo4j://` addresses work too. One server does not need them. */
  readonly routes?: boolean;
  /** What to do about Java's AOT cache; by default a cache that exists is used. */
  readonly aotCache?: AotCacheUse;
  /** How many seconds after the start it begins to make a cache; by default TRAINING_DELAY_SECONDS. */
  readonly trainingDelaySeconds?: number;
  /**
   * Whether Java uses its first compiler only. That needs the least processor time within the first
   * minutes, and is slower later (docs/performance.md: Tests).
   */
  readonly firstCompilerOnly?: boolean;
  readonly progress: Progress;
  /** Reports what was done in the background. */
  readonly note?: Progress;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A Neo4j that runs on this machine for the service. */
export interface LocalNeo4j {
  /** Its Bolt address. */
  readonly uri: string;
  /** The address of its Neo4j Browser, without the path `/browser/`. */
  readonly httpAddress: string;
  readonly user: string;
  /** Unset if it requires no sign-in. */
  readonly password: string | undefined;
  readonly line: LineName;
  readonly version: string;
  /**
   * The command that deletes its data when it is stopped. The next start begins with an empty
   * graph.
   */
  readonly resetCommand: string;
  /** Settles when Neo4j has ended, whether the service stopped it or not. */
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

const READY_SECONDS = 600;

/** The first pushes and questions after a start need the processors themselves. */
const TRAINING_DELAY_SECONDS = 300;

/**
 * Starts Neo4j Community as a child of this process, and fetches it first if necessary. Neo4j ends
 * with this process, even if the process is killed. Rejects with a StartFailure.
 */
export const startEmbeddedNeo4j = async (options: EmbeddedOptions): Promise<LocalNeo4j> => {
  const { progress, env = process.env } = options;
  const dataFolder = options.dataFolder === undefined ? undefined : resolve(options.dataFolder);
  const { lib, ...choice } = await fetchedNeo4j({ dataFolder, line: options.line, env, progress });
  if (dataFolder === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'grantgraph-neo4j-'));
    return run({ ...choice, home: folder, lib, password: undefined, options });
  }
  const folder = storeFolder(dataFolder, choice.line.name);
  await awaitStore(folder, progress);
  const password = options.password ?? (await storedSecret(dataFolder, 'neo4j-password'));
  return run({ ...choice, home: folder, lib, password, options });
};

/** What one start of Neo4j needs. */
interface Launch extends LineChoice {
  readonly home: string;
  readonly lib: string;
  readonly password: string | undefined;
  readonly options: EmbeddedOptions;
}

/** Starts Neo4j with Java's AOT cache if there is one, and makes one for the next start if asked. */
async function run(launch: Launch): Promise<LocalNeo4j> {
  const { line, java, lib, options } = launch;
  const { aotCache: use = 'use', note = options.progress } = options;
  const cache = use === 'off' ? undefined : await aotCacheOf(launch);
  const isUsed = cache?.exists === true;
  const server = await (isUsed ? startWarm(launch, cache) : start(launch));
  if (use !== 'make' || cache === undefined || (isUsed && (await exists(cache.file))))
    return server;
  const delaySeconds = options.trainingDelaySeconds ?? TRAINING_DELAY_SECONDS;
  const training = trainInBackground({ line, java, lib, cache, note, delaySeconds });
  return {
    ...server,
    stop: async () => {
      await Promise.all([training.stop(), server.stop()]);
    },
  };
}

/** Starts Neo4j with a cache. A damaged cache is removed, and never stops a start. */
async function startWarm(launch: Launch, cache: AotCache): Promise<LocalNeo4j> {
  try {
    const server = await start(launch, cache);
    if (isDamaged(await readFile(consoleFileOf(launch), 'utf8'))) await discard(cache);
    return server;
  } catch (error) {
    // Java itself may end where a cache is damaged.
    if (!(error instanceof StartFailure) || error.kind !== 'server-failed') throw error;
    await discard(cache);
    return start(launch);
  }
}

const consoleFileOf = ({ home }: Launch): string => join(home, 'logs', 'console.log');

async function start(launch: Launch, cache?: AotCache): Promise<LocalNeo4j> {
  const { line, java, home, lib, password, options } = launch;
  const isThrowAway = options.dataFolder === undefined;
  const boltPort = await freePort(options.boltPort, 'NEO4J_BOLT_PORT');
  const httpPort = await freePort(options.httpPort, 'NEO4J_HTTP_PORT');
  const configuration = configurationText(line, {
    boltPort,
    httpPort,
    heap: options.heap,
    isThrowAway,
    routes: options.routes ?? false,
  });
  await prepareHome(home, configuration);
  const warm = cache === undefined ? '' : ', with its AOT cache';
  options.progress(`Starting Neo4j ${line.version} on Java ${java.release}${warm} …`);
  const consoleFile = consoleFileOf(launch);
  const settings = { heap: options.heap, isThrowAway };
  const server = await startServerProcess({
    command: java.executable,
    args: [
      ...(cache === undefined ? [] : usingOptions(cache)),
      ...(options.firstCompilerOnly === true && !isThrowAway ? [FIRST_COMPILER] : []),
      ...javaArguments(line, java.release, settings, { home, lib }),
    ],
    cwd: home,
    consoleFile,
    // A throw-away server has nothing to write when it ends.
    ...(isThrowAway ? { removeAfterwards: home, graceSeconds: 0 } : {}),
  });
  await noteRun(home, server.pid);
  const uri = `bolt://127.0.0.1:${boltPort}`;
  await ready(server, { uri, user: 'neo4j', password }, home, consoleFile);
  return {
    uri,
    httpAddress: `http://127.0.0.1:${httpPort}`,
    user: 'neo4j',
    password,
    line: line.name,
    version: line.version,
    resetCommand: `rm -r "${options.dataFolder ?? home}"`,
    exited: server.exited,
    stop: () => server.stop(),
  };
}

async function ready(
  server: ServerProcess,
  expected: Parameters<typeof awaitAnswer>[0],
  home: string,
  consoleFile: string,
): Promise<void> {
  const waiting = new AbortController();
  const ended = server.exited.then(async ({ code }) => {
    throw startFailure(code, home, await readFile(consoleFile, 'utf8').catch(() => ''));
  });
  const late = setTimeout(
    () => void lateFailure(home).then((failure) => waiting.abort(failure)),
    READY_SECONDS * 1000,
  );
  try {
    await Promise.race([awaitAnswer(expected, waiting.signal), ended]);
  } catch (error) {
    waiting.abort(error);
    await server.stop();
    throw error;
  } finally {
    clearTimeout(late);
    // When Neo4j is ready, `exited` shows the owner of the server when it ends.
    ended.catch(() => undefined);
  }
}

/** Why a running server does not answer. With a full disk it never will. */
export const lateFailure = async (folder: string): Promise<StartFailure> => {
  const log = await readFile(join(folder, 'logs', 'debug.log'), 'utf8').catch(() => '');
  const why = log.includes('No space left on device')
    ? `the disk of ${folder} is full (an empty store needs some 600 MB)`
    : `its logs are in ${join(folder, 'logs')}`;
  return new StartFailure(
    'server-failed',
    `Neo4j did not answer within ${READY_SECONDS} s; ${why}.`,
  );
};

/** The exit code of a Neo4j whose configuration is wrong. */
const BAD_CONFIGURATION = 3;

/** Why a server ended before it was ready, from its exit code and its output. */
export const startFailure = (code: number | null, folder: string, output: string): StartFailure => {
  if (
    /lock file has been locked by another process|StoreLockException|FileLockException/i.test(
      output,
    )
  ) {
    return lockedBy(folder);
  }
  if (/Address already in use/i.test(output)) {
    return new StartFailure(
      'port-taken',
      'Another program began to use a port of Neo4j while it started.',
    );
  }
  const last = output.trim().split('\n').slice(-15).join('\n');
  const why =
    code === BAD_CONFIGURATION
      ? `Neo4j refused its configuration (${join(folder, 'conf', 'neo4j.conf')}):`
      : `Neo4j ended before it was ready (${code === null ? 'by a signal' : `exit code ${code}`}); its logs are in ${join(folder, 'logs')}:`;
  return new StartFailure('server-failed', `${why}\n${last}`);
};
