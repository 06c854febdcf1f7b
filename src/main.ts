import { parseArgs } from 'node:util';

import * as E from 'fp-ts/Either';

import { BUILD } from './build';
import { configRefusal, formerSettingWarnings, readConfig } from './config';
import { CertificateFailure } from './http/listening/certificate';
import { errorFields } from './log';
import { startMessage } from './start/start-message';
import { settingsText } from './settings/settings-text';
import { logOf, type Service, startService } from './start/start-service';
import { tellFailure } from './tell-failure';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const HELP = `Usage: npm start [-- --help | --version]

Starts Grantgraph: the HTTP interface and, unless NEO4J_URI names one, a Neo4j Community of its own.
Environment variables set it up; docs/operating.md, "Settings", has the same list.

  --help     tells this
  --version  tells version, commit and version of the rules

${settingsText()}
`;

const VERSION = `grantgraph ${BUILD.version} (commit ${BUILD.commit}, rules version ${BUILD.rulesVersion})\n`;

/** The text that the command line asks for instead of a start. An unknown word ends the program. */
const askedFor = (): string | undefined => {
  const { help, version } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
  }).values;
  if (help === true) return HELP;
  return version === true ? VERSION : undefined;
};

const serve = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (E.isLeft(config)) {
    tellFailure(configRefusal(config.left));
    process.exitCode = 2;
    return;
  }
  const log = logOf(config.right);
  for (const { variable, message } of formerSettingWarnings(process.env)) {
    log.warn(message, { setting: variable });
  }
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

const main = async (): Promise<void> => {
  let asked: string | undefined;
  try {
    asked = askedFor();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tellFailure({ message: `${message} Try --help.` });
    process.exitCode = 2;
    return;
  }
  if (asked === undefined) await serve();
  else process.stdout.write(asked);
};

void main();
