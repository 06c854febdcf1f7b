import { CsvError, parse } from 'csv-parse/sync';
import * as E from 'fp-ts/Either';

import { FirstProblems } from '../codec/first-problems';
import { type Problem, type ProblemList } from '../problem';

/** The pointer of a problem that lies in the CSV text and not in the payload that it becomes. */
export const CSV_POINTER = '/csv_data';

/** The row of the names of the columns. */
export const HEADER_ROW = 1;

/** A row with cells. */
export interface CsvRow {
  /** The number of the row, counted as spreadsheets do. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** The cells of a CSV text. */
export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

const notCsv = (row: number, message: string): Problem => ({
  pointer: CSV_POINTER,
  code: 'NOT_CSV',
  message,
  row,
});

const alone = (problem: Problem): ProblemList => ({ problems: [problem], total: 1 });

/** All ends of lines; a file may mix them. */
const LINE_ENDS = ['\r\n', '\n', '\r'];

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');

/**
 * The parser makes an error for each row that is longer or shorter than the first one. That needs a
 * thousand times as long as the row itself.
 */
const MOST_UNEVEN = 1_000;

/** The text has too many rows of another length than the first one. */
class TooUneven extends Error {
  constructor(readonly row: number) {
    super(`more than ${MOST_UNEVEN} rows have another number of cells than the first row`);
  }
}

const recordsOf = (text: string): readonly (readonly string[])[] => {
  let [rows, uneven, length] = [0, 0, 0];
  return parse(text, {
    bom: true,
    relax_column_count: true,
    trim: true,
    record_delimiter: LINE_ENDS,
    on_record: (cells: string[]) => {
      rows += 1;
      if (rows === 1) length = cells.length;
      if (cells.length !== length) uneven += 1;
      if (uneven > MOST_UNEVEN) throw new TooUneven(rows);
      return cells;
    },
  });
};

/**
 * Parses CSV as RFC 4180 describes it: commas between cells, and quotes around cells that hold
 * commas, quotes or line breaks. Empty rows are counted, but mean nothing.
 */
export const readTable = (text: string): E.Either<ProblemList, CsvTable> => {
  let records: ReturnType<typeof recordsOf>;
  try {
    records = recordsOf(text);
  } catch (error) {
    if (error instanceof TooUneven) return E.left(alone(notCsv(error.row, error.message)));
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
  const problems = new FirstProblems();
  for (const { row, cells } of rows) {
    if (cells.length === header.length) continue;
    const message = `has ${cells.length} cells, but the first row names ${header.length} columns`;
    problems.add(() => notCsv(row, message));
  }
  return problems.total > 0 ? E.left(problems.list) : E.right({ header, rows });
};
