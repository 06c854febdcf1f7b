import { createLogger, format, transports, type Logger } from 'winston';

/** What a line says beside its sentence; never a key, never a payload's contents. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the service says what it does. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with fields that stand on each line, such as the request id. */
  with(fields: LogFields): Log;
}

/** How much is logged and in which form. */
export interface LogOptions {
  readonly level: string;
  readonly format: 'json' | 'pretty';
}

/** The form of the log: the one that is wanted; without one, for people on a terminal and JSON elsewhere. */
export const logFormat = (wanted: string | undefined): LogOptions['format'] => {
  if (wanted === 'json' || wanted === 'pretty') return wanted;
  return process.stdout.isTTY ? 'pretty' : 'json';
};

const RESERVED = new Set(['level', 'message', 'timestamp']);

// Values go through JSON, so that no text of a caller can begin a line of its own.
const pretty = format.printf(({ level, message, timestamp, ...fields }) => {
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${value instanceof Error ? value.name : JSON.stringify(value)}`,
  );
  return `${String(timestamp)} ${level} ${String(message)}${rest.join('')}`;
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

/** Makes the log: one line an entry, on standard output, as JSON or for people to read. */
export const createLog = ({ level, format: form }: LogOptions): Log =>
  fromWinston(
    createLogger({
      level,
      format:
        form === 'json'
          ? format.combine(format.timestamp(), format.json())
          : format.combine(format.timestamp({ format: 'HH:mm:ss.SSS' }), pretty),
      transports: [new transports.Console()],
    }),
  );

// Messages of these hold values of the statement's parameters, that is, of payloads.
const holdsValues = (code: string): boolean =>
  /^Neo\.DatabaseError\.(Schema|Statement)\./.test(code) ||
  (code.startsWith('Neo.ClientError.') && !code.startsWith('Neo.ClientError.Security.'));

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** An error in fields for the log: what, where, and its sentence unless that may quote a payload. */
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
    error_message: code !== undefined && holdsValues(code) ? undefined : error.message,
    error_stack: frames.slice(0, 12).join('; '),
  };
};
