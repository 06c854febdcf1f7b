#!/usr/bin/env node
import yargs, { type CommandModule } from 'yargs';
import { hideBin } from 'yargs/helpers';

import { BUILD } from '../build';
import { backupCommand, restoreCommand } from './commands/store/backup';
import { changesCommand } from './commands/changes';
import { eraseCommand } from '../features/erasure/command';
import { eventsCommand } from '../features/events/command';
import { exportCommand } from './commands/export';
import { historyCommand } from './commands/history';
import { keysCommand } from '../features/keys/command';
import { policiesCommand } from '../scim/policies/command';
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
  verifyCommand,
} from './commands/registry';
import { reviewsCommand } from '../features/reviews/command';
import { restoredCommand } from './commands/store/restored';
import { rotateSecretsCommand } from './commands/store/rotate-secrets';
import { scimCommand } from '../scim/connections/command';
import { serveCommand } from './commands/serve';
import { validateCommand } from './commands/validate';
import { trustsCommand } from '../features/trusts/command';
import { failureOf } from '../command/context';
import { EXIT } from '../command/output';
import { letReadersLeave, printErrors } from '../visible-text';

/**
 * The commands in the order of the help. A new command is `command.ts` of its feature and a line here: a
 * command that read the list of features would load the service, which needs three times as long.
 */
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
  reviewsCommand,
  eraseCommand,
  scimCommand,
  policiesCommand,
  rotateSecretsCommand,
  backupCommand,
  restoreCommand,
  restoredCommand,
];

const GIVEN = hideBin(process.argv);

/** The program writes this before each word that follows `--`, so that none counts as an option. */
const WORD = '\0';

/** Words that follow `--` are names and values, whatever they begin with. */
const readable = (given: readonly string[]): readonly string[] => {
  const at = given.indexOf('--');
  if (at < 0) return given;
  // This hidden option ends a list of values that comes before the dashes.
  return [
    ...given.slice(0, at),
    '--names-follow',
    ...given.slice(at + 1).map((word) => WORD + word),
  ];
};

/** Removes that mark. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'string' && value.startsWith(WORD) ? value.slice(WORD.length) : value;
};

const HINT =
  '\nA name that begins with a dash follows --, as in: -- -name. Such a value of an option follows =.';

/** Says how dashes are written, if a word of the arguments begins with one and is no option. */
const aboutDashes = (message: string): string =>
  /unknown argument|not enough/i.test(message) && GIVEN.some((word) => /^-[^-]/.test(word))
    ? HINT
    : '';

const fail = (text: string, exitCode: number): void => {
  if (text !== '') printErrors(text);
  process.exitCode = exitCode;
};

/** The command that the arguments name, with a space after it, if it exists. */
const meant = (): string => {
  const [given = ''] = GIVEN;
  const names = COMMANDS.map(({ command }) => String(command).split(' ', 1).join());
  return names.includes(given) ? `${given} ` : '';
};

const main = async (): Promise<void> => {
  letReadersLeave();
  const parser = yargs(readable(GIVEN))
    .scriptName('grantgraph')
    .usage('$0 <command>\n\nPushes to Grantgraph, and shows who can do what.')
    .command([...COMMANDS])
    .demandCommand(1, 'Which command?')
    .strict()
    .recommendCommands()
    .completion('completion', 'Print the completion for bash or zsh')
    .version(`${BUILD.version} (commit ${BUILD.commit}, rules version ${BUILD.rulesVersion})`)
    .epilogue('Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the service is away or busy.')
    // Terminals wrap lines themselves. An example stays one line, so that it can be copied.
    .wrap(null)
    .option('names-follow', { type: 'boolean', hidden: true })
    .middleware((args) => {
      for (const [name, value] of Object.entries(args)) args[name] = plain(value);
    }, true)
    .exitProcess(false)
    .fail((message, error) => {
      if (error !== undefined) throw error;
      throw new UsageError(message);
    });
  try {
    await parser.parseAsync();
  } catch (error) {
    // yargs makes an error of its own of one that an option throws for its value.
    if (error instanceof UsageError || (error instanceof Error && error.name === 'YError')) {
      const more = `${aboutDashes(error.message)}\nTry: grantgraph ${meant()}--help`;
      fail(`${error.message}${more}`, EXIT.usage);
      return;
    }
    const { text, exitCode } = failureOf(error);
    fail(text, exitCode);
  }
};

class UsageError extends Error {}

void main();
