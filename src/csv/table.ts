import { CsvError, parse } from 'csv-parse/sync';
import * as E from 'fp-ts/Either';

import type { Problem, ProblemList } from '../problem';

/** The pointer of a problem that lies in the CSV text and not in the payload that it becomes. */
export const CSV_POINTER = '/csv_data';

/** The row of the names of the columns. */
export const HEADER_ROW = 1;

/** A row with cells. */
export interface CsvRow {
  /** As spreadsheets count. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** The cells of a CSV text. */
export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

const notCsv = (row: number, message: string): Problem => ({
  ...{ pointer: CSV_POINTER, code: 'NOT_CSV', message, row },
});

const listOf = (problems: readonly Problem[]): ProblemList => ({
  problems,
  total: problems.length,
});

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');

/**
 * Parses CSV as RFC 4180 describes it: commas between cells, and quotes around cells that hold
 * commas, quotes or line breaks. Empty rows count, and mean nothing.
 */
export const readTable = (text: string): E.Either<ProblemList, CsvTable> => {
  let records: string[][];
  try {
    records = parse(text, { bom: true, relax_column_count: true, trim: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { records: before } = error as CsvError & { readonly records?: number };
    return E.left(listOf([notCsv((before ?? 0) + 1, `the text is not CSV: ${error.message}`)]));
  }
  const [header = []] = records;
  if (isEmpty(header)) {
    return E.left(listOf([notCsv(HEADER_ROW, 'the first row must name the columns')]));
  }
  const rows = records
    .map((cells, index) => ({ row: index + HEADER_ROW, cells }))
    .slice(1)
    .filter(({ cells }) => !isEmpty(cells));
  const uneven = rows.filter(({ cells }) => cells.length !== header.length);
  if (uneven.length === 0) return E.right({ header, rows });
  return E.left(
    listOf(
      uneven.map(({ row, cells }) =>
        notCsv(row, `has ${cells.length} cells, but the first row names ${header.length} columns`),
      ),
    ),
  );
};
