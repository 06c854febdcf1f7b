import { stringify } from 'csv-stringify/sync';

/** A column of a table: its name, and how a row fills its cell. */
export interface CsvColumn<R> {
  readonly name: string;
  readonly cell: (row: R) => unknown;
}

/** The media type of CSV (docs/api.md: CSV). */
export const CSV = 'text/csv';

/**
 * Where a spreadsheet in another locale would begin a cell with a formula: it separates cells by
 * semicolons or tabs, and does not see that the text is quoted.
 */
const FORMULA_WITHIN = /(?<=[;\t\r\n])(?=[ "]{0,9}[=+\-@\uff0b\uff0d\uff1d\uff20])/g;

/** A cell for a list or an object holds its JSON. */
const cellOf = (value: unknown): string | number | boolean | null | undefined => {
  const cell =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : (value as string | number | boolean | null | undefined);
  return typeof cell === 'string' ? cell.replace(FORMULA_WITHIN, "'") : cell;
};

/**
 * Rows as CSV. An apostrophe is written before whatever a spreadsheet would run as a formula:
 * before a text, and before the rest of a text after a semicolon, a tab or a line break, which
 * begin cells in some locales. A text that contains one of these is quoted too (docs/api.md: CSV).
 */
export const csvOf = (rows: readonly (readonly unknown[])[]): string =>
  stringify(
    rows.map((row) => row.map(cellOf)),
    {
      escape_formulas: true,
      quoted_match: /[\r\n;\t]/,
      record_delimiter: 'windows',
      cast: { boolean: String },
    },
  );

/** The names of columns as the first line of a table. */
export const csvHead = <R>(columns: readonly CsvColumn<R>[]): string =>
  csvOf([columns.map(({ name }) => name)]);

/** Rows as the lines of a table. */
export const csvLines = <R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string =>
  csvOf(rows.map((row) => columns.map(({ cell }) => cell(row))));

/** Columns that hold the fields of a row under their own names. */
export const fieldColumns = <N extends string>(
  ...names: readonly N[]
): readonly CsvColumn<{ readonly [K in N]?: unknown }>[] =>
  names.map((name) => ({ name, cell: (row) => row[name] }));
