import type { RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * How many requests of one connection may be under way. Browsers send the next one after the answer,
 * and few programs send more than some at once.
 */
const MOST_UNDER_WAY = 100;

/**
 * Closes a response that waits until those before it on its connection are sent. Node reports only to the
 * response that is being sent that its client has left.
 */
const close = (waiting: ServerResponse): void => {
  const gone = new Socket();
  gone.destroy();
  waiting.assignSocket(gone);
};

/**
 * Bounds the requests of one connection that are under way, and ends all of them when their client
 * leaves. A client may send requests before it has the answers to those before (pipelining). The
 * service closes the connection of a client that sends too many.
 */
export const boundRequestsOfConnection = (app: RequestListener): RequestListener => {
  const underWay = new WeakMap<Socket, Set<ServerResponse>>();
  const begin = (socket: Socket): Set<ServerResponse> => {
    const responses = new Set<ServerResponse>();
    underWay.set(socket, responses);
    socket.once('close', () => {
      for (const res of responses) if (res.socket === null && !res.closed) close(res);
    });
    return responses;
  };
  return (req, res) => {
    const { socket } = req;
    const responses = underWay.get(socket) ?? begin(socket);
    if (responses.size >= MOST_UNDER_WAY) {
      socket.destroy();
      return;
    }
    responses.add(res);
    res.once('close', () => responses.delete(res));
    app(req, res);
  };
};
