import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchNeo4j } from './neo4j-server';

/** Seconds by step, as the service measures them. */
export type Steps = Readonly<Record<string, number>>;

/**
 * The sizes that the service derives from the memory of the machine. It logs them when it starts.
 */
export interface ToldSizes {
  readonly memory: string;
  readonly push_thread_memory: string;
  readonly body_bytes: number;
  readonly bodies_bytes: number;
  readonly json_bytes: number;
}

/** The service in a process of its own, as users run it. */
export interface ServiceProcess {
  readonly address: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly sizes: ToldSizes | undefined;
  /** Whether the process still runs. */
  readonly isAlive: () => boolean;
  /** Seconds by step of an answered push, from the log of the service. */
  steps(push: string): Promise<Steps>;
  stop(): Promise<void>;
  /** Kills the process, as a crash does. */
  kill(): Promise<void>;
}

const API_KEY = 'bench-of-a-service-on-loopback';
const START_SECONDS = 60;

interface LogLine extends Partial<ToldSizes> {
  readonly level?: string;
  readonly message?: string;
  readonly address?: string;
  readonly path?: string;
  readonly push_id?: string;
  readonly seconds?: Steps;
}

const parsed = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
};

/**
 * Starts the main program of the service on a free port of loopback. `starter` is a command that
 * starts it, and `main` is the program of another build.
 */
export const startServiceProcess = async (
  neo4j: BenchNeo4j,
  folder: string,
  profile: string | undefined,
  settings: Readonly<Record<string, string>> = {},
  starter: readonly string[] = [],
  main = join(__dirname, '../src/main.js'),
): Promise<ServiceProcess> => {
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const [program = '', ...args] = [...starter, process.execPath, ...profiling, main];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      API_KEY,
      DATA_DIR: folder,
      NEO4J_URI: neo4j.uri,
      NEO4J_USER: neo4j.user,
      NEO4J_PASSWORD: neo4j.password,
      NEO4J_DATABASE: neo4j.database,
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'info',
      ...settings,
    },
  });
  const exited = once(child, 'exit');
  const steps = new Map<string, Steps>();
  let sizes: ToldSizes | undefined;
  const lines = createInterface({ input: child.stdout });
  const address = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const said = parsed(line);
      // Prints warnings and errors, except that the service is not ready yet.
      const isWrong = said.level === 'warn' || said.level === 'error';
      if (isWrong && said.path !== '/readyz') process.stderr.write(`${line}\n`);
      if (said.message === 'memory') sizes = said as ToldSizes;
      if (said.message === 'listening' && said.address !== undefined) resolve(said.address);
      if (said.push_id !== undefined && said.seconds !== undefined) {
        steps.set(said.push_id, said.seconds);
      }
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('The service ended before it listened.')));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
  try {
    await ready(await address);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: await address,
    apiKey: API_KEY,
    pid: child.pid as number,
    sizes,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    steps: async (push) => {
      // The answer may arrive before the log line.
      for (let tried = 0; tried < 100 && !steps.has(push); tried += 1) await sleep(20);
      return steps.get(push) ?? {};
    },
    stop,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const ready = async (address: string): Promise<void> => {
  const deadline = performance.now() + START_SECONDS * 1000;
  while (performance.now() < deadline) {
    if ((await fetch(`${address}/readyz`)).ok) return;
    await sleep(100);
  }
  throw new Error(`The service was not ready within ${START_SECONDS} s.`);
};
