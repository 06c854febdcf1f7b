import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { anyPort } from '../../src/embedded/port';
import { pythonEnvironment } from '../support/python-environment';
import { TOKEN } from './acting';

const VERSION = '0.8.3';

/** An application with SCIM that others have written. */
export interface Application {
  readonly base: string;
  stop(): Promise<void>;
}

/** The address that a server prints once it listens. What it prints later is read too: it must not wait. */
const announced = (child: ChildProcess): Promise<string> =>
  new Promise((found, failed) => {
    let printed = '';
    child.stdout?.on('data', (piece: Buffer) => {
      printed += piece.toString();
      const [, base] = /Serving SCIM on (\S+)/.exec(printed) ?? [];
      if (base !== undefined) found(base);
    });
    child.once('exit', () => failed(new Error(`scim2-server ended: ${printed}`)));
    child.once('error', failed);
  });

/** Starts `scim2-server` of PyPI, unchanged, on a free local port. */
export const scim2Server = async (): Promise<Application> => {
  const programs = await pythonEnvironment('scim2-server', VERSION);
  const port = await anyPort();
  const child = spawn(
    join(programs, 'scim2-server'),
    ['--bearer-token', TOKEN, '--hostname', '127.0.0.1', '--port', String(port)],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' },
    },
  );
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  try {
    return { base: await announced(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
