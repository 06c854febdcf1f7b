import { createHash, timingSafeEqual } from 'node:crypto';

import type { RequestHandler } from 'express';

import type { Respond } from './respond';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const BEARER = /^Bearer +(\S+) *$/i;

/** Lets a request through that carries the key (spec: Authentication); all others are 401, whatever they ask for (api.md 3). */
export const authenticate = (apiKey: string, respond: Respond): RequestHandler => {
  const expected = digestOf(apiKey);
  return (req, res, next) => {
    const given = BEARER.exec(req.headers.authorization ?? '')?.[1];
    // Digests have one length, so the comparison takes one time whatever was sent.
    if (given !== undefined && timingSafeEqual(digestOf(given), expected)) {
      next();
      return;
    }
    const message =
      given === undefined
        ? 'A key is missing: send the header "authorization: Bearer <key>".'
        : 'The key is not known.';
    respond.failure(res, { _tag: 'Unauthenticated', message });
  };
};
