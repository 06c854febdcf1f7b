import type { Runner } from '../../neo4j/transaction';

/**
 * Limits the bytes that a transaction reads from now on, and closes its connection when they are
 * exceeded. The driver cannot stop within a row, because it reads each row completely into memory.
 * So only the socket can stop a row that is too large.
 */
export const boundBytes = ({ socket }: Runner, most: number) => {
  if (socket === null) {
    throw new Error('neo4j-driver has its socket elsewhere: its reading cannot be bounded');
  }
  let before = socket.bytesRead;
  const isExceeded = (): boolean => socket.bytesRead - before > most;
  const look = (): void => {
    // `destroy` needs an error here: the driver ignores a socket that its own side closes without
    // one.
    if (isExceeded()) socket.destroy(new Error('more was sent than is read'));
  };
  socket.prependListener('data', look);
  return {
    /** Whether Neo4j sent more than the limit. Then the connection is closed. */
    isExceeded,
    /** Counts from the start again. */
    restart: (): void => {
      before = socket.bytesRead;
    },
    /** Stops counting. */
    release: (): void => {
      socket.off('data', look);
    },
  };
};
