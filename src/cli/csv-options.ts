import { extname } from 'node:path';

import type { Argv } from 'yargs';

import type { CsvSystem } from '../csv/payload';
import type { CsvPlace } from '../problem';
import { WrongUsage } from '../command/context';

/** Options of commands that read CSV files (docs/connectors.md: CSV files). */
export interface CsvOptions {
  readonly csv: boolean | undefined;
  readonly column: readonly string[] | undefined;
  readonly systemName: string | undefined;
  readonly systemType: string | undefined;
}

/** Adds the options of commands that read CSV files. */
export const csvOptions = <T>(yargs: Argv<T>): Argv<T & CsvOptions> =>
  yargs.options({
    csv: { type: 'boolean', describe: 'The file is CSV; without: if its name ends with .csv' },
    column: {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      describe: 'COLUMN=FIELD of a CSV file; COLUMN= ignores the column',
    },
    'system-name': { type: 'string', describe: 'Name of the application or domain of a CSV file' },
    'system-type': { type: 'string', describe: 'Its type' },
  }) as unknown as Argv<T & CsvOptions>;

/** Whether a file is CSV. */
export const isCsv = ({ csv }: CsvOptions, file: string): boolean =>
  csv ?? extname(file).toLowerCase() === '.csv';

/** What the options say about a CSV file; `usual` has the names of its system if they give none. */
export const systemOf = (
  { column = [], systemName, systemType }: CsvOptions,
  usual: Pick<CsvSystem, 'name' | 'type'>,
): CsvSystem => ({
  name: systemName ?? usual.name,
  type: systemType ?? usual.type,
  columns: Object.fromEntries(
    column.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw new WrongUsage(`--column ${pair}: write COLUMN=FIELD.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  ),
});

/** A place in a CSV file, as people read it. */
export const placeInWords = ({ row, column }: CsvPlace): string =>
  [
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(column === undefined ? [] : [`column ${JSON.stringify(column)}`]),
  ].join(', ');
