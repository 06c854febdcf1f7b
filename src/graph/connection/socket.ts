import { Socket } from 'node:net';

import type { Transaction } from 'neo4j-driver';

const held = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null
    ? (Reflect.get(object, name) as unknown)
    : undefined;

/** The socket of a transaction, to which the driver has no public way; its version is pinned. `null` where a new one keeps it elsewhere. */
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

/** Has all that is written in this turn of the event loop go out at once: the driver writes 1,400 bytes at a time, each of which costs a call of the system. */
export const writeAtOnce = (socket: Socket | null): void => {
  socket?.cork();
  setImmediate(() => socket?.uncork());
};
