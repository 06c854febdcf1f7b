import { isIP } from 'node:net';

import type { Express } from 'express';

/**
 * Takes the address and the scheme of a client from `X-Forwarded-For` and `X-Forwarded-Proto`, but only
 * of proxies that the setting `TRUSTED_PROXIES` names (docs/operating.md: Behind a proxy). The last
 * address that no such proxy has counts. What is no address is dropped, and the address of the
 * connection counts.
 */
export const trustProxies = (app: Express, proxies: readonly string[]): void => {
  app.set('trust proxy', [...proxies]);
  app.use((req, _res, next) => {
    if (isIP(req.ip ?? '') === 0) delete req.headers['x-forwarded-for'];
    if (req.protocol !== 'http' && req.protocol !== 'https') {
      delete req.headers['x-forwarded-proto'];
    }
    next();
  });
};
