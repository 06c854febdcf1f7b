import { isIP } from 'node:net';

import type { Express } from 'express';

/** `192.0.2.1:5678`, `[2001:db8::1]:99` or `[2001:db8::1]`: some proxies name the port too. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

const withoutPorts = (header: string): string =>
  header
    .split(',')
    .map((each) => each.trim().replace(WITH_PORT, '$1$2'))
    .join(', ');

/**
 * Takes the address and the scheme of a client from `X-Forwarded-For` and `X-Forwarded-Proto`, but only
 * of proxies that the setting `TRUSTED_PROXIES` names (docs/operating.md: Behind a proxy). The last
 * address that no such proxy has counts, without its port. What is no address is dropped, and the
 * address of the connection counts.
 */
export const trustProxies = (app: Express, proxies: readonly string[]): void => {
  app.set('trust proxy', [...proxies]);
  app.use((req, _res, next) => {
    const { headers } = req;
    const forwarded = headers['x-forwarded-for'];
    if (forwarded !== undefined) headers['x-forwarded-for'] = withoutPorts(String(forwarded));
    if (isIP(req.ip ?? '') === 0) delete headers['x-forwarded-for'];
    if (req.protocol !== 'http' && req.protocol !== 'https') {
      delete headers['x-forwarded-proto'];
    }
    next();
  });
};
