import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

import * as E from 'fp-ts/Either';

import { type Config, readConfig } from '../config';
import { printErrors } from '../visible-text';

const SECONDS = 4;

/**
 * Addresses on which a service listens, but which nobody can connect to, each with an address that
 * works.
 */
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The HTTP status with which the service of these settings answers on this machine. */
export const statusOf = ({ http, tls }: Config, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = {
      host: ANYWHERE[http.host] ?? http.host,
      port: http.port,
      path,
      signal: AbortSignal.timeout(SECONDS * 1000),
    };
    const answered = (answer: IncomingMessage): void => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    };
    const isTls = tls.mode !== undefined || tls.certFile !== undefined;
    // The certificate is for other host names. The request carries no secret.
    const request = isTls
      ? requestHttps({ ...options, rejectUnauthorized: false }, answered)
      : requestHttp(options, answered);
    request.once('error', reject).end();
  });

/** The health check of the image. It exits with 0 if `/healthz`, or the given path, answers 200. */
const main = async (): Promise<void> => {
  const config = readConfig(process.env);
  const path = process.argv[2] ?? '/healthz';
  try {
    if (E.isLeft(config)) throw new Error('the settings are wrong');
    const status = await statusOf(config.right, path);
    if (status !== 200) throw new Error(`it answers ${status}`);
  } catch (error) {
    printErrors(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
};

if (require.main === module) void main();
