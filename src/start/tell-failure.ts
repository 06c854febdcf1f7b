import { createLog, type LogFields, logFormat } from '../log';
import { printErrors } from '../visible-text';

/** Why a program ends before it could start. */
export interface StartRefusal {
  /** The reason in one line, for logs. */
  readonly message: string;
  /** The reason for people, in several lines if needed. If unset, the message is used. */
  readonly text?: string;
  readonly fields?: LogFields;
}

/**
 * Prints why a program ends: as one log line if the log format is JSON, or else as text on standard
 * error.
 */
export const tellFailure = ({ message, text = message, fields = {} }: StartRefusal): void => {
  if (logFormat(process.env.LOG_FORMAT) === 'json') {
    createLog({ level: 'error', format: 'json' }).error(message, fields);
  } else {
    printErrors(text);
  }
};
