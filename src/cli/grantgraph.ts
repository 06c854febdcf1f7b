#!/usr/bin/env node
import yargs, { type CommandModule } from 'yargs';
import { hideBin } from 'yargs/helpers';

import { BUILD } from '../build';
import { backupCommand, restoreCommand } from './commands/backup';
import { changesCommand } from './commands/changes';
import { eraseCommand } from './commands/erase';
import { eventsCommand } from './commands/events';
import { exportCommand } from './commands/export';
import { historyCommand } from './commands/history';
import { keysCommand } from './commands/keys';
import { policiesCommand } from './commands/policies';
import { pushCommand } from './commands/push';
import {
  accessCommand,
  explainCommand,
  findCommand,
  queryCommand,
  savedCommand,
  whoCanCommand,
} from './commands/questions';
import {
  dataSourcesCommand,
  providersCommand,
  pushesCommand,
  trustsCommand,
  verifyCommand,
} from './commands/registry';
import { rotateSecretsCommand } from './commands/rotate-secrets';
import { scimCommand } from './commands/scim';
import { serveCommand } from './commands/serve';
import { validateCommand } from './commands/validate';
import { failureOf } from './context';
import { EXIT } from './output';
import { printErrors } from '../visible-text';

const COMMANDS: readonly CommandModule[] = [
  serveCommand,
  pushCommand,
  validateCommand,
  providersCommand,
  dataSourcesCommand,
  pushesCommand,
  verifyCommand,
  eventsCommand,
  historyCommand,
  findCommand,
  accessCommand,
  whoCanCommand,
  explainCommand,
  changesCommand,
  queryCommand,
  savedCommand,
  exportCommand,
  keysCommand,
  trustsCommand,
  eraseCommand,
  scimCommand,
  policiesCommand,
  rotateSecretsCommand,
  backupCommand,
  restoreCommand,
];

const fail = (text: string, exitCode: number): void => {
  if (text !== '') printErrors(text);
  process.exitCode = exitCode;
};

/** The command that the arguments name, with a space after it, if it exists. */
const meant = (): string => {
  const [given = ''] = hideBin(process.argv);
  const names = COMMANDS.map(({ command }) => String(command).split(' ', 1).join());
  return names.includes(given) ? `${given} ` : '';
};

const main = async (): Promise<void> => {
  const parser = yargs(hideBin(process.argv))
    .scriptName('grantgraph')
    .usage('$0 <command>\n\nPushes to Grantgraph, and shows who can do what.')
    .command([...COMMANDS])
    .demandCommand(1, 'Which command?')
    .strict()
    .recommendCommands()
    .completion('completion', 'Print the completion for bash or zsh')
    .version(`${BUILD.version} (commit ${BUILD.commit}, rules version ${BUILD.rulesVersion})`)
    .epilogue('Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the service is away or busy.')
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      if (error !== undefined) throw error;
      throw new UsageError(message);
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    if (error instanceof UsageError) {
      fail(`${error.message}\nTry: grantgraph ${meant()}--help`, EXIT.usage);
      return;
    }
    const { text, exitCode } = failureOf(error);
    fail(text, exitCode);
  }
};

class UsageError extends Error {}

void main();
