import type { RequestHandler } from 'express';

import { keyOf } from './turns';
import type { Respond } from '../exchange/respond';
import { countForKey } from '../listening/address-bound';
import { callerIfAny } from './caller';

/**
 * Bounds how many requests of one key are under way, from its sign-in to the end of the answer. So
 * one key cannot use up the connections of all. The service answers more with 429. A request
 * without a key counts in the bound of its address (docs/security.md: One caller does not starve
 * the others).
 */
export const boundKeyRequests = (most: number, respond: Respond): RequestHandler => {
  const underWay = new Map<string, number>();
  return (_req, res, next) => {
    const caller = callerIfAny(res);
    if (caller === undefined) return next();
    const key = keyOf(caller);
    const before = underWay.get(key) ?? 0;
    if (before >= most) {
      respond.failure(res, {
        _tag: 'Exhausted',
        message: `The key has ${most} requests under way; try again when some are answered.`,
      });
      return;
    }
    underWay.set(key, before + 1);
    res.once('close', () => {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    });
    countForKey(res);
    next();
  };
};
