import type { RequestHandler } from 'express';
import * as E from 'fp-ts/Either';

import type { Failure } from '../../problem';
import type { Respond } from '../exchange/respond';
import { foundFor } from '../routing/find-route';

/** Whether the graph has its schema, without asking it. */
export type CheckPrepared = () => E.Either<Failure, void>;

/** Lets nothing at the graph before its schema stands: without constraints, names and keys would not be unique. */
export const requireGraph =
  (checkPrepared: CheckPrepared, respond: Respond): RequestHandler =>
  (_req, res, next) => {
    const { route } = foundFor(res);
    if (route === undefined || route.access === 'open' || route.isWithoutGraph) return next();
    const prepared = checkPrepared();
    if (E.isLeft(prepared)) respond.failure(res, prepared.left);
    else next();
  };
