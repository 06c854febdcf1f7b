import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { builtSources } from '../support/built-sources';
import { testNeo4j } from '../support/neo4j';

/** The service in a process of its own, on `https://` with a certificate that it made itself unless set otherwise. */
export interface ServiceProcess {
  /** `https://127.0.0.1:port`, or `http://…` without TLS. */
  readonly address: string;
  readonly apiKey: string;
  /** The file of the certificate that its clients have to trust; empty without TLS. */
  readonly certificate: string;
  readonly pid: number;
  /** All that it has printed. */
  printed(): string;
  stop(): Promise<void>;
  /** Ends it without a word, and resolves when it is gone. */
  kill(): Promise<void>;
}

const API_KEY = 'Y29ubmVjdG9yczp0ZXN0';
/** Less than a test may take, so that a start which fails says what it printed. */
const START_MILLISECONDS = 300_000;
/** Many more than any test reads back: what it has seen must not move while it reads. */
const KEPT_CHARACTERS = 20_000_000;

/** Starts the service as its users do, on the tests' Neo4j and a free port. */
export const startServiceProcess = async (
  settings: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<ServiceProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-connectors-'));
  const entryPoint = join(builtSources(), 'main.js');
  const { uri, user, password, database } = testNeo4j();
  const child = spawn(process.execPath, [...nodeOptions, entryPoint], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      TLS: 'self-signed',
      API_KEY,
      DATA_DIR: folder,
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'info',
      NEO4J_URI: uri,
      NEO4J_USER: user,
      ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
      NEO4J_DATABASE: database,
      ...settings,
    },
  });
  const ended = once(child, 'close');
  // A soak prints much: the end of it tells what matters.
  let text = '';
  const keep = (chunk: unknown): void =>
    void (text = (text + String(chunk)).slice(-KEPT_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    const address = await listening(() => /"address":"(https?:[^"]+)"/.exec(text)?.[1], child);
    const certificate = address.startsWith('https:') ? join(folder, 'tls-certificate.pem') : '';
    await ready(address, certificate);
    return {
      address,
      apiKey: API_KEY,
      certificate,
      pid: child.pid as number,
      printed: () => text,
      stop,
      kill: () => {
        child.kill('SIGKILL');
        return stop();
      },
    };
  } catch (error) {
    await stop();
    throw new Error(`The service did not start:\n${text}`, { cause: error });
  }
};

async function listening(
  address: () => string | undefined,
  child: { readonly exitCode: number | null },
): Promise<string> {
  const deadline = performance.now() + START_MILLISECONDS;
  while (performance.now() < deadline && child.exitCode === null) {
    const found = address();
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error('It does not listen.');
}

async function ready(address: string, certificate: string): Promise<void> {
  const deadline = performance.now() + START_MILLISECONDS;
  while (performance.now() < deadline) {
    if ((await statusOf(`${address}/readyz`, certificate)) === 200) return;
    await sleep(100);
  }
  throw new Error('It is not ready.');
}

async function statusOf(address: string, certificate: string): Promise<number | undefined> {
  const ca = certificate === '' ? undefined : await readFile(certificate);
  return new Promise((resolve, reject) => {
    const asked = ca === undefined ? getPlain(address, answered) : get(address, { ca }, answered);
    function answered(answer: IncomingMessage): void {
      answer.resume();
      resolve(answer.statusCode);
    }
    asked.once('error', reject);
  });
}
