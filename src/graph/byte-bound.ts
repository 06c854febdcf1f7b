import { Socket } from 'node:net';

import type { Runner } from './transaction';

/** How much a server may send. */
export interface ByteBound {
  /** Whether it sent more, and nothing further is read. */
  isExceeded(): boolean;
  /** Counts no longer. */
  release(): void;
}

const held = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null
    ? (Reflect.get(object, name) as unknown)
    : undefined;

/**
 * The socket of a transaction. The driver has no public way to it, nor to stop within a row, which it hands out only when all of it stands in
 * memory; its version is pinned, and a test asks for a row that is too large.
 */
const socketOf = async (tx: Runner): Promise<Socket> => {
  const getConnection = held(held(tx, '_connectionHolder'), 'getConnection') as
    (() => Promise<unknown>) | undefined;
  let connection = await getConnection?.call(held(tx, '_connectionHolder'));
  for (let inner = held(connection, '_delegate'); inner !== undefined;) {
    connection = inner;
    inner = held(connection, '_delegate');
  }
  const socket = held(held(connection, '_ch'), '_conn');
  if (socket instanceof Socket) return socket;
  throw new Error('neo4j-driver keeps its socket elsewhere: what it reads cannot be bounded');
};

/** Bounds the bytes that are read for a transaction from now on: its connection is closed at the first above. */
export const boundBytes = async (tx: Runner, most: number): Promise<ByteBound> => {
  const socket = await socketOf(tx);
  const before = socket.bytesRead;
  const isExceeded = (): boolean => socket.bytesRead - before > most;
  const look = (): void => {
    // An error, since the driver listens to no other end of its own making.
    if (isExceeded()) socket.destroy(new Error('more was sent than is read'));
  };
  socket.prependListener('data', look);
  return { isExceeded, release: () => socket.off('data', look) };
};
