import { stringify } from 'csv-stringify/sync';

/** A column of a table: its name, and how a row fills its cell. */
export interface CsvColumn<R> {
  readonly name: string;
  readonly cell: (row: R) => unknown;
}

/** The media type of CSV (docs/api.md: CSV). */
export const CSV = 'text/csv';

/**
 * With this mark before the first column Excel reads UTF-8. Only files for people have it, since programs
 * would take it for a part of the name of that column.
 */
export const MARK_FOR_PEOPLE = '\ufeff';

/** How a table is saved as a file. */
export interface TableFile {
  readonly name: string;
  /** Whether people open it, and not programs. */
  readonly isForPeople: boolean;
}

/** What precedes the first line of a table. */
export const markOf = (file: TableFile | undefined): string =>
  file?.isForPeople === true ? MARK_FOR_PEOPLE : '';

/** What spreadsheets may leave out before a formula: blanks, characters that nobody sees, and quotes. */
const UNSEEN = String.raw`(?:(?![\t\r\n])[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"])*`;

/** The signs with which formulas begin, and all characters that a spreadsheet may take for one. */
const SIGN = String.raw`[=+\-@\u207a-\u207c\u208a-\u208c\u2212\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]`;

/**
 * Where a spreadsheet would begin a cell with a formula. Some separate cells by semicolons or tabs,
 * and do not see that the text is quoted. Each look ahead ends at the next separator, so a text is
 * read twice at most.
 */
const FORMULA = new RegExp(`(?<=^|[;\\t\\r\\n])(?=${UNSEEN}${SIGN})`, 'gu');

/** The end of a line. */
const LINE_END = '\r\n';

/** A cell for a list or an object holds its JSON. */
const cellOf = (value: unknown): string | number | boolean | null | undefined => {
  const cell =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : (value as string | number | boolean | null | undefined);
  return typeof cell === 'string' ? cell.replace(FORMULA, "'") : cell;
};

/**
 * Rows as CSV. An apostrophe is written before whatever a spreadsheet would run as a formula:
 * before a text, and before the rest of a text after a semicolon, a tab or a line break, which
 * begin cells in some locales. Blanks and invisible characters before a sign change nothing. A text
 * that contains a separator is quoted too (docs/api.md: CSV).
 */
export const csvOf = (rows: readonly (readonly unknown[])[]): string =>
  stringify(
    rows.map((row) => row.map(cellOf)),
    {
      escape_formulas: true,
      quoted_match: /[\r\n;\t]/,
      record_delimiter: LINE_END,
      cast: { boolean: String },
    },
  );

/** The names of columns as the first line of a table. */
export const csvHead = <R>(columns: readonly CsvColumn<R>[]): string =>
  csvOf([columns.map(({ name }) => name)]);

/** Rows as the lines of a table. */
export const csvLines = <R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string =>
  csvOf(rows.map((row) => columns.map(({ cell }) => cell(row))));

/** The text of a first cell, by which `stringify` never takes a row for an empty one. */
const BEFORE = 'x';

/** The cells of some columns as a part of a line, without its end. */
export const csvTexts = <R>(columns: readonly CsvColumn<R>[], row: R): string =>
  csvOf([[BEFORE, ...columns.map(({ cell }) => cell(row))]]).slice(
    BEFORE.length + 1,
    -LINE_END.length,
  );

/** Columns that hold the fields of a row under their own names. */
export const fieldColumns = <N extends string>(
  ...names: readonly N[]
): readonly CsvColumn<{ readonly [K in N]?: unknown }>[] =>
  names.map((name) => ({ name, cell: (row) => row[name] }));
