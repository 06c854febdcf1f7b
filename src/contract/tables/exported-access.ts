import type { ExportedAccess, HeldPermission, Summary } from '../answers/questions/access';
import type { AsOf } from '../answers/page';
import { type CsvColumn, csvLines, csvTexts } from '../csv';
import { permissionColumns } from './access';

/** Where a row ends: what is the same in all its lines, but for the cursor of the last one. */
interface End {
  readonly explanation?: ExportedAccess['explanation'] | undefined;
  readonly as_of: AsOf | null;
  readonly cursor?: string | undefined;
}

interface Line {
  readonly principal: Summary;
  readonly human: Summary | null | undefined;
  readonly resource: Summary;
  readonly held: HeldPermission;
  readonly end: End;
}

const wordsOf = ({ explanation }: End): string | null =>
  explanation
    ? `${explanation.hops.map(({ name }) => name).join(' → ')} on ${explanation.scope.map(({ name }) => name).join(' / ')}`
    : null;

/** Columns that follow from one part of a line, so that their texts are written once for it. */
interface Group<K extends keyof Line = keyof Line> {
  readonly of: K;
  readonly columns: readonly CsvColumn<Line[K]>[];
}

const group = <K extends keyof Line>(of: K, columns: readonly CsvColumn<Line[K]>[]): Group =>
  ({ of, columns }) as unknown as Group;

const GROUPS: readonly Group[] = [
  group('principal', [
    { name: 'principal_id', cell: ({ id }) => id },
    { name: 'principal_label', cell: ({ label }) => label },
    { name: 'principal_name', cell: ({ name }) => name },
    { name: 'principal_application', cell: ({ application }) => application },
    { name: 'principal_domain', cell: ({ domain }) => domain },
    { name: 'inactive', cell: ({ inactive }) => inactive },
  ]),
  group('human', [
    { name: 'human_id', cell: (human) => human?.id },
    { name: 'human_label', cell: (human) => human?.label },
    { name: 'human_name', cell: (human) => human?.name },
  ]),
  group('resource', [
    { name: 'resource_id', cell: ({ id }) => id },
    { name: 'resource_label', cell: ({ label }) => label },
    { name: 'resource_name', cell: ({ name }) => name },
    { name: 'path', cell: ({ path }) => path },
    { name: 'resource_type', cell: ({ resource_type }) => resource_type },
    { name: 'application', cell: ({ application }) => application },
  ]),
  group(
    'held',
    permissionColumns.map(({ name, cell }) => ({ name, cell: (held) => cell({ held }) })),
  ),
  group('end', [
    { name: 'explanation', cell: wordsOf },
    { name: 'as_of', cell: ({ as_of }) => as_of?.at },
    { name: 'push', cell: ({ as_of }) => as_of?.push },
    { name: 'cursor', cell: ({ cursor }) => cursor },
  ]),
  group('principal', [{ name: 'principal_provider', cell: ({ provider }) => provider }]),
  group('human', [{ name: 'human_provider', cell: (human) => human?.provider }]),
  group('resource', [{ name: 'provider', cell: ({ provider }) => provider }]),
];

/** Columns of an export of access (docs/api.md: Exports of access). */
export const exportColumns: readonly CsvColumn<Line>[] = GROUPS.flatMap(({ of, columns }) =>
  columns.map(({ name, cell }) => ({ name, cell: (line: Line) => cell(line[of]) })),
);

/** The texts of a part of a line: one for each group of columns of the part. */
export type PartTexts = readonly string[];

/** Writes a part of lines, such as their principal. Most parts are in many lines. */
export const partTexts = <K extends keyof Line>(of: K, value: Line[K]): PartTexts =>
  GROUPS.flatMap((each) => (each.of === of ? [csvTexts(each.columns, value as never)] : []));

/** What is the same in several lines: the texts before each text of the other parts, and the last one. */
export type LineFrame = readonly string[];

/** Which texts of the other parts a line has, in order: of a part the first, or another one. */
const VARYING = GROUPS.flatMap(({ of }, at) =>
  of === 'resource' || of === 'held'
    ? [{ of, nth: GROUPS.slice(0, at).filter((before) => before.of === of).length }]
    : [],
);

/** The frame of lines with the same principal, human and end. */
export const frameOf = (
  parts: Readonly<Record<Exclude<keyof Line, 'resource' | 'held'>, PartTexts>>,
): LineFrame => {
  const taken = { principal: 0, human: 0, end: 0 };
  const frame = [''];
  const add = (text: string): void => {
    frame.push(`${frame.pop() ?? ''}${text}`);
  };
  for (const [at, { of }] of GROUPS.entries()) {
    if (at > 0) add(',');
    if (of === 'resource' || of === 'held') {
      frame.push('');
    } else {
      add(parts[of][taken[of]] ?? '');
      taken[of] += 1;
    }
  }
  add('\r\n');
  return frame;
};

/** Adds the texts of a line to others. */
export const addLine = (
  texts: string[],
  frame: LineFrame,
  parts: Readonly<Record<'resource' | 'held', PartTexts>>,
): void => {
  for (const [at, { of, nth }] of VARYING.entries()) {
    texts.push(frame[at] ?? '', parts[of][nth] ?? '');
  }
  texts.push(frame[VARYING.length] ?? '');
};

/**
 * Rows of an export as lines of CSV. A row with several permissions has a line for each. The last
 * of these lines has the cursor of the row.
 */
export const exportedLines = (rows: readonly ExportedAccess[]): string =>
  csvLines(
    exportColumns,
    rows.flatMap(({ principal, human, resource, permissions, ...end }): readonly Line[] =>
      permissions.map((held, at) => ({
        principal,
        human,
        resource,
        held,
        end: { ...end, cursor: at === permissions.length - 1 ? end.cursor : undefined },
      })),
    ),
  );
