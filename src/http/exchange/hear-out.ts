import type { Response } from 'express';

/**
 * Before an answer to a body that is still on its way: the rest is read and dropped, or a client that sends on would not hear the answer. Where it has
 * asked for the connection's end (as Python's urllib does), Node ends it right behind the answer, and what comes then tears that away: so it is ended
 * here, once both are through; the time limit of a request bounds that.
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
