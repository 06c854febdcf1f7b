import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The beginning of Bolt: who we are, and the versions that we speak. */
const GREETING = Buffer.from('6060b01700080805000204040000000000000000', 'hex');
const DEFAULT_PORT = 7687;

const open = (uri: string): Socket => {
  const { hostname, port, protocol } = new URL(uri);
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) };
  // Nothing is told, and nothing believed: whether somebody answers is all that is asked.
  return /\+/.test(protocol)
    ? connectTls({ ...where, servername: hostname, rejectUnauthorized: false })
    : connect(where);
};

/** Whether the address stands for one server, and not for whichever members a cluster has now. */
export const isOneServer = (uri: string): boolean => uri.startsWith('bolt');

/** Whether Neo4j answers a greeting on a connection of its own, which is given up after so many milliseconds. */
export const greets = (uri: string, milliseconds: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = open(uri);
    const settle = (isThere: boolean): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(isThere);
    };
    const late = setTimeout(() => settle(false), milliseconds);
    late.unref();
    socket.once('data', () => settle(true));
    for (const event of ['error', 'end', 'close']) socket.once(event, () => settle(false));
    socket.write(GREETING);
  });
