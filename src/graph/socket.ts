import { Socket } from 'node:net';

import type { Runner } from './transaction';

const held = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null
    ? (Reflect.get(object, name) as unknown)
    : undefined;

/** The socket of a transaction, to which the driver has no public way; its version is pinned. `null` where a new one keeps it elsewhere. */
export const socketOf = async (tx: Runner): Promise<Socket | null> => {
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
