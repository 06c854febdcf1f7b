import type { ErrorRequestHandler } from 'express';

import { badRequest, type Failure } from '../problem';
import type { Respond } from './exchange/respond';

// Express sets a status on errors of the request itself, such as a path with a wrong
// percent-encoding.
const isOfTheRequest = (error: unknown): boolean => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500;
};

/** The failure of a thrown error: a bug, unless the request itself is wrong. */
export const thrownFailure = (error: unknown): Failure =>
  isOfTheRequest(error)
    ? badRequest({ problems: [], total: 0 })
    : { _tag: 'Internal', message: 'The service failed.', cause: error };

/**
 * Answers a thrown error. It is a bug, so the answer is 500 with the request id and nothing else.
 */
export const handleErrors =
  (respond: Respond): ErrorRequestHandler =>
  (error: unknown, _req, res, next) => {
    // If the answer has begun, Express closes the connection.
    if (res.headersSent) next(error);
    else respond.failure(res, thrownFailure(error));
  };
