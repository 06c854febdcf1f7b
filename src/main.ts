import * as E from 'fp-ts/Either';

import { configMessage, readConfig } from './config';
import { CertificateFailure } from './http/listening/certificate';
import { errorFields } from './log';
import { startMessage } from './start-message';
import { logOf, type Service, startService } from './start-service';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const main = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (E.isLeft(config)) {
    process.stderr.write(`${configMessage(config.left)}\n`);
    process.exitCode = 2;
    return;
  }
  const log = logOf(config.right);
  let service: Service | undefined;
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The second one does not wait, nor does one that comes while the service still starts.
      if (isStopping || service === undefined) process.exit(EXIT_CODES[signal]);
      isStopping = true;
      void service.stop().then(() => process.exit(0));
    });
  }
  // A bug in one request must not end the others'.
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', errorFields(error)));
  const fail = (error: unknown): void => {
    process.stderr.write(`${startMessage(error)}\n`);
    process.exit(error instanceof CertificateFailure ? 2 : 1);
  };
  try {
    service = await startService(config.right, { log, fail });
  } catch (error) {
    fail(error);
  }
};

void main();
