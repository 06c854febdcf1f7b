import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { configurationText, javaArguments, type ServerFolders } from '../configuration';
import { exists, lock, type Progress } from '../distribution';
import type { LineChoice } from '../line';
import { anyPort } from '../port';
import { awaitAnswer } from '../readiness';
import { type ServerProcess, startServerProcess } from '../server-process';
import { prepareHome } from '../store';
import {
  type AotCache,
  aotCache,
  discardOthers,
  isDamaged,
  makingOption,
  trainingFolder,
  usingOptions,
} from './aot-cache';

/** What a training run needs to know. */
export interface TrainingPlan extends LineChoice {
  /** The folder with the jars of the line. */
  readonly lib: string;
  readonly cache: AotCache;
  /** How long the run waits before it begins. */
  readonly delaySeconds: number;
  /** Reports what became of the run. */
  readonly note: Progress;
}

/** A training run in the background. */
export interface Training {
  /** Ends the run if it has not ended. It then leaves no cache. */
  stop(): Promise<void>;
  /** Resolves when the run has ended, however. */
  readonly ended: Promise<void>;
}

const HEAP = '256m';
/** The run does not begin with less free memory. Neo4j, and Java as it writes the cache, take less. */
const FREE_BYTES = 1.5 * 1024 ** 3;
const READY_SECONDS = 600;
/** How long Java may take to write the cache, at the lowest priority. */
const WRITING_SECONDS = 600;

/** The file of the cache for one version of Java and one release line of Neo4j. */
export const aotCacheOf = (
  choice: LineChoice & Pick<TrainingPlan, 'lib'>,
): Promise<AotCache | undefined> =>
  aotCache(choice.java, choice.lib, trainingArguments(choice, { home: '', lib: choice.lib }));

/**
 * Makes a cache for the next start of Neo4j: starts another Neo4j at the lowest priority, and stops
 * it again. One process of this machine does so at a time. Never rejects.
 */
export const trainInBackground = (plan: TrainingPlan): Training => {
  const stopping = new AbortController();
  const ended = trainLater(plan, stopping.signal).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    plan.note(`Java made no AOT cache for Neo4j: ${String(error)}`);
  });
  return {
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
};

/** The free memory of the machine, or of the container if that has less. */
function freeMemory(): number {
  // Node 20.12 does not know it.
  const ofContainer = 'availableMemory' in process ? process.availableMemory() : Infinity;
  return Math.min(freemem(), ofContainer);
}

async function trainLater(plan: TrainingPlan, signal: AbortSignal): Promise<void> {
  await sleep(plan.delaySeconds * 1000, undefined, { signal, ref: false });
  await trainAlone(plan, signal);
}

async function trainAlone(plan: TrainingPlan, signal: AbortSignal): Promise<void> {
  const { cache, note } = plan;
  const release = await lock(`${cache.file}.lock`);
  // Another process makes the cache.
  if (release === undefined) return;
  try {
    if (await exists(cache.file)) return;
    await discardOthers(cache);
    if (freeMemory() < FREE_BYTES) {
      return note('Java makes no AOT cache for Neo4j now: less than 1.5 GB of memory are free.');
    }
    await train(plan, signal);
  } finally {
    await release();
  }
}

async function train(plan: TrainingPlan, signal: AbortSignal): Promise<void> {
  const { cache, note } = plan;
  const begun = performance.now();
  const home = await mkdtemp(trainingFolder(cache));
  try {
    const draft = join(home, 'cache');
    await trainingRun(plan, home, draft, signal);
    if (isDamaged(await triedOut(plan, draft))) throw new Error('Java does not take it.');
    // The cache gets its final name only when it is complete, so nobody finds half of it.
    await rename(draft, cache.file);
    const megabytes = Math.round((await stat(cache.file)).size / 1024 ** 2);
    const seconds = Math.round((performance.now() - begun) / 1000);
    note(
      `Java made an AOT cache in ${seconds} s (${megabytes} MB, ${cache.file}): Neo4j starts faster next time.`,
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** What Java prints when it starts with a cache and with the jars of Neo4j, and does nothing. */
async function triedOut(plan: TrainingPlan, draft: string): Promise<string> {
  const { line, java, lib, cache } = plan;
  const args = trainingArguments(plan, { home: '', lib });
  const { stdout, stderr } = await promisify(execFile)(java.executable, [
    ...usingOptions({ ...cache, file: draft }),
    ...args.slice(0, args.indexOf(line.mainClass)),
    '-version',
  ]);
  return stdout + stderr;
}

/** Starts and stops a Neo4j, of which Java makes a cache when it ends. */
async function trainingRun(
  plan: TrainingPlan,
  home: string,
  draft: string,
  signal: AbortSignal,
): Promise<void> {
  const { line, java, lib } = plan;
  const boltPort = await anyPort();
  const settings = { boltPort, httpPort: await anyPort(), heap: HEAP };
  await prepareHome(
    home,
    configurationText(line, { ...settings, isThrowAway: true, routes: false }),
  );
  const server = await startServerProcess({
    command: java.executable,
    args: [makingOption(draft), ...trainingArguments(plan, { home, lib })],
    cwd: home,
    consoleFile: join(home, 'logs', 'console.log'),
    graceSeconds: WRITING_SECONDS,
    isInBackground: true,
  });
  signal.addEventListener('abort', () => server.kill());
  if (signal.aborted) server.kill();
  try {
    await awaitReady(server, `bolt://127.0.0.1:${boltPort}`, signal);
    await server.stop();
  } finally {
    server.kill();
    await server.exited;
  }
  signal.throwIfAborted();
}

async function awaitReady(server: ServerProcess, uri: string, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const end = AbortSignal.any([waiting.signal, signal, AbortSignal.timeout(READY_SECONDS * 1000)]);
  const ended = server.exited.then(({ code }) => {
    throw new Error(`its training run ended with exit code ${code}`);
  });
  try {
    await Promise.race([awaitAnswer({ uri, user: 'neo4j', password: undefined }, end), ended]);
  } finally {
    waiting.abort();
    ended.catch(() => undefined);
  }
}

/** What a Neo4j that keeps its data has, so that its Java takes the cache. */
function trainingArguments({ line, java }: LineChoice, folders: ServerFolders): readonly string[] {
  return javaArguments(line, java.release, { heap: HEAP, isThrowAway: false }, folders);
}
