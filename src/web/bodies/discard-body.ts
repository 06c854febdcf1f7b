import type { Response } from 'express';

/**
 * Reads and drops the rest of a body before the service answers early. Otherwise a client that
 * still sends would not read the answer. If the client requested the end of the connection (as
 * Python's urllib does), Node closes it right after the answer, and bytes that arrive later would
 * destroy the answer. So this function closes the connection when both the request and the answer
 * are complete. The time limit of a request bounds the wait.
 */
export const hearOut = (res: Response): void => {
  const { req } = res;
  if (req.complete) return;
  req.resume();
  if (res.shouldKeepAlive) return;
  res.shouldKeepAlive = true;
  const end = (): void => {
    if (req.complete && res.writableFinished) req.socket.end();
  };
  req.once('end', end);
  res.once('finish', end);
};
