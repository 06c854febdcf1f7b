import type { RequestHandler } from 'express';
import * as E from 'fp-ts/Either';

import type { Failure } from '../../problem';
import type { Respond } from '../exchange/respond';
import { foundFor } from '../routing/find-route';

/** Whether the graph has its schema. The check does not query Neo4j. */
export type CheckPrepared = () => E.Either<Failure, void>;

/**
 * Refuses requests that use the graph until it has its schema. Without the constraints, names and
 * keys would not be unique.
 */
export const requireGraph =
  (checkPrepared: CheckPrepared, respond: Respond): RequestHandler =>
  (_req, res, next) => {
    const { route } = foundFor(res);
    if (route === undefined || route.access === 'open' || route.isWithoutGraph) return next();
    const prepared = checkPrepared();
    if (E.isLeft(prepared)) respond.failure(res, prepared.left);
    else next();
  };
