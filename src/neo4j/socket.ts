import { Socket } from 'node:net';

import type { Transaction } from 'neo4j-driver';

const held = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null
    ? (Reflect.get(object, name) as unknown)
    : undefined;

/**
 * Finds the socket of a transaction. The driver has no public way to it, but its version is pinned.
 * Returns `null` if a new version holds the socket elsewhere.
 */
export const socketOf = async (tx: Transaction): Promise<Socket | null> => {
  const getConnection = held(held(tx, '_connectionHolder'), 'getConnection') as
    (() => Promise<unknown>) | undefined;
  let connection = await getConnection?.call(held(tx, '_connectionHolder'));
  for (let inner = held(connection, '_delegate'); inner !== undefined;) {
    connection = inner;
    inner = held(connection, '_delegate');
  }
  const socket = held(held(connection, '_ch'), '_conn');
  return socket instanceof Socket ? socket : null;
};

/**
 * Sends all writes of this turn of the event loop at once. The driver writes 1,400 bytes at a time,
 * and each write costs a system call.
 */
export const writeAtOnce = (socket: Socket | null): void => {
  socket?.cork();
  setImmediate(() => socket?.uncork());
};
