import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { hasCode } from '../error-code';
import { StartFailure } from './start-failure';

/**
 * Systems take the ports of outgoing connections from above these. So no connection takes a free port of
 * these before somebody listens on it, or while a server starts again.
 */
const [FIRST, END] = [20_000, 32_768];

/** Any port of this machine that is free. */
export const anyPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, END);
    try {
      return await tryPort(port);
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE')) throw error;
    }
  }
};

/** Checks that a port of this machine is free, and returns it. For 0 it returns any free port. */
export const freePort = async (port: number, variable: string): Promise<number> => {
  try {
    return port === 0 ? await anyPort() : await tryPort(port);
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new StartFailure(
        'port-taken',
        `Port ${port} (${variable}) is used by another program. Stop it, or set ${variable} to another port; 0 picks a free one.`,
      );
    }
    if (hasCode(error, 'EACCES')) {
      throw new StartFailure(
        'port-taken',
        `Port ${port} (${variable}) is reserved for the system: choose one above 1023.`,
      );
    }
    throw error;
  }
};

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(port));
    });
  });
}
