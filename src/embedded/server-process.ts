import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from './start-failure';

/** The command to run, and its folder. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The file that receives the output of the server. */
  readonly consoleFile: string;
  /** A folder that the watcher removes when the server has ended, for whatever reason. */
  readonly removeAfterwards?: string;
  /** How long the server may take to stop by itself; 30 s if unset. */
  readonly graceSeconds?: number;
  /** Whether the server has the lowest priority. */
  readonly isInBackground?: boolean;
}

/** A server that runs below a watcher. The watcher stops the server when this process is gone. */
export interface ServerProcess {
  /** The process id of the server, not of the watcher. */
  readonly pid: number;
  /** Resolves when the server has ended. The code is null if a signal ended it. */
  readonly exited: Promise<{ readonly code: number | null }>;
  /** Stops the server, by force if it takes longer than its grace. */
  stop(): Promise<void>;
  /** Ends the server and its children at once. */
  kill(): void;
}

/** How long a server may take to stop by itself. */
export const GRACE_SECONDS = 30;

/** Starts a server below a watcher. */
export const startServerProcess = async (server: ServerCommand): Promise<ServerProcess> => {
  const { command, args, cwd, removeAfterwards, isInBackground } = server;
  const { graceSeconds = GRACE_SECONDS } = server;
  const order = { command, args, cwd, graceSeconds, removeAfterwards, isInBackground };
  const consoleFile = await open(server.consoleFile, 'w');
  // The watcher has a session of its own. So Ctrl-C in the terminal reaches only the service, which
  // stops the server last.
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
      // Somebody killed the watcher, so nothing else stops the server.
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
    // The watcher leads a group of processes, of which Java and its children are members.
    kill: () => {
      if (watcher.pid !== undefined && process.platform !== 'win32') kill(-watcher.pid);
      else if (pid !== undefined) kill(pid);
    },
  };
};

/** Ends a process, or all processes of a group, whose number is negative. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The server has ended already.
  }
}
