import Table from 'cli-table3';

import { printLines, printErrors, visible } from '../visible-text';

/** Exit codes that scripts can rely on (docs/connectors.md: The command line). */
export const EXIT = { done: 0, refused: 1, usage: 2, unavailable: 3 } as const;

/** Prints for people or for programs. */
export interface Output {
  /** Prints entries: a table of some columns for people, one JSON list for programs. */
  rows<R extends object>(
    rows: readonly R[],
    columns: readonly string[],
    inWords?: (row: R) => object,
  ): void;
  /** Prints one answer: its lines for people, JSON for programs. */
  answer(answer: unknown, lines: readonly string[]): void;
  /** Shows people the progress; programs do not see it. */
  note(text: string): void;
  /** Prints on stderr, for people and programs, what has no place in the answer itself. */
  tell(text: string): void;
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (typeof value === 'object')
    return 'name' in value ? cell(value.name) : visible(JSON.stringify(value));
  return typeof value === 'string' ? visible(value) : visible(JSON.stringify(value));
};

const NO_FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Rows as a table of some of their fields. */
export const tableOf = (rows: readonly object[], columns: readonly string[]): string => {
  const table = new Table({
    head: [...columns],
    chars: NO_FRAME,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) {
    table.push(columns.map((column) => cell((row as Record<string, unknown>)[column])));
  }
  return table.toString();
};

/** The text around each place at which a payload stops being JSON. */
export const nearLines = (problems: readonly { readonly near?: string }[]): readonly string[] =>
  problems.flatMap(({ near }) => (near === undefined ? [] : [visible(near)]));

/** The output that the caller wants. */
export const outputFor = (asJson: boolean): Output =>
  asJson
    ? {
        rows: (rows) => printLines(JSON.stringify(rows, null, 2)),
        answer: (answer) => printLines(JSON.stringify(answer, null, 2)),
        note: () => undefined,
        tell: printErrors,
      }
    : {
        rows: (rows, columns, inWords = (row) => row) =>
          printLines(rows.length === 0 ? '(none)' : tableOf(rows.map(inWords), columns)),
        answer: (_answer, lines) => printLines(lines.join('\n')),
        note: printErrors,
        tell: printErrors,
      };

/** Prints the first entries of a list, and says if there are more. */
export const printFirst = (
  output: Output,
  { rows, isCut }: { readonly rows: readonly object[]; readonly isCut: boolean },
  columns: readonly string[],
): void => {
  output.rows(rows, columns);
  if (isCut) output.tell(`There are more than these ${rows.length}: --most lists more.`);
};
