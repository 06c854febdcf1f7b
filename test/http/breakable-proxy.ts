import { connect, createServer, type Server, type Socket } from 'node:net';

import { anyPort } from '../../src/embedded/port';

/** A way to a server that can be cut and mended: to its clients, the server is down meanwhile. */
export interface BreakableProxy {
  readonly port: number;
  /** Ends all connections and takes no more. */
  cut(): Promise<void>;
  /** Takes connections again, at the same port. */
  mend(): Promise<void>;
  /** Keeps back what the server says from now on, and resolves once it has said something. */
  hold(): Promise<void>;
  /** Passes on what it kept back, and all that comes. */
  release(): void;
}

/** Stands before a server, at a free local port. */
export const breakableProxy = async (uri: string, isOpen = true): Promise<BreakableProxy> => {
  const target = new URL(uri);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const port = await anyPort();
  let kept: (() => void)[] | null = null;
  let hears = (): void => undefined;

  const say = (client: Socket, bytes: Buffer): void => {
    if (kept === null) {
      client.write(bytes);
      return;
    }
    kept.push(() => client.write(bytes));
    hears();
  };
  const accept = (client: Socket): void => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => say(client, bytes));
    upstream.on('end', () => client.end());
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  };
  const mend = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer(accept);
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server?.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  await mend();
  if (!isOpen) await cut();
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      kept = [];
      hears = resolve;
    });
  const release = (): void => {
    const passed = kept ?? [];
    kept = null;
    for (const pass of passed) pass();
  };
  return { port, cut, mend, hold, release };
};
