import type { Log, LogFields } from '../../src/log';

/** One line that the service logged. */
export interface LoggedLine extends LogFields {
  readonly level: string;
  readonly message: string;
}

/** A log that keeps its lines for the test. */
export const memoryLog = (lines: LoggedLine[], fields: LogFields = {}): Log => {
  const write =
    (level: string) =>
    (message: string, more: LogFields = {}): void => {
      lines.push({ ...fields, ...more, level, message });
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (more) => memoryLog(lines, { ...fields, ...more }),
  };
};
