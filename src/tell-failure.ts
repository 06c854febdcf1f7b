import { createLog, type LogFields, logFormat } from './log';

/** Why a program ends before it has begun. */
export interface StartRefusal {
  /** In one line, for logs. */
  readonly message: string;
  /** For people, in several lines if need be; the message unless given. */
  readonly text?: string;
  readonly fields?: LogFields;
}

/** Tells why a program ends: as one line of the log where that is JSON, else as text on standard error. */
export const tellFailure = (
  { message, text = message, fields = {} }: StartRefusal,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void => {
  if (logFormat(env.LOG_FORMAT) === 'json') {
    createLog({ level: 'error', format: 'json' }).error(message, fields);
  } else {
    process.stderr.write(`${text}\n`);
  }
};
