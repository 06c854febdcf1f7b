import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from './start-failure';

/** What is run, and where. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The file that takes what the server prints. */
  readonly consoleFile: string;
  /** A folder to remove once the server has ended, however that came about. */
  readonly removeAfterwards?: string;
}

/** A server that runs below a watcher, which stops it when this process is gone. */
export interface ServerProcess {
  /** The server's process id (not the watcher's). */
  readonly pid: number;
  /** Settles when the server has ended; the code is null when a signal ended it. */
  readonly exited: Promise<{ readonly code: number | null }>;
  /** Ends the server cleanly, or by force after 30 s (neo4j.md 1). */
  stop(): Promise<void>;
}

/** How long a server may take to end by itself. */
export const GRACE_SECONDS = 30;

/** Starts a server below a watcher. */
export const startServerProcess = async (server: ServerCommand): Promise<ServerProcess> => {
  const { command, args, cwd, removeAfterwards } = server;
  const order = { command, args, cwd, graceSeconds: GRACE_SECONDS, removeAfterwards };
  const consoleFile = await open(server.consoleFile, 'w');
  // In a session of its own: Ctrl-C in the terminal is for the service, which stops the server last.
  const watcher = fork(join(__dirname, 'watcher.cjs'), [JSON.stringify(order)], {
    cwd,
    detached: true,
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', consoleFile.fd, consoleFile.fd, 'ipc'],
  });
  await consoleFile.close();

  let code: number | null = null;
  let pid: number | undefined;
  const started = new Promise<number>((resolve, reject) => {
    watcher.on('message', (message: { pid?: number; error?: string; code?: number | null }) => {
      if (message.pid !== undefined) resolve((pid = message.pid));
      if (message.error !== undefined) reject(new StartFailure('server-failed', message.error));
      if (message.code !== undefined) code = message.code;
    });
    watcher.once('error', reject);
    watcher.once('exit', () => {
      reject(new StartFailure('server-failed', `The watcher of ${command} ended.`));
    });
  });
  const exited = new Promise<{ readonly code: number | null }>((resolve) => {
    watcher.once('exit', (_code, signal) => {
      // A watcher that was killed itself leaves the server behind.
      if (signal !== null && pid !== undefined) kill(pid);
      resolve({ code });
    });
  });
  return {
    pid: await started,
    exited,
    stop: async () => {
      if (watcher.connected) watcher.send('stop');
      await exited;
    },
  };
};

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
