import { createLogger, format, type Logger, type transport, transports } from 'winston';

import { visible } from './visible-text';

const MESSAGE = Symbol.for('message');

/** The fields of a log line. They never hold a team key or the contents of a payload. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The service's log, with one method for each level. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a log that adds these fields to each of its lines, such as the request id. */
  with(fields: LogFields): Log;
}

/** The least severe level to log, and the form of the lines. */
export interface LogOptions {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

/** The form that the setting names. Without the setting: pretty on a terminal, JSON elsewhere. */
export const logFormat = (wanted: string | undefined): LogOptions['format'] => {
  if (wanted === 'json' || wanted === 'pretty') return wanted;
  return process.stdout.isTTY ? 'pretty' : 'json';
};

const RESERVED = new Set(['level', 'message', 'timestamp']);

// Values are written as JSON. So a caller's text with a line break cannot forge a log line.
const pretty = format.printf(({ level, message, timestamp, ...fields }) => {
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${value instanceof Error ? value.name : JSON.stringify(value)}`,
  );
  return `${String(timestamp)} ${level} ${String(message)}${rest.join('')}`;
});

// A terminal that shows the log must show the texts of callers, and must not obey them.
const seen = format((info) => {
  const line = info[MESSAGE];
  if (typeof line === 'string') info[MESSAGE] = visible(line);
  return info;
});

const fromWinston = (logger: Logger): Log => {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      const named = Object.entries(fields).filter(
        ([name, value]) => value !== undefined && !RESERVED.has(name),
      );
      logger.log({ level, message, ...Object.fromEntries(named) });
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (fields) => fromWinston(logger.child(fields)),
  };
};

/** Makes the log. It writes each entry as one line to standard output. */
export const createLog = (
  { level, format: form }: LogOptions,
  target: transport = new transports.Console(),
): Log =>
  fromWinston(
    createLogger({
      level,
      format:
        form === 'json'
          ? format.combine(format.timestamp(), format.json(), seen())
          : format.combine(format.timestamp({ format: 'HH:mm:ss.SSS' }), pretty, seen()),
      transports: [target],
    }),
  );

// Neo4j's messages with these codes may quote parameters, and parameters hold values of payloads.
const holdsValues = (code: string): boolean =>
  /^Neo\.DatabaseError\.(Schema|Statement)\./.test(code) ||
  (code.startsWith('Neo.ClientError.') && !code.startsWith('Neo.ClientError.Security.'));

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * How Neo4j names the constraint that a node breaks. The names are those of the schema, and not of
 * a payload.
 */
const CONSTRAINED = /^Node\(\d+\) already exists with label `(\w+)` and property `(\w+)`/;

const constraintOf = (message: string): string | undefined => {
  const [, label, property] = CONSTRAINED.exec(message) ?? [];
  return label === undefined ? undefined : `${label}.${property}`;
};

/** Describes an error in fields for the log. Leaves its message out if that may quote a payload. */
export const errorFields = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = codeOf(error);
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
  return {
    error: error.name,
    error_code: code,
    error_gql_status: 'gqlStatus' in error ? error.gqlStatus : undefined,
    error_constraint: constraintOf(error.message),
    error_message: code !== undefined && holdsValues(code) ? undefined : error.message,
    error_stack: frames.slice(0, 12).join('; '),
  };
};
