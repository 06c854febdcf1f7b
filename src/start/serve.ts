import * as E from 'fp-ts/Either';

import { configRefusal, readConfig } from '../config';
import { CertificateFailure } from '../web/listening/certificate';
import { errorFields } from '../log';
import { logOf, type Service, startService } from './start-service';
import { tellFailure } from './tell-failure';
import { hasCode } from '../error-code';
import { StartFailure } from '../embedded/start-failure';
import { UnreadableStore } from '../graph/migration/migrate';

/**
 * Why the service did not start. If the reason lies outside the service, the text is a sentence;
 * otherwise it is the stack of the error.
 */
export const startMessage = (error: unknown): string => {
  const isSentence = [StartFailure, CertificateFailure, UnreadableStore].some(
    (kind) => error instanceof kind,
  );
  if (error instanceof Error && isSentence) return error.message;
  if (hasCode(error, 'EADDRINUSE')) return 'PORT is used by another program: choose another one.';
  if (hasCode(error, 'EACCES')) return 'PORT, HOST or DATA_DIR is not allowed for this user.';
  if (hasCode(error, 'EADDRNOTAVAIL')) return 'HOST is no address of this machine.';
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return 'The disk of DATA_DIR is full: make space on it.';
  if (hasCode(error, 'EROFS')) return 'DATA_DIR can only be read: choose another folder.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs the service with the settings of the environment (docs/operating.md: Settings) until a signal
 * stops it. `npm start` and `grantgraph serve` do this. The promise resolves once the service
 * listens; a service that cannot start ends the process.
 */
export const serve = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (E.isLeft(config)) {
    tellFailure(configRefusal(config.left));
    process.exitCode = 2;
    return;
  }
  const log = logOf(config.right);
  let service: Service | undefined;
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal, or one during the start, ends the process at once.
      if (isStopping || service === undefined) process.exit(EXIT_CODES[signal]);
      isStopping = true;
      void service.stop().then(() => process.exit(0));
    });
  }
  // A bug in one request must not end the others.
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', errorFields(error)));
  const fail = (error: unknown): void => {
    tellFailure({ message: startMessage(error) });
    process.exit(error instanceof CertificateFailure ? 2 : 1);
  };
  try {
    service = await startService(config.right, { log, fail });
  } catch (error) {
    fail(error);
  }
};
