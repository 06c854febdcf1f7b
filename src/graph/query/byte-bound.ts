import type { Runner } from '../connection/transaction';

/** How much a server may send. */
export interface ByteBound {
  /** Whether it sent more, and nothing further is read. */
  isExceeded(): boolean;
  /** Counts no longer. */
  release(): void;
}

/**
 * Bounds the bytes that are read for a transaction from now on: its connection is closed at the first above. The driver has no way to stop within a
 * row, which it hands out only when all of it stands in memory; a test asks for a row that is too large.
 */
export const boundBytes = ({ socket }: Runner, most: number): ByteBound => {
  if (socket === null) {
    throw new Error('neo4j-driver keeps its socket elsewhere: what it reads cannot be bounded');
  }
  const before = socket.bytesRead;
  const isExceeded = (): boolean => socket.bytesRead - before > most;
  const look = (): void => {
    // An error, since the driver listens to no other end of its own making.
    if (isExceeded()) socket.destroy(new Error('more was sent than is read'));
  };
  socket.prependListener('data', look);
  return { isExceeded, release: () => socket.off('data', look) };
};
