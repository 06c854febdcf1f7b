import { CsvError, parse } from 'csv-parse/sync';
import * as E from 'fp-ts/Either';

import { KeptProblems } from '../codec/kept-problems';
import { type Problem, type ProblemList } from '../problem';

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

const alone = (problem: Problem): ProblemList => ({ problems: [problem], total: 1 });

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
    return E.left(alone(notCsv((before ?? 0) + 1, `the text is not CSV: ${error.message}`)));
  }
  const [header = []] = records;
  if (isEmpty(header)) {
    return E.left(alone(notCsv(HEADER_ROW, 'the first row must name the columns')));
  }
  const rows = records
    .map((cells, index) => ({ row: index + HEADER_ROW, cells }))
    .slice(1)
    .filter(({ cells }) => !isEmpty(cells));
  const problems = new KeptProblems();
  for (const { row, cells } of rows) {
    if (cells.length === header.length) continue;
    const message = `has ${cells.length} cells, but the first row names ${header.length} columns`;
    problems.add(() => notCsv(row, message));
  }
  return problems.total > 0 ? E.left(problems.list) : E.right({ header, rows });
};
