import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import { Client, RefusedRequest, Unreachable } from '../client/client';
import { NotRegistered } from '../client/registered';
import { StartFailure } from '../embedded/start-failure';
import { EXIT, type Output, outputFor, tableOf } from './output';

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

/** Adds the options of commands that call the service. */
export const serviceOptions = <T>(yargs: Argv<T>): Argv<T & ServiceOptions> =>
  yargs
    .option('url', {
      type: 'string',
      default: process.env.GRANTGRAPH_URL ?? 'http://127.0.0.1:8080',
      defaultDescription: 'GRANTGRAPH_URL, else http://127.0.0.1:8080',
      describe: 'Address of the service',
    })
    .option('key', {
      type: 'string',
      default: process.env.GRANTGRAPH_API_KEY,
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
  return { client: new Client({ url, key }), output: outputFor(json) };
};

/** A command; `A` are its arguments, which `builder` declares. */
export const command = <A>(
  module: Omit<CommandModule<object, A>, 'builder'> & {
    readonly builder: (yargs: Argv) => unknown;
  },
): CommandModule => module as unknown as CommandModule;

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
    ...{ ...places[at], pointer, code },
    problem: description,
  }));
  const [, digest] = CONFIRM.exec(message) ?? [];
  const option = digest === undefined ? '' : `\nHere the header is --confirm-removal ${digest}`;
  const table =
    rows.length === 0 ? '' : `\n${tableOf(rows, [...columns, 'pointer', 'code', 'problem'])}`;
  return {
    text: `${message}${id}${table}${option}`,
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
  throw error;
};
