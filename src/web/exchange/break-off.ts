import type { ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * Breaks an answer off, so that its reader sees that it is not complete. In HTTP/1.0 an answer
 * without a length is complete when its connection closes, so the service resets the connection.
 * With TLS it closes the connection without the close that TLS demands (docs/api.md: Streamed
 * answers).
 */
export const breakOff = (res: ServerResponse): void => {
  const { socket } = res;
  if (socket === null || socket instanceof TLSSocket) res.destroy();
  else socket.resetAndDestroy();
};
