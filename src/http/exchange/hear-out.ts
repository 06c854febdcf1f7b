import type { Response } from 'express';

/**
 * Before an answer to a body that is still on its way: lets its client send to the end, so that it hears the answer. Node drops what nobody reads any more,
 * but where the client has asked for the connection's end (as Python's urllib does) it closes right behind the answer, and what
 * comes then tears that away. So the connection is ended here, once both are through; `LIMIT_REQUEST_SECONDS` bounds that.
 */
export const hearOut = (res: Response): void => {
  const { req } = res;
  if (req.complete || res.shouldKeepAlive) return;
  res.shouldKeepAlive = true;
  const end = (): void => {
    if (req.complete && res.writableFinished) req.socket.end();
  };
  req.once('end', end);
  res.once('finish', end);
};
