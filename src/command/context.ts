import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import { isInstant } from '../model/instant';
import { Client, RefusedRequest, Unreachable } from '../client/client';
import { NotRegistered } from '../client/registered';
import { StartFailure } from '../embedded/start-failure';
import { EXIT, nearLines, type Output, outputFor, tableOf } from './output';

/** Options of every command that calls the service. */
export interface ServiceOptions {
  readonly url: string;
  readonly key: string | undefined;
  readonly json: boolean;
}

/** What a command needs to run. */
export interface Context {
  readonly client: Client;
  readonly output: Output;
}

/** The command line requests something impossible. */
export class WrongUsage extends Error {}

/** The command worked, but the caller must look at what it printed. */
export class Unsuccessful extends Error {
  constructor(readonly exitCode: number) {
    super('');
  }
}

/** Why a command could not read or write the graph; the message says what to do. */
export class GraphRefusal extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** A refused payload, with the place of each problem in the file from which it came. */
export class PlacedRefusal extends Error {
  constructor(
    readonly refused: RefusedRequest,
    readonly places: readonly object[],
    readonly columns: readonly string[],
  ) {
    super(refused.message);
  }
}

const instantNames = new Set<string>();

/** Options that hold instants, with what they are for. Wrong ones are refused before anything is requested. */
export const instants = <N extends string>(
  described: Readonly<Record<N, string>>,
): Readonly<Record<N, { readonly type: 'string'; readonly describe: string }>> => {
  for (const name of Object.keys(described)) instantNames.add(name);
  return Object.fromEntries(
    Object.entries<string>(described).map(([name, describe]) => [
      name,
      { type: 'string', describe },
    ]),
  ) as Record<N, { readonly type: 'string'; readonly describe: string }>;
};

/** Adds the options of commands that call the service. */
export const serviceOptions = <T>(yargs: Argv<T>): Argv<T & ServiceOptions> =>
  yargs
    .option('url', {
      type: 'string',
      default: process.env.GRANTGRAPH_URL || 'http://127.0.0.1:8080',
      defaultDescription: 'GRANTGRAPH_URL, else http://127.0.0.1:8080',
      describe: 'Address of the service',
    })
    .option('key', {
      type: 'string',
      default: process.env.GRANTGRAPH_API_KEY || undefined,
      defaultDescription: 'GRANTGRAPH_API_KEY',
      describe: 'Key with which to sign in',
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'Print JSON for programs',
    });

const contextOf = ({ url, key, json }: ServiceOptions): Context => {
  if (key === undefined || key === '') {
    throw new WrongUsage('A key is missing: set GRANTGRAPH_API_KEY, or use --key.');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new WrongUsage('The key has characters that no key has: copy it again.');
  }
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new WrongUsage(`${JSON.stringify(url)} is no address such as http://127.0.0.1:8080.`);
  }
  return { client: new Client({ url, key }), output: outputFor(json) };
};

/**
 * Refuses an option that the action of a command would ignore, before anything is requested. `used` names
 * what each action uses.
 */
export const refuseIgnored = <A extends string>(
  name: string,
  args: { readonly action: A },
  used: Readonly<Record<A, readonly string[]>>,
): void => {
  const given: Readonly<Record<string, unknown>> = { ...args };
  const some = new Set(Object.values<readonly string[]>(used).flat());
  const ignored = [...some].find(
    (option) => given[option] !== undefined && !used[args.action].includes(option),
  );
  if (ignored === undefined) return;
  const option = ignored.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new WrongUsage(`${name} ${args.action}: it does not accept ${option}.`);
};

/** What yargs knows of the options of a command. */
interface Declared {
  readonly number: readonly string[];
  readonly string: readonly string[];
  readonly array: readonly string[];
}

/**
 * Refuses values that no option can have, before anything is requested: counts that are no counts, options
 * that are given twice, and empty texts.
 */
const checkArguments = (args: Readonly<Record<string, unknown>>, declared: Declared): true => {
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    const isCount = Number.isSafeInteger(value) && Number(value) >= 1;
    if (declared.number.includes(name) && !isCount) {
      throw new WrongUsage(`${name}: expected one whole number from 1 on.`);
    }
    if (declared.array.includes(name)) {
      const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
      if (values.length === 0 || values.includes('')) throw new WrongUsage(`${name}: say a value.`);
    } else if (declared.string.includes(name)) {
      if (Array.isArray(value)) throw new WrongUsage(`${name}: it is given more than once.`);
      if (value === '') throw new WrongUsage(`${name}: say a value.`);
      if (instantNames.has(name) && !(typeof value === 'string' && isInstant(value))) {
        throw new WrongUsage(`${name}: expected an instant such as 2026-03-01T12:00:00Z.`);
      }
    }
  }
  return true;
};

/** A command; `A` are its arguments, which `builder` declares. */
export const command = <A>(
  module: Omit<CommandModule<object, A>, 'builder'> & {
    readonly builder: (yargs: Argv) => unknown;
  },
): CommandModule => {
  const builder = (yargs: Argv): unknown => {
    const built = module.builder(yargs);
    const { getOptions } = yargs as unknown as { getOptions: () => Declared };
    yargs.requiresArg([...getOptions.call(yargs).number]);
    yargs.check((args) => checkArguments(args, getOptions.call(yargs)), false);
    return built;
  };
  return { ...module, builder } as unknown as CommandModule;
};

/** The handler of a command that calls the service. */
export const asking =
  <A extends ServiceOptions>(
    work: (context: Context, args: ArgumentsCamelCase<A>) => Promise<void>,
  ) =>
  async (args: ArgumentsCamelCase<A>): Promise<void> =>
    work(contextOf(args), args);

/**
 * How the removal guard names the digest that confirms a push (docs/connectors.md: Removal guard).
 */
const CONFIRM = /Grantgraph-Confirm-Removal: ([0-9a-f]{64})/;

const refusalOf = (
  { answer, problems, status, message, mayPass }: RefusedRequest,
  places: readonly object[],
  columns: readonly string[],
): { readonly text: string; readonly exitCode: number } => {
  const id = answer === null ? '' : ` (${status} ${answer.code}, request ${answer.request_id})`;
  const rows = problems.map(({ pointer, code, description }, at) => ({
    ...places[at],
    pointer,
    code,
    problem: description,
  }));
  const [, digest] = CONFIRM.exec(message) ?? [];
  const option = digest === undefined ? '' : `\nHere the header is --confirm-removal ${digest}`;
  const table =
    rows.length === 0 ? '' : `\n${tableOf(rows, [...columns, 'pointer', 'code', 'problem'])}`;
  return {
    text: [`${message}${id}${table}${option}`, ...nearLines(problems)].join('\n'),
    exitCode: mayPass ? EXIT.unavailable : EXIT.refused,
  };
};

/** Says why a command failed, and gives the exit code for that reason. */
export const failureOf = (error: unknown): { readonly text: string; readonly exitCode: number } => {
  if (error instanceof Unsuccessful) return { text: '', exitCode: error.exitCode };
  if (error instanceof WrongUsage || error instanceof NotRegistered) {
    return { text: error.message, exitCode: EXIT.usage };
  }
  if (error instanceof StartFailure) return { text: error.message, exitCode: EXIT.refused };
  if (error instanceof GraphRefusal) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof Unreachable) return { text: error.message, exitCode: EXIT.unavailable };
  if (error instanceof RefusedRequest) return refusalOf(error, [], []);
  if (error instanceof PlacedRefusal) return refusalOf(error.refused, error.places, error.columns);
  // A file that cannot be read or written.
  if (error instanceof Error && 'syscall' in error && 'path' in error) {
    return { text: `${error.message}.`, exitCode: EXIT.usage };
  }
  throw error;
};
