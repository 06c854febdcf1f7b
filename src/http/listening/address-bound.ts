import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An open connection of a client. */
interface Open {
  readonly address: string;
  /** Requests that were received completely, and that the service works on. */
  working: number;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort'>;

const addressOf = ({ remoteAddress = '' }: Ends): string => remoteAddress;

// With TLS, a request has another socket than its connection, with the same ends.
const nameOf = (socket: Ends): string => `${addressOf(socket)} ${socket.remotePort ?? 0}`;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Bounds how many connections of one client address wait: those that are idle, that have sent
 * nothing, or whose request is not complete yet. The server closes more at once. A connection whose
 * request the service works on does not count. So whoever opens many connections, or sends slowly,
 * shuts out nobody else.
 */
export const boundByAddress = (
  server: Pick<Server, 'on'>,
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
    const [name, address] = [nameOf(socket), addressOf(socket)];
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

  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const open = connections.get(nameOf(req.socket));
    if (open === undefined) return;
    let isWorkedOn = false;
    const begin = (): void => {
      if (res.closed || open.working < 0) return;
      isWorkedOn = true;
      open.working += 1;
      if (open.working === 1) count(open.address, -1);
    };
    res.once('close', () => {
      if (!isWorkedOn || open.working < 0) return;
      open.working -= 1;
      if (open.working === 0) count(open.address, 1);
    });
    if (hasBody(req)) req.once('end', begin);
    else begin();
  });
};
