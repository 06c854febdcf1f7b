import type { ErrorRequestHandler } from 'express';

import { invalid, type Failure } from '../problem';
import type { Respond } from './exchange/respond';

// Express gives a status to what a request itself got wrong, such as a path that is no percent-encoding.
const isOfTheRequest = (error: unknown): boolean => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500;
};

const thrownFailure = (error: unknown): Failure =>
  isOfTheRequest(error)
    ? invalid('The request is not valid.', { problems: [], total: 0 })
    : { _tag: 'Internal', message: 'The service failed.', cause: error };

/**
 * Answers a thrown error. It is a bug, so the answer is 500 with the request id and nothing else.
 */
export const handleErrors =
  (respond: Respond): ErrorRequestHandler =>
  (error: unknown, _req, res, next) => {
    // Express cuts the connection of an answer that has begun.
    if (res.headersSent) next(error);
    else respond.failure(res, thrownFailure(error));
  };
