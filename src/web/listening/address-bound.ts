import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { clientNetwork } from './client-network';

/** An open connection of a client. */
interface Open {
  /** Its client address, or the network of it. */
  readonly address: string;
  /** Requests with a key that were received completely, and that the service works on. */
  working: number;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort'>;

const addressOf = ({ remoteAddress = '' }: Ends): string => remoteAddress;

// With TLS, a request has another socket than its connection, with the same ends.
const nameOf = (socket: Ends): string => `${addressOf(socket)} ${socket.remotePort ?? 0}`;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** What to call once a request has signed in. */
const signedIn = new WeakMap<ServerResponse, () => void>();

/** Counts a request for its key, which has a bound of its own, and no longer for its address. */
export const countForKey = (res: ServerResponse): void => signedIn.get(res)?.();

/**
 * Bounds how many connections of one client address, or of one IPv6 network, wait: those that are
 * idle, that have sent nothing, whose request is not complete yet, or came without a key. The
 * server closes more at once. A connection does not count while the service works on a request with
 * a key. So a client that opens many connections, sends slowly, or reads public answers slowly
 * stops nobody else.
 */
export const boundByAddress = (
  server: Pick<Server, 'on' | 'prependListener'>,
  most: number,
  refused: (address: string) => void,
): void => {
  const connections = new Map<string, Open>();
  const waiting = new Map<string, number>();
  const count = (address: string, change: 1 | -1): void => {
    const now = (waiting.get(address) ?? 0) + change;
    if (now === 0) waiting.delete(address);
    else waiting.set(address, now);
  };

  server.on('connection', (socket: Socket) => {
    const [name, address] = [nameOf(socket), clientNetwork(addressOf(socket))];
    if ((waiting.get(address) ?? 0) >= most) {
      refused(address);
      socket.destroy();
      return;
    }
    const open: Open = { address, working: 0 };
    connections.set(name, open);
    count(address, 1);
    socket.once('close', () => {
      if (connections.get(name) === open) connections.delete(name);
      if (open.working === 0) count(address, -1);
      open.working = -Infinity;
    });
  });

  // This comes before the service receives the request, which may sign in at once.
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const open = connections.get(nameOf(req.socket));
    if (open === undefined) return;
    let [isComplete, hasKey, isWorkedOn] = [!hasBody(req), false, false];
    const begin = (): void => {
      if (!isComplete || !hasKey || isWorkedOn || res.closed || open.working < 0) return;
      isWorkedOn = true;
      open.working += 1;
      if (open.working === 1) count(open.address, -1);
    };
    res.once('close', () => {
      if (!isWorkedOn || open.working < 0) return;
      open.working -= 1;
      if (open.working === 0) count(open.address, 1);
    });
    req.once('end', () => {
      isComplete = true;
      begin();
    });
    signedIn.set(res, () => {
      hasKey = true;
      begin();
    });
  });
};
